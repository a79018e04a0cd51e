import type { LogRecord } from '../../api/types';

/** Records that were loaded bit by bit from both ends: each once, in the server's order. */
export interface RecordList {
  /** Oldest first. Another array after each change. */
  readonly records: readonly LogRecord[];
  /** Adds records, oldest first, before the oldest. Answers with those that were new. */
  addOlder(records: readonly LogRecord[]): readonly LogRecord[];
  /** Adds records, oldest first, behind the newest. Answers with those that were new. */
  addNewer(records: readonly LogRecord[]): readonly LogRecord[];
  /** Forgets the oldest, so that at most so many are left. Answers with how many those were. */
  keepNewest(count: number): number;
  clear(): void;
}

export function createRecordList(): RecordList {
  let records: readonly LogRecord[] = [];
  const ids = new Set<string>();

  function takeNew(added: readonly LogRecord[]): readonly LogRecord[] {
    return added.filter(({ eventId }) => {
      const isNew = !ids.has(eventId);
      ids.add(eventId);
      return isNew;
    });
  }

  return {
    get records() {
      return records;
    },
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
    keepNewest(count) {
      const left = Math.max(0, records.length - count);
      for (const { eventId } of records.slice(0, left)) ids.delete(eventId);
      if (left > 0) records = records.slice(left);
      return left;
    },
    clear() {
      records = [];
      ids.clear();
    },
  };
}
