import {
  severities,
  type HistogramData,
  type RowSeverity,
} from '../../src/logs/explorer/panel/messages';

/** A severity with its counts on top of those below it. */
export interface Layer {
  readonly severity: RowSeverity;
  /** For each bucket, the upper end of its piece. */
  readonly tops: readonly number[];
  /** For each bucket, its own. */
  readonly counts: readonly number[];
}

/** From the bottom of a bar to its top: the worst stands where one looks first. */
const bottomUp: readonly RowSeverity[] = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'unknown',
];

/** The count of a severity in a bucket. */
export function countOf(counts: readonly number[] | undefined, severity: RowSeverity): number {
  return counts?.[severities.indexOf(severity)] ?? 0;
}

/** All counts of a bucket. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}

/** The layers of the bars, the highest first: painted in this order, each leaves its piece visible. */
export function layersOf({ counts }: HistogramData): readonly Layer[] {
  let tops: readonly number[] = counts.map(() => 0);
  return bottomUp
    .map((severity): Layer => {
      const own = counts.map((bucket) => countOf(bucket, severity));
      tops = own.map((count, index) => (tops[index] ?? 0) + count);
      return { severity, tops, counts: own };
    })
    .reverse();
}

/** How many records of each severity there are, the worst first; without those that are not there. */
export function totalsOf({
  counts,
}: HistogramData): readonly { readonly severity: RowSeverity; readonly count: number }[] {
  return bottomUp
    .map((severity) => ({
      severity,
      count: counts.reduce((total, bucket) => total + countOf(bucket, severity), 0),
    }))
    .filter(({ count }) => count > 0);
}

/** Buckets next to each other. */
export interface Buckets {
  readonly first: number;
  readonly last: number;
}

/** The buckets between two of them, whichever comes first. */
export function between(one: number, other: number): Buckets {
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

/** The bucket that an instant lies in, or the nearest one; undefined where there is none. */
export function bucketAt({ start, step, counts }: HistogramData, at: number): number | undefined {
  if (counts.length === 0) return undefined;
  return Math.min(Math.max(Math.floor((at - start) / step), 0), counts.length - 1);
}

/**
 * What to ask for to see these buckets alone, as a query has it. The end belongs to a range, so the
 * last millisecond of the last bucket is it.
 */
export function rangeOf(
  { start, step }: HistogramData,
  { first, last }: Buckets,
): { readonly from: string; readonly to: string } {
  return {
    from: new Date(start + first * step).toISOString(),
    to: new Date(start + (last + 1) * step - 1).toISOString(),
  };
}
