import type { LogRecord } from '../../api/types';
import { recordSize } from '../record/recordSize';

/** Records that were loaded bit by bit from both ends: each once, in the server's order. */
export interface RecordList {
  /** Oldest first. Another array after each change. */
  readonly records: readonly LogRecord[];
  /** What they hold in memory, about. */
  readonly bytes: number;
  has(eventId: string): boolean;
  /** Adds records, oldest first, before the oldest. Answers with those that were new. */
  addOlder(records: readonly LogRecord[]): readonly LogRecord[];
  /** Adds records, oldest first, behind the newest. Answers with those that were new. */
  addNewer(records: readonly LogRecord[]): readonly LogRecord[];
  /** Forgets the oldest that are more than these bounds allow. Answers with how many those were. */
  keepNewest(most: ListBounds): number;
  clear(): void;
}

export interface ListBounds {
  readonly records: number;
  /** By an estimate. */
  readonly bytes: number;
}

export function createRecordList(): RecordList {
  let records: readonly LogRecord[] = [];
  let bytes = 0;
  const ids = new Set<string>();

  function takeNew(added: readonly LogRecord[]): readonly LogRecord[] {
    return added.filter((record) => {
      const { eventId } = record;
      if (ids.has(eventId)) return false;
      ids.add(eventId);
      bytes += recordSize(record);
      return true;
    });
  }

  return {
    get records() {
      return records;
    },
    get bytes() {
      return bytes;
    },
    has: (eventId) => ids.has(eventId),
    addOlder(added) {
      const taken = takeNew(added);
      if (taken.length > 0) records = taken.concat(records);
      return taken;
    },
    addNewer(added) {
      const taken = takeNew(added);
      if (taken.length > 0) records = records.concat(taken);
      return taken;
    },
    keepNewest(most) {
      let left = 0;
      for (const record of records) {
        const isWithin = records.length - left <= most.records && bytes <= most.bytes;
        // One record stays, however large: it is what somebody is waiting for.
        if (isWithin || left === records.length - 1) break;
        bytes -= recordSize(record);
        ids.delete(record.eventId);
        left++;
      }
      if (left > 0) records = records.slice(left);
      return left;
    },
    clear() {
      records = [];
      bytes = 0;
      ids.clear();
    },
  };
}
