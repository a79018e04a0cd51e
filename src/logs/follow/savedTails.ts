import { isObject } from '../../api/jsonObject';
import { asLogFilter, type LogFilter } from '../query/filter';
import type { SavedTail } from './tailManager';
import type { TailPosition } from './types';

/** The tails of one connection as they were kept for the next start. */
export interface SavedTails {
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
