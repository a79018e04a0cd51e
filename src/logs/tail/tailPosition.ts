import * as v from 'valibot';
import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { listOf, maybe, readStored } from '../../connection/readStored';
import { asLogFilter, type LogFilter } from '../query/filter';
import type { SavedTail } from './tails';
import type { Arrival } from './buffer';
import type { TailPosition } from './types';

/** What a position needs of a record. */
export type PassedRecord = Pick<LogRecord, 'eventId'>;

/** As many as a tail remembers, so that a position cannot grow beyond that. */
const maxIds = 10_000;
/** One page of the contract, because a server may resume slightly before the cursor. */
const idsBeforeCursor = 500;

/** Tracks what was handed on, so that a later start can resume there. */
interface PositionKeeper {
  readonly value: TailPosition | undefined;
  readonly since: string | undefined;
  /** The first history has come, and nothing was handed on. No effect on a known position. */
  begin(history: Pick<Arrival, 'after' | 'historyUntil' | 'since'>): void;
  /** These records of the arrival after the cursor were handed on. */
  pass(records: readonly PassedRecord[]): void;
  /** All records of the arrival were handed on or dropped. */
  moveTo(cursor: StreamCursor): void;
}

export function createPositionKeeper(start: TailPosition | undefined): PositionKeeper {
  let place = start && placeOf(start);
  /** Ids from before the cursor: the last ones count. */
  let ids = [...(start?.seen ?? [])];
  let since = start?.since;
  let passed: (readonly PassedRecord[])[] = [];
  return {
    get value() {
      if (place === undefined) return undefined;
      const arrived = passed.flatMap((records) => records.map(({ eventId }) => eventId));
      const seen = [...ids.slice(-idsBeforeCursor), ...arrived].slice(-maxIds);
      return { ...place, ...(since === undefined ? {} : { since }), seen };
    },
    get since() {
      return since;
    },
    begin({ after, historyUntil, since: start }) {
      if (start === undefined || place !== undefined) return;
      since = start;
      const { from, to } = after.filters;
      if (historyUntil !== undefined) place = { from, to, cursor: after.text, historyUntil };
    },
    pass(records) {
      if (records.length > 0) passed.push(records);
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

type Place = Omit<TailPosition, 'since' | 'seen'>;

function placeOf({ from, to, cursor, historyUntil }: Place): Place {
  return historyUntil === undefined ? { from, to, cursor } : { from, to, cursor, historyUntil };
}

const position = v.object({
  from: v.string(),
  to: v.string(),
  cursor: v.string(),
  historyUntil: v.optional(v.string()),
  since: v.optional(v.string()),
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
