import * as v from 'valibot';
import { listOf, maybe, readStored } from '../../base/storedValue';
import { asLogFilter, type LogFilter } from '../query/filter';
import type { TailPosition } from './types';

/** What a reload of the window restores of a tail. Plain JSON. */
export interface SavedTail {
  readonly filter: LogFilter;
  readonly label: string;
  readonly paused: boolean;
  readonly ownChannel: boolean;
  readonly position?: TailPosition | undefined;
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
      ownChannel: v.fallback(v.boolean(), false),
      position: maybe(position),
    }),
  ),
});

/** The tails of a connection, by its id. */
export interface SavedTails {
  readonly connection: string;
  readonly tails: readonly SavedTail[];
}

/** Reads saved tails, which an earlier version may have written. */
export function readSavedTails(value: unknown): SavedTails | undefined {
  return readStored(savedTails, value);
}
