import type { Direction, PageCursor } from '../../api/cursors';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogQueryResponse, LogRecord } from '../../api/types';
import { recordSize } from '../record/recordSize';

/** Records that were loaded bit by bit from both ends: each once, in the server's order. */
interface RecordBuffer {
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
  keepNewest(most: BufferBounds): number;
  clear(): void;
}

interface BufferBounds {
  readonly records: number;
  /** By an estimate. */
  readonly bytes: number;
}

export function createRecordBuffer(): RecordBuffer {
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

/** Where a search stands. */
export interface SearchState {
  readonly older: PageCursor | undefined;
  /** Undefined where what is newer has to be asked for by time. */
  readonly newer: PageCursor | undefined;
  /** Whether there was nothing newer when it was asked for last. */
  readonly isAtNewest: boolean;
  readonly accessRevision: string;
  readonly localization: LogQueryResponse['localization'];
  readonly reachedStart: boolean;
  readonly partial: boolean;
}

/** What is known after a load, from what was known before it. */
export function nextState(
  before: SearchState | undefined,
  { next, accessRevision, localization, end, partial }: FetchedPages,
  direction: Direction,
): SearchState {
  const state = { accessRevision, localization, partial: partial || before?.partial === true };
  if (before === undefined || direction === 'older') {
    return {
      ...state,
      older: next,
      newer: before?.newer,
      isAtNewest: before?.isAtNewest ?? true,
      reachedStart: end === 'end',
    };
  }
  const { older, reachedStart } = before;
  return { ...state, older, newer: next, isAtNewest: end === 'end', reachedStart };
}
