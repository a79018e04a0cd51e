import type { StreamCursor } from '../../api/cursors';
import { isObject } from '../../api/readLenient';
import { asLogFilter, type LogFilter } from '../query/filter';
import type { SavedTail } from './tailManager';
import type { TailPosition } from './types';

/** The parts of a record that a position needs. */
export interface PassedRecord {
  readonly eventId: string;
  readonly timestamp: string;
}

/** As many as a tail remembers, so that a position cannot grow beyond that. */
const maxIds = 10_000;
/** One page of the contract, because a server may resume slightly before the cursor. */
const leastIds = 500;

/** Tracks what was handed on, so that a later start can resume there. */
interface PositionKeeper {
  readonly value: TailPosition | undefined;
  /** These records of the arrival after the cursor were handed on. */
  pass(records: readonly PassedRecord[]): void;
  /** All records of the arrival were handed on or dropped. */
  moveTo(cursor: StreamCursor): void;
}

export function createPositionKeeper(start: TailPosition | undefined): PositionKeeper {
  let place = start && { from: start.from, to: start.to, cursor: start.cursor };
  let lastTimestamp = start?.lastTimestamp;
  /** Ids from before the cursor: at least the last `kept` ones. */
  let ids = [...(start?.seen ?? [])];
  /** As many as the last arrival had, because all of it may arrive again. */
  let kept = ids.length;
  let passed: (readonly PassedRecord[])[] = [];
  return {
    get value() {
      if (place === undefined) return undefined;
      const arrived = passed.flatMap((records) => records.map(({ eventId }) => eventId));
      const seen = [...ids.slice(-kept), ...arrived].slice(-maxIds);
      return { ...place, lastTimestamp, seen };
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
      const before = ids.length;
      // Loops, because this runs for each arrival.
      for (const records of passed) for (const { eventId } of records) ids.push(eventId);
      passed = [];
      kept = Math.max(leastIds, ids.length - before);
      // Not for each arrival, because one may have a single record.
      if (ids.length > 2 * kept) ids = ids.slice(-kept);
    },
  };
}

/** The tails of one connection as saved for the next start. */
interface SavedTails {
  /** The connection. Positions are valid only for its server. */
  readonly connection: string;
  readonly tails: readonly SavedTail[];
}

/**
 * Reads saved tails, which an earlier version may have written. Tails with an invalid filter are left
 * out. An incomplete position is dropped, so that its tail starts from the beginning.
 */
export function readSavedTails(value: unknown): SavedTails | undefined {
  if (!isObject(value)) return undefined;
  const { connection, tails } = value;
  if (typeof connection !== 'string' || !Array.isArray(tails)) return undefined;
  return {
    connection,
    tails: (tails as unknown[]).map(readTail).filter((tail) => tail !== undefined),
  };
}

function readTail(value: unknown): SavedTail | undefined {
  if (!isObject(value)) return undefined;
  const { filter, label, paused, position } = value;
  const readable = readFilter(filter);
  if (readable === undefined || typeof label !== 'string') return undefined;
  return { filter: readable, label, paused: paused === true, position: readPosition(position) };
}

function readFilter(value: unknown): LogFilter | undefined {
  try {
    return asLogFilter(value);
  } catch {
    return undefined;
  }
}

function readPosition(value: unknown): TailPosition | undefined {
  if (!isObject(value)) return undefined;
  const { from, to, cursor, lastTimestamp, seen } = value;
  const whole =
    typeof from === 'string' &&
    typeof to === 'string' &&
    typeof cursor === 'string' &&
    (lastTimestamp === undefined || typeof lastTimestamp === 'string') &&
    Array.isArray(seen) &&
    seen.every((id) => typeof id === 'string');
  return whole ? { from, to, cursor, lastTimestamp, seen } : undefined;
}
