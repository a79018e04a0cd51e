import type { LogRecord } from '../../src/api/types';

/**
 * The log records, in order of arrival. The number of a record is the count of records before it
 * and never changes; the oldest are dropped beyond the limit.
 */
export interface RecordStore {
  /** The number of the oldest record that is kept. */
  readonly first: number;
  /** The number of the next record. */
  readonly end: number;
  append(records: readonly LogRecord[]): void;
  at(number: number): LogRecord;
  /** The timestamp of the record in milliseconds. */
  timeAt(number: number): number;
  /**
   * The numbers, from (inclusive) and to (exclusive), that include every record of this time range.
   */
  between(from: number, to: number): [number, number];
  onDidAppend(listener: () => void): () => void;
}

export function createRecordStore(maxRecords: number): RecordStore {
  let records: LogRecord[] = [];
  let times: number[] = [];
  /**
   * The latest timestamp up to each record: sorted, so it can be searched even if records arrive
   * late.
   */
  let latest: number[] = [];
  let first = 0;
  /** The most milliseconds by which a record was older than one before it. */
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
      // A tenth at a time, since removing the front of an array moves all that follows.
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
