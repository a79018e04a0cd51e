import type { Direction, PageCursor } from '../../api/cursors';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogQueryResponse, LogRecord } from '../../api/types';
import { recordSize } from '../record/recordSize';

/** Records that are loaded from both ends: each once, in the server's order. */
interface RecordBuffer {
  /** Oldest first. Changes in place, since a copy for each event of a stream would be slow. */
  readonly records: readonly LogRecord[];
  /** Their estimated size in memory. */
  readonly bytes: number;
  has(eventId: string): boolean;
  /** Adds records, oldest first, before the oldest. Returns the new ones. */
  addOlder(records: readonly LogRecord[]): readonly LogRecord[];
  /** Adds records, oldest first, after the newest. Returns the new ones. */
  addNewer(records: readonly LogRecord[]): readonly LogRecord[];
  /** Removes the oldest records beyond these limits, and returns them. */
  keepNewest(most: BufferBounds): readonly LogRecord[];
  clear(): void;
}

interface BufferBounds {
  readonly records: number;
  /** Estimated. */
  readonly bytes: number;
}

export function createRecordBuffer(): RecordBuffer {
  let records: LogRecord[] = [];
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
      for (const record of taken) records.push(record);
      return taken;
    },
    keepNewest(most) {
      let left = 0;
      for (const record of records) {
        const isWithin = records.length - left <= most.records && bytes <= most.bytes;
        // The newest record stays, however large.
        if (isWithin || left === records.length - 1) break;
        bytes -= recordSize(record);
        ids.delete(record.eventId);
        left++;
      }
      return left > 0 ? records.splice(0, left) : [];
    },
    clear() {
      records = [];
      bytes = 0;
      ids.clear();
    },
  };
}

/** The position of a search, after its first page. */
export interface SearchState {
  /** The cursors of the next pages. Without one, records are requested by time. */
  readonly older: PageCursor | undefined;
  readonly newer: PageCursor | undefined;
  /** Why the last load at each end ended: `end` means that everything in the range is loaded there. */
  readonly ends: Readonly<Record<Direction, FetchedPages['end'] | undefined>>;
  /** Identifies the permissions that the records were read with. */
  readonly accessRevision: string;
  readonly localization: LogQueryResponse['localization'];

  /** Whether the server left out records. */
  readonly partial: boolean;
}

/** The state after a load. */
export function nextState(
  before: SearchState | undefined,
  { next, accessRevision, localization, end, partial }: FetchedPages,
  direction: Direction,
): SearchState {
  const state = { accessRevision, localization, partial: partial || before?.partial === true };
  if (before === undefined || direction === 'older') {
    const newerEnd = before === undefined ? 'end' : before.ends.newer;
    return {
      ...state,
      older: next,
      newer: before?.newer,
      ends: { older: end, newer: newerEnd },
    };
  }
  return { ...state, older: before.older, newer: next, ends: { ...before.ends, newer: end } };
}
