import * as v from 'valibot';
import { type Clock, second } from '../../base/clock';
import { listOf, maybe, readStored } from '../../base/storedValue';
import { asLogFilter, type LogFilter } from '../query/fields';
import type { TailPosition } from './tailState';

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

/** The longest time between two saves: records of that time may appear again after a crash. */
const saveEvery = 2 * second;

/**
 * Saves a state now and then: at once after a quiet time, then at most every two seconds, and only if it has changed.
 * One save after the other, so that the last state is the one that stays.
 */
export class TailSaver<State extends object> {
  private savedAt = Number.NEGATIVE_INFINITY;
  private saved = '';
  private cancel: (() => void) | undefined;
  private writing = Promise.resolve();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>,
    /** The state to save, plain JSON; undefined: nothing is to be saved now. */
    private readonly state: () => State | undefined,
    /** Never fails. */
    private readonly write: (state: State) => Promise<void>,
  ) {}

  /** The state may have changed. */
  schedule(): void {
    const wait = Math.max(0, this.savedAt + saveEvery - this.clock.monotonic());
    this.cancel ??= this.clock.setTimer(() => void this.save(), wait);
  }

  /** Saves the state of this moment. Resolves when it is stored. */
  save(): Promise<void> {
    this.dispose();
    this.savedAt = this.clock.monotonic();
    const state = this.state();
    const text = JSON.stringify(state);
    if (state !== undefined && text !== this.saved) {
      this.saved = text;
      this.writing = this.writing.then(() => this.write(state));
    }
    return this.writing;
  }

  dispose(): void {
    this.cancel?.();
    this.cancel = undefined;
  }
}
