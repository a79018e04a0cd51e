import type { LogRecord } from '../../api/types';
import { day, hour, minute, second } from '../../api/units';

/** From one time to another, both in milliseconds since 1970. */
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
