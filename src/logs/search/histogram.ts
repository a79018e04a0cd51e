import type { LogRecord, Severity } from '../../api/types';
import { day, hour, minute, second } from '../../api/units';

/** How many records of each severity there are in a stretch of time. */
export interface Bucket {
  /** Milliseconds since 1970; it ends where the next one begins. */
  readonly start: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly total: number;
}

export interface Histogram {
  /** The length of a bucket in milliseconds. */
  readonly step: number;
  /** One behind the other from the first to the last, empty ones too; none without records. */
  readonly buckets: readonly Bucket[];
  /** Records whose timestamp is none, or lies outside of the range. */
  readonly outside: number;
}

/** In milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Lengths that people count in; from the longest on, as many days as it takes. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  day,
];

/** How many buckets of a length cover a range, which need not begin where one does. */
export function countOf({ from, to }: Span, step: number): number {
  return Math.floor(to / step) - Math.floor(from / step) + 1;
}

/** The shortest length of buckets of which at most so many cover a range. */
export function stepOf(range: Span, maxBuckets: number): number {
  const most = Math.max(1, maxBuckets);
  const step = steps.find((one) => countOf(range, one) <= most);
  if (step !== undefined) return step;
  let days = Math.ceil((range.to - range.from) / day / most);
  while (countOf(range, days * day) > most) days++;
  return days * day;
}

/**
 * Counts records by time and severity.
 *
 * @param range what to cover; all of the records where it is left out.
 * @param maxBuckets at least 2, so that any range can be covered.
 */
export function histogramOf(
  records: readonly LogRecord[],
  maxBuckets: number,
  range?: Span,
): Histogram {
  const times = records.map(({ timestamp }) => Date.parse(timestamp));
  const covered = range ?? extentOfTimes(times);
  if (covered === undefined || !(covered.from <= covered.to)) {
    return { step: second, buckets: [], outside: records.length };
  }
  const step = stepOf(covered, Math.max(2, maxBuckets));
  const first = Math.floor(covered.from / step);
  const buckets = Array.from({ length: countOf(covered, step) }, (_, index) => ({
    start: (first + index) * step,
    counts: noCounts(),
    total: 0,
  }));
  let outside = 0;
  records.forEach(({ severity }, index) => {
    const time = times[index] ?? NaN;
    const isInside = time >= covered.from && time <= covered.to;
    const bucket = isInside ? buckets[Math.floor(time / step) - first] : undefined;
    if (bucket === undefined) outside++;
    else {
      bucket.counts[severity]++;
      bucket.total++;
    }
  });
  return { step, buckets, outside };
}

/** From the earliest to the latest of the records that have a time; undefined where none has. */
export function extentOf(records: readonly LogRecord[]): Span | undefined {
  return extentOfTimes(records.map(({ timestamp }) => Date.parse(timestamp)));
}

function extentOfTimes(times: readonly number[]): Span | undefined {
  let from = Infinity;
  let to = -Infinity;
  for (const time of times) {
    if (time < from) from = time;
    if (time > to) to = time;
  }
  return from <= to ? { from, to } : undefined;
}

function noCounts(): Record<Severity, number> {
  return { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0, unknown: 0 };
}
