import { day, hour, minute, second } from '../../api/clock';
import type { LogRecord, Severity } from '../../api/types';
import { type HistogramData, severities } from './panel/messages';
import type { ExplorerState } from './explorerState';

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

/** The bars of what is loaded: told of each change of the list, so that nothing is counted twice. */
interface LoadedHistogram {
  /** The list is another one. Oldest first. */
  replaced(records: readonly LogRecord[]): void;
  /** Records came at an end of the list, which is `now`, while as many of the oldest as `dropped` gave way. */
  added(records: readonly LogRecord[], dropped: number, now: readonly LogRecord[]): void;
  /** Undefined where there is nothing to draw. */
  draw(state: ExplorerState, timeZone: string): HistogramData | undefined;
}

/** As many bars as can be told apart in a narrow page. */
const mostBars = 120;

export function createLoadedHistogram(): LoadedHistogram {
  const counter = createTimeCounter(severities, mostBars);
  return {
    replaced: (records) => counter.replaced(records),
    added: (records, dropped, now) => counter.added(records, dropped, now),
    draw(state, timeZone) {
      const counted = counter.count(spanOf(state, counter.records));
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

/** Counts the records of a list that grows at its ends. */
interface TimeCounter {
  /** The list as it was told last, oldest first. */
  readonly records: readonly LogRecord[];
  /** As those of the histogram. */
  replaced(records: readonly LogRecord[]): void;
  added(records: readonly LogRecord[], dropped: number, now: readonly LogRecord[]): void;
  /**
   * Costs a look at all records only where the buckets have to have another length.
   *
   * @param range what to cover; all of the records where it is left out.
   * @returns nothing where there is no time to cover.
   */
  count(range?: Span): CountedTimes | undefined;
}

/** Buckets may be so much fewer than the most before they are made shorter: else they would flicker. */
const leastShare = 1 / 3;

/** @param maxBuckets at least 2. */
export function createTimeCounter(
  severities: readonly Severity[],
  maxBuckets: number,
): TimeCounter {
  const places = new Map(severities.map((severity, place) => [severity, place]));
  let records: readonly LogRecord[] = [];
  /** Zero while nothing is counted. */
  let step = 0;
  /** By the number of the bucket since 1970. */
  let buckets = new Map<number, number[]>();

  const emptyBucket = (): number[] => severities.map(() => 0);

  const change = (changed: readonly LogRecord[], by: 1 | -1): void => {
    if (step === 0) return;
    for (const { timestamp, severity } of changed) {
      const number = Math.floor(Date.parse(timestamp) / step);
      const place = places.get(severity);
      if (Number.isNaN(number) || place === undefined) continue;
      let bucket = buckets.get(number);
      if (bucket === undefined) buckets.set(number, (bucket = emptyBucket()));
      bucket[place] = (bucket[place] ?? 0) + by;
    }
  };

  const recount = (): void => {
    buckets = new Map();
    change(records, 1);
  };

  return {
    get records() {
      return records;
    },
    replaced(next) {
      records = next;
      recount();
    },
    added(added, dropped, now) {
      change(added, 1);
      change(records.slice(0, dropped), -1);
      records = now;
    },
    count(range) {
      const span = range ?? extentOf(records);
      if (span === undefined || !(span.from <= span.to)) return undefined;
      const count = step === 0 ? 0 : countOf(span, step);
      const isFit = count <= maxBuckets && count >= maxBuckets * leastShare;
      const wanted = isFit ? step : stepOf(span, maxBuckets);
      if (wanted !== step) {
        step = wanted;
        recount();
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
