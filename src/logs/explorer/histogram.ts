import { day, hour, minute, second } from '../../api/clock';
import type { LogRecord, Severity } from '../../api/types';
import { type HistogramData, severities } from './panel/messages';
import type { ExplorerState } from './types';

/** From one time to another, both in milliseconds since 1970. */
interface Span {
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

/** From the earliest to the latest of the records that have a time; undefined where none has. */
export function extentOf(records: readonly LogRecord[]): Span | undefined {
  let from = Infinity;
  let to = -Infinity;
  for (const { timestamp } of records) {
    const time = Date.parse(timestamp);
    if (time < from) from = time;
    if (time > to) to = time;
  }
  return from <= to ? { from, to } : undefined;
}

/** The bars of what is loaded. */
interface LoadedHistogram {
  /** Undefined where there is nothing to draw. */
  of(
    state: ExplorerState,
    records: readonly LogRecord[],
    timeZone: string,
  ): HistogramData | undefined;
}

/** As many bars as can be told apart in a narrow page. */
const maxBuckets = 120;

export function createLoadedHistogram(): LoadedHistogram {
  const feed = createHistogramFeed(severities, maxBuckets);
  return {
    of(state, records, timeZone) {
      const counted = feed.count(records, spanOf(state, records));
      return counted && { ...counted, timeZone: zoneOf(timeZone) };
    },
  };
}

/**
 * What the bars cover: as far as records are loaded, since no bar means no record; so all of the range
 * only where its beginning, or its end, was reached.
 */
function spanOf(
  { window, context, older, newer }: ExplorerState,
  records: readonly LogRecord[],
): Span | undefined {
  if (window === undefined || context !== undefined) return undefined;
  const first = Date.parse(records[0]?.timestamp ?? '');
  const last = Date.parse(records.at(-1)?.timestamp ?? '');
  if (Number.isNaN(first) || Number.isNaN(last)) return undefined;
  const from = older.kind === 'reached' ? Math.min(first, Date.parse(window.from)) : first;
  const to = newer.kind === 'reached' ? Math.max(last, Date.parse(window.to)) : last;
  return { from, to };
}

function zoneOf(timeZone: string): string {
  if (timeZone === 'local') return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZone === 'utc' ? 'UTC' : timeZone;
}

/** Counts by time and severity. */
export interface CountedTimes {
  /** Milliseconds since 1970, of the first bucket. */
  readonly start: number;
  /** The length of a bucket in milliseconds. */
  readonly step: number;
  /** One list for each bucket, in the order of the severities. */
  readonly counts: number[][];
}

/** The histogram of a list that grows at its ends. */
export interface HistogramFeed {
  /**
   * The list as it is now. Costs what has changed since it was asked last, and a look at all of it only
   * where that is another list or the buckets have to have another length.
   *
   * @param range what to cover; all of the records where it is left out.
   * @returns nothing where there is no time to cover.
   */
  count(records: readonly LogRecord[], range?: Span): CountedTimes | undefined;
}

/** Buckets may be so much fewer than the most before they are made shorter: else they would flicker. */
const leastShare = 1 / 3;

/** @param maxBuckets at least 2. */
export function createHistogramFeed(
  severities: readonly Severity[],
  maxBuckets: number,
): HistogramFeed {
  const places = new Map(severities.map((severity, place) => [severity, place]));
  let step = 0;
  let counted: readonly LogRecord[] = [];
  /** By the number of the bucket since 1970. */
  let buckets = new Map<number, number[]>();

  const emptyBucket = (): number[] => severities.map(() => 0);

  const change = (records: readonly LogRecord[], by: 1 | -1): void => {
    for (const { timestamp, severity } of records) {
      const number = Math.floor(Date.parse(timestamp) / step);
      const place = places.get(severity);
      if (Number.isNaN(number) || place === undefined) continue;
      let bucket = buckets.get(number);
      if (bucket === undefined) buckets.set(number, (bucket = emptyBucket()));
      bucket[place] = (bucket[place] ?? 0) + by;
    }
  };

  const recount = (records: readonly LogRecord[]): void => {
    buckets = new Map();
    change(records, 1);
  };

  return {
    count(records, range) {
      const span = range ?? extentOf(records);
      if (span === undefined || !(span.from <= span.to)) return undefined;
      const before = counted;
      counted = records;
      const count = step === 0 ? 0 : countOf(span, step);
      const isFit = count <= maxBuckets && count >= maxBuckets * leastShare;
      const wanted = isFit ? step : stepOf(span, maxBuckets);
      const difference = wanted === step ? differenceOf(before, records) : undefined;
      step = wanted;
      if (difference === undefined) recount(records);
      else {
        change(difference.gone, -1);
        for (const added of difference.added) change(added, 1);
      }
      const first = Math.floor(span.from / step);
      return {
        start: first * step,
        step,
        counts: Array.from({ length: countOf(span, step) }, (_, index) => [
          ...(buckets.get(first + index) ?? emptyBucket()),
        ]),
      };
    },
  };
}

interface Difference {
  /** At either end. */
  readonly added: readonly (readonly LogRecord[])[];
  readonly gone: readonly LogRecord[];
}

/**
 * What has come at the ends of a list, or gone from its beginning; undefined where it is another one.
 * Between what both have at their ends, lists are taken to be the same.
 */
function differenceOf(
  before: readonly LogRecord[],
  now: readonly LogRecord[],
): Difference | undefined {
  if (before === now) return { added: [], gone: [] };
  const [first] = before;
  const last = before.at(-1);
  const [oldest] = now;
  if (first === undefined || last === undefined || oldest === undefined) return undefined;
  const end = now.lastIndexOf(last);
  if (end === -1) return undefined;
  const newer = now.slice(end + 1);
  const start = now.indexOf(first);
  if (start !== -1) return { added: [now.slice(0, start), newer], gone: [] };
  const cut = before.indexOf(oldest);
  return cut === -1 ? undefined : { added: [newer], gone: before.slice(0, cut) };
}
