import type { LogFilter } from '../query/filter';
import type { Tail, TailListener, TailPosition, TailState } from './types';

/** Records per second, lately. */
interface Rate {
  /** Counts what has come now. */
  count(records: number): void;
  /** The mean of the last five seconds, or of the time since the first count while that is less. */
  perSecond(): number;
}

/** Milliseconds that one slot stands for. */
const slotLength = 500;
/** Ten full slots make the window, and one is being filled. */
const slotCount = 11;

/**
 * A sliding mean in constant time and memory.
 *
 * @param monotonic milliseconds that only ever grow.
 */
export function createRate(monotonic: () => number): Rate {
  /** Counts by the number of their slot, the oldest first: never more than `slotCount`. */
  const counts = new Map<number, number>();
  let sum = 0;
  let started: number | undefined;

  /** The slot of a moment, once what the window has left behind is forgotten. */
  function moveTo(now: number): number {
    const current = Math.floor(now / slotLength);
    for (const [slot, count] of counts) {
      if (slot > current - slotCount) break;
      counts.delete(slot);
      sum -= count;
    }
    return current;
  }

  return {
    count(records) {
      const now = monotonic();
      const slot = moveTo(now);
      started ??= now;
      counts.set(slot, (counts.get(slot) ?? 0) + records);
      sum += records;
    },
    perSecond() {
      const now = monotonic();
      moveTo(now);
      if (started === undefined) return 0;
      const covered = (slotCount - 1) * slotLength + (now % slotLength);
      // Not less than a second, or the first record alone would look like a thousand a second.
      return (sum * 1000) / Math.max(1000, Math.min(covered, now - started));
    },
  };
}

/** A tail and what its owner knows of it. */
export interface FollowedTail {
  /** What it follows, as one text: two tails of the same filter are one. */
  readonly key: string;
  /** What it follows, in words for people. */
  readonly label: string;
  readonly tail: Tail;
  /** Records per second that came over the stream lately. */
  readonly rate: number;
}

/** What survives a reload of the window. Plain JSON. */
export interface SavedTail {
  readonly filter: LogFilter;
  readonly label: string;
  readonly paused: boolean;
  readonly position: TailPosition | undefined;
}

export interface TailManagerServices {
  readonly createTail: (
    filter: LogFilter,
    position: TailPosition | undefined,
    listener: TailListener,
  ) => Tail;
  /** Milliseconds on a monotonic axis. */
  readonly monotonic: () => number;
  /** A tail came, went or changed its state. */
  readonly onDidChange: (followed: FollowedTail, previous: TailState | undefined) => void;
  readonly onDidReceive: () => void;
}

/** The tails of a window, in the order in which they were started. */
export interface TailManager {
  readonly all: readonly FollowedTail[];
  /** Follows a filter; a tail of the same filter goes on, started again where it had ended. */
  follow(filter: LogFilter, label: string, position?: TailPosition): FollowedTail;
  /** Stops a tail and forgets it. */
  remove(followed: FollowedTail): void;
  /** Counts what has come since the last call, for the rate. History is none of it. */
  measure(followed: FollowedTail): void;
  /**
   * Makes each tail anew, from where it stands, as where who asks is another one: what it had not
   * handed on comes again. Only those that were stopped do not start.
   */
  renew(): void;
  /** What to keep for the next start; not what was stopped, or failed for more than want of a key. */
  save(): SavedTail[];
  /** Goes on with what was kept. */
  restore(saved: readonly SavedTail[]): void;
}

/** The key of a filter: the same for filters that ask the same in another order of members. */
export function filterKey(filter: LogFilter): string {
  return JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Entry extends FollowedTail {
  readonly measure: () => void;
  readonly renew: () => void;
}

export function createTailManager(services: TailManagerServices): TailManager {
  const entries = new Map<string, Entry>();

  const add = (filter: LogFilter, label: string, position: TailPosition | undefined): Entry => {
    const key = filterKey(filter);
    const shown = createRate(services.monotonic);
    let counted = 0;
    let previous: TailState | undefined;
    const create = (from: TailPosition | undefined): Tail => {
      const created = services.createTail(filter, from, {
        onDidChangeState(state) {
          if (created !== tail) return;
          services.onDidChange(entry, previous);
          previous = state;
        },
        onDidReceive() {
          if (created === tail) services.onDidReceive();
        },
      });
      return created;
    };
    let tail = create(position);
    const entry: Entry = {
      key,
      label,
      get tail() {
        return tail;
      },
      renew() {
        const old = tail;
        const { state } = old;
        tail = create(old.position);
        counted = 0;
        old.stop();
        if (state.kind !== 'stopped') tail.start();
        if (state.kind === 'paused') tail.pause();
      },
      measure() {
        const { streamed } = tail.counters;
        shown.count(streamed - counted);
        counted = streamed;
      },
      get rate() {
        return shown.perSecond();
      },
    };
    entries.set(key, entry);
    return entry;
  };

  const follow = (filter: LogFilter, label: string, position?: TailPosition): Entry => {
    const known = entries.get(filterKey(filter));
    if (known?.tail.state.kind === 'paused') known.tail.resume();
    const entry = known ?? add(filter, label, position);
    entry.tail.start();
    return entry;
  };

  return {
    get all() {
      return [...entries.values()];
    },
    follow,
    remove(followed) {
      if (!entries.delete(followed.key)) return;
      followed.tail.stop();
      services.onDidChange(followed, followed.tail.state);
    },
    measure(followed) {
      entries.get(followed.key)?.measure();
    },
    renew: () => entries.forEach(({ renew }) => renew()),
    save: () =>
      [...entries.values()]
        .filter(({ tail }) => !hasEnded(tail.state) || isSignedOut(tail.state))
        .map(({ label, tail }) => ({
          filter: tail.filter,
          label,
          paused: tail.state.kind === 'paused',
          position: tail.position,
        })),
    restore(saved) {
      for (const { filter, label, paused, position } of saved) {
        const { tail } = follow(filter, label, position);
        if (paused) tail.pause();
      }
    },
  };
}

/** Whether a tail came to an end and must be started to go on. */
export function hasEnded(state: TailState): boolean {
  return state.kind === 'stopped' || state.kind === 'failed';
}

function isSignedOut(state: TailState): boolean {
  return state.kind === 'failed' && state.why.kind === 'signedOut';
}
