import type { LogRecord } from '../../src/api/types';

/**
 * The log records, in the order in which they came. A record's number says how many came before it
 * and never changes; the oldest are dropped beyond the bound.
 */
export interface RecordStore {
  /** The number of the oldest record that is still there. */
  readonly first: number;
  /** The number that the next record will get. */
  readonly end: number;
  append(records: readonly LogRecord[]): void;
  at(number: number): LogRecord;
  /** The record's timestamp in milliseconds. */
  timeAt(number: number): number;
  /** The numbers, from and to below, between which every record of this range of time lies. */
  between(from: number, to: number): [number, number];
  onDidAppend(listener: () => void): () => void;
}

export function createRecordStore(maxRecords: number): RecordStore {
  let records: LogRecord[] = [];
  let times: number[] = [];
  /** The latest timestamp up to each record: grows, so it can be searched though records come late. */
  let latest: number[] = [];
  let first = 0;
  /** By how much a record was ever older than one before it. */
  let lateness = 0;
  const listeners = new Set<() => void>();

  /** The index of the first entry of `latest` that is at least `time`. */
  function indexOf(time: number): number {
    let low = 0;
    let high = latest.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (latest[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get first() {
      return first;
    },
    get end() {
      return first + records.length;
    },
    append(added) {
      let newest = latest.at(-1) ?? -Infinity;
      for (const record of added) {
        const time = Date.parse(record.timestamp);
        if (time > newest) newest = time;
        else lateness = Math.max(lateness, newest - time);
        records.push(record);
        times.push(time);
        latest.push(newest);
      }
      // A tenth at a time, since cutting the front of an array moves all that is behind it.
      if (records.length > maxRecords * 1.1) {
        const dropped = records.length - maxRecords;
        records = records.slice(dropped);
        times = times.slice(dropped);
        latest = latest.slice(dropped);
        first += dropped;
      }
      if (added.length > 0) [...listeners].forEach((listener) => listener());
    },
    at: (number) => records[number - first]!,
    timeAt: (number) => times[number - first]!,
    between: (from, to) => [first + indexOf(from), first + indexOf(to + lateness + 1)],
    onDidAppend(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
