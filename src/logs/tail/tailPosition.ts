import * as v from 'valibot';
import type { StreamCursor } from '../../api/cursors';
import { listOf, maybe, readStored } from '../../connection/readStored';
import { asLogFilter, type LogFilter } from '../query/filter';
import type { SavedTail } from './tails';
import type { TailPosition } from './types';

/** The parts of a record that a position needs. */
export interface PassedRecord {
  readonly eventId: string;
  readonly timestamp: string;
}

/** As many as a tail remembers, so that a position cannot grow beyond that. */
const maxIds = 10_000;
/** One page of the contract, because a server may resume slightly before the cursor. */
const idsBeforeCursor = 500;

/** Tracks what was handed on, so that a later start can resume there. */
interface PositionKeeper {
  readonly value: TailPosition | undefined;
  /** The history before this cursor has come, and nothing was handed on. No effect on a known position. */
  begin(cursor: StreamCursor, historyUntil: string): void;
  /** These records of the arrival after the cursor were handed on. */
  pass(records: readonly PassedRecord[]): void;
  /** All records of the arrival were handed on or dropped. */
  moveTo(cursor: StreamCursor): void;
}

export function createPositionKeeper(start: TailPosition | undefined): PositionKeeper {
  let place = start && placeOf(start);
  let lastTimestamp = start?.lastTimestamp;
  /** Ids from before the cursor: the last ones count. */
  let ids = [...(start?.seen ?? [])];
  let passed: (readonly PassedRecord[])[] = [];
  return {
    get value() {
      if (place === undefined) return undefined;
      const arrived = passed.flatMap((records) => records.map(({ eventId }) => eventId));
      const seen = [...ids.slice(-idsBeforeCursor), ...arrived].slice(-maxIds);
      return { ...place, lastTimestamp, seen };
    },
    begin({ filters: { from, to }, text: cursor }, historyUntil) {
      place ??= { from, to, cursor, historyUntil };
    },
    pass(records) {
      const last = records.at(-1);
      if (last === undefined) return;
      passed.push(records);
      lastTimestamp = last.timestamp;
    },
    moveTo({ filters: { from, to }, text: cursor }) {
      place = { from, to, cursor };
      if (passed.length === 0) return;
      // Loops, because this runs for each arrival.
      for (const records of passed) for (const { eventId } of records) ids.push(eventId);
      passed = [];
      // Not for each arrival, because one may have a single record.
      if (ids.length > 2 * idsBeforeCursor) ids = ids.slice(-idsBeforeCursor);
    },
  };
}

type Place = Omit<TailPosition, 'lastTimestamp' | 'seen'>;

function placeOf({ from, to, cursor, historyUntil }: Place): Place {
  return historyUntil === undefined ? { from, to, cursor } : { from, to, cursor, historyUntil };
}

const position = v.object({
  from: v.string(),
  to: v.string(),
  cursor: v.string(),
  historyUntil: v.optional(v.string()),
  lastTimestamp: v.optional(v.string()),
  seen: v.array(v.string()),
});

const filter = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }): LogFilter => {
    try {
      return asLogFilter(dataset.value);
    } catch {
      addIssue();
      return NEVER;
    }
  }),
);

/**
 * The tails of one connection as saved for the next start. Those with an invalid filter are left out. An
 * incomplete position is dropped, so that its tail starts from the beginning.
 */
const savedTails = v.object({
  /** Positions are valid only for its server. */
  connection: v.string(),
  tails: listOf(
    v.object({
      filter,
      label: v.string(),
      paused: v.fallback(v.boolean(), false),
      position: maybe(position),
    }),
  ),
});

/** Reads saved tails, which an earlier version may have written. */
export function readSavedTails(
  value: unknown,
): { connection: string; tails: readonly SavedTail[] } | undefined {
  return readStored(savedTails, value);
}
