import type { StreamCursor } from '../../api/cursors';
import { isObject } from '../../api/lenient';
import { asLogFilter, type LogFilter } from '../query/filter';
import type { SavedTail } from './tailManager';
import type { TailPosition } from './types';

/** The range of time that a follow's filters ask for; one as long as its cursors live. */
export interface LogWindow {
  /** ISO UTC. */
  readonly from: string;
  /** ISO UTC. */
  readonly to: string;
}

/** What a position has to know of a record. */
export interface PassedRecord {
  readonly eventId: string;
  readonly timestamp: string;
}

/** As many as a tail remembers, so that a position never outgrows it. */
const maxIds = 10_000;
/** A page of the contract's size: a server may go on from a little before the cursor. */
const leastIds = 500;

/** Follows what is handed on, to say where a later start goes on. */
export interface PositionKeeper {
  readonly value: TailPosition | undefined;
  /** These records of the arrival that is next behind the cursor were handed on. */
  pass(records: readonly PassedRecord[]): void;
  /** All of the arrival was handed on, or gave way. */
  moveTo(cursor: StreamCursor): void;
}

export function createPositionKeeper(start: TailPosition | undefined): PositionKeeper {
  let place = start && { from: start.from, to: start.to, cursor: start.cursor };
  let lastTimestamp = start?.lastTimestamp;
  /** Of what is before the cursor, the last `kept` at least. */
  let ids = [...(start?.seen ?? [])];
  /** The arrival before the cursor may come again as a whole. */
  let kept = ids.length;
  let passed: (readonly PassedRecord[])[] = [];
  const idsOfPassed = (): string[] => passed.flatMap((records) => records.map(idOf));
  return {
    get value() {
      if (place === undefined) return undefined;
      const seen = [...ids.slice(-kept), ...idsOfPassed()].slice(-maxIds);
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
      const arrived = idsOfPassed();
      passed = [];
      kept = Math.max(leastIds, arrived.length);
      for (const id of arrived) ids.push(id);
      // Not at each arrival, which may be a single record.
      if (ids.length > 2 * kept) ids = ids.slice(-kept);
    },
  };
}

function idOf({ eventId }: PassedRecord): string {
  return eventId;
}

/** The tails of one connection as they were kept for the next start. */
interface SavedTails {
  /** Which connection they belong to: positions of another server mean nothing here. */
  readonly connection: string;
  readonly tails: readonly SavedTail[];
}

/**
 * Reads what an earlier version or a broken store may have written. Tails whose filter the contract
 * does not allow are left out; a position that is not whole is dropped, so its tail starts anew.
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
