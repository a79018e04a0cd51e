import type { LogFilter } from '../query/filter';
import type { Tail, TailListener, TailPosition, TailState } from './types';

/** A sliding mean of records per second. */
interface Rate {
  /** Counts records that have just arrived. */
  count(records: number): void;
  /** The mean over the last five seconds, or since the first count if that is less. */
  perSecond(): number;
}

/** Milliseconds per slot. */
const slotLength = 500;
/** Ten full slots make the window; one more is being filled. */
const slotCount = 11;

/**
 * A sliding mean in constant time and memory.
 *
 * @param monotonic the monotonic clock, in milliseconds.
 */
export function createRate(monotonic: () => number): Rate {
  /** Counts by slot number, the oldest first; at most `slotCount`. */
  const counts = new Map<number, number>();
  let sum = 0;
  let started: number | undefined;

  /** Drops the slots that have left the window and returns the current slot number. */
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
      // At least one second, or a single record would look like a thousand per second.
      return (sum * 1000) / Math.max(1000, Math.min(covered, now - started));
    },
  };
}

/** A tail with what its owner knows of it. */
export interface FollowedTail {
  /** The canonical filter as text. Tails with the same filter are one tail. */
  readonly key: string;
  /** The filter in words for the user. */
  readonly label: string;
  readonly tail: Tail;
  /** Records per second that arrived over the stream recently. */
  readonly rate: number;
}

/** The state that a reload of the window restores. Plain JSON. */
export interface SavedTail {
  readonly filter: LogFilter;
  readonly label: string;
  readonly paused: boolean;
  readonly position?: TailPosition | undefined;
}

interface TailManagerServices {
  readonly createTail: (
    filter: LogFilter,
    position: TailPosition | undefined,
    listener: TailListener,
  ) => Tail;
  /** The monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** A tail was added or removed, or its state changed. */
  readonly onDidChange: (followed: FollowedTail, previous: TailState | undefined) => void;
  readonly onDidReceive: () => void;
}

/** The tails of a window, in the order in which they were started. */
export interface TailManager {
  readonly all: readonly FollowedTail[];
  /** Follows a filter. A tail of the same filter continues, and starts again if it has ended. */
  follow(filter: LogFilter, label: string, position?: TailPosition): FollowedTail;
  /** Stops a tail and removes it. */
  remove(followed: FollowedTail): void;
  /** Measures the rate of what has arrived since the last call. History does not count. */
  measure(followed: FollowedTail): void;
  /**
   * Creates each tail again at its position, because the access has changed. Records that were not handed
   * on yet arrive again. Stopped tails do not start.
   */
  renew(): void;
  /**
   * The tails to restore later. Tails that were stopped, or failed for another reason than a missing key,
   * are left out.
   */
  save(): SavedTail[];
  /** Resumes the saved tails. */
  restore(saved: readonly SavedTail[]): void;
}

/** The key of a filter. It does not depend on the order of the members. */
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
          // A tail that was removed or created again may still be held by a menu.
          if (created !== tail || entries.get(key) !== entry) return;
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

/** Whether a tail has ended and needs a start to continue. */
export function hasEnded(state: TailState): boolean {
  return state.kind === 'stopped' || state.kind === 'failed';
}

function isSignedOut(state: TailState): boolean {
  return state.kind === 'failed' && state.why.kind === 'signedOut';
}
