import type { LogRecord } from '../../src/api/types';
import { Emitter } from '../../src/base/event';

/**
 * The log records, in order of arrival. The number of a record is the count of records before it
 * and never changes; the oldest are dropped beyond the limit.
 */
export class RecordStore {
  private records: LogRecord[] = [];
  private times: number[] = [];
  /** The latest timestamp up to each record: sorted, even if records arrive late. */
  private latest: number[] = [];
  /** The most milliseconds by which a record was older than one before it. */
  private lateness = 0;
  private readonly appended = new Emitter<void>();
  readonly onDidAppend = this.appended.event;
  /** The number of the oldest record that is kept. */
  first = 0;

  constructor(private readonly maxRecords: number) {}

  /** The number of the next record. */
  get end(): number {
    return this.first + this.records.length;
  }

  append(added: readonly LogRecord[]): void {
    let newest = this.latest.at(-1) ?? -Infinity;
    for (const record of added) {
      const time = Date.parse(record.timestamp);
      if (time > newest) newest = time;
      else this.lateness = Math.max(this.lateness, newest - time);
      this.records.push(record);
      this.times.push(time);
      this.latest.push(newest);
    }
    // A tenth at a time, since removing the front of an array moves all that follows.
    if (this.records.length > this.maxRecords * 1.1) {
      const dropped = this.records.length - this.maxRecords;
      this.records = this.records.slice(dropped);
      this.times = this.times.slice(dropped);
      this.latest = this.latest.slice(dropped);
      this.first += dropped;
    }
    if (added.length > 0) this.appended.fire();
  }

  at(number: number): LogRecord {
    return this.records[number - this.first]!;
  }

  all(): LogRecord[] {
    return [...this.records];
  }

  /** The timestamp of the record in milliseconds. */
  timeAt(number: number): number {
    return this.times[number - this.first]!;
  }

  /**
   * The numbers, from (inclusive) and to (exclusive), that include every record of this time range.
   */
  between(from: number, to: number): [number, number] {
    return [this.first + this.indexOf(from), this.first + this.indexOf(to + this.lateness + 1)];
  }

  /** The index of the first entry of `latest` that is at least `time`. */
  private indexOf(time: number): number {
    let low = 0;
    let high = this.latest.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.latest[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
