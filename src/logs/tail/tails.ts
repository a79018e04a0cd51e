import { type Clock, second } from '../../base/clock';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { SeenIds } from '../record/seenIds';
import type { Tail, TailListener, TailOutput, TailPosition, TailState } from './types';

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

/** The key of a filter. It does not depend on the order of the members. */
export function filterKey(filter: LogFilter): string {
  return JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a tail has handed on. */
export interface TakenFromTail {
  readonly followed: FollowedTail;
  /** In order; without the records that another tail has handed on. */
  readonly outputs: readonly TailOutput[];
}

interface TailsOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>;
  readonly createTail: (
    filter: LogFilter,
    position: TailPosition | undefined,
    listener: TailListener,
  ) => Tail;
  /** The most records that are on screen, and must not appear a second time. */
  readonly shownAtMost: () => number;
  /** A tail was added or removed, or its state changed. */
  readonly onDidChange: (followed: FollowedTail, previous: TailState | undefined) => void;
  /** There may be something to take. */
  readonly onDidReceive: () => void;
  /** A countdown or a rate has changed, because time has passed. */
  readonly onDidTick: () => void;
}

/** How many records are known at least, because a server may send them again. */
const leastRemembered = 10_000;
/** Milliseconds between two looks at a rate that falls. */
const rateEvery = second;

/** The tails of a window, in the order in which they were started. A record of several is handed on once. */
export class Tails {
  private readonly entries = new Map<string, Entry>();
  private shown = this.noneShown();
  private remembered = leastRemembered;
  /** The tail that had its turn last. */
  private last: Entry | undefined;
  private tick: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(private readonly options: TailsOptions) {}

  get all(): readonly FollowedTail[] {
    return [...this.entries.values()];
  }

  /** Follows a filter. A tail of the same filter continues, and starts again if it has ended. */
  follow(filter: LogFilter, label: string, position?: TailPosition): FollowedTail {
    const key = filterKey(filter);
    const known = this.entries.get(key);
    if (known?.tail.state.kind === 'paused') known.tail.resume();
    const entry = known ?? this.add(key, filter, label, position);
    entry.tail.start();
    return entry;
  }

  /** Stops a tail and removes it. */
  remove(followed: FollowedTail): void {
    if (!this.entries.delete(followed.key)) return;
    followed.tail.stop();
    this.options.onDidChange(followed, followed.tail.state);
    this.scheduleTick();
  }

  /**
   * What the next tail has, at most `maxRecords` records; undefined if none has anything. The tails take
   * turns, so that a busy one does not hold back the others.
   */
  take(maxRecords: number): TakenFromTail | undefined {
    this.remembered = Math.max(leastRemembered, this.options.shownAtMost());
    const all = [...this.entries.values()];
    const next = this.last === undefined ? 0 : all.indexOf(this.last) + 1;
    for (const entry of [...all.slice(next), ...all.slice(0, next)]) {
      const outputs = entry.tail.take(maxRecords);
      if (outputs.length === 0) continue;
      this.last = entry;
      entry.measure();
      this.scheduleTick();
      return { followed: entry, outputs: outputs.map((output) => this.withoutShown(output)) };
    }
    return undefined;
  }

  /**
   * Creates each tail again at its position, because the access has changed. Records that were not handed
   * on yet arrive again. Stopped tails do not start.
   */
  renew(): void {
    this.shown = this.noneShown();
    for (const entry of this.entries.values()) entry.renew();
  }

  /**
   * The tails to restore later. Tails that were stopped, or failed for another reason than a missing key,
   * are left out.
   */
  save(): SavedTail[] {
    return this.all
      .filter(({ tail }) => !hasEnded(tail.state) || isSignedOut(tail.state))
      .map(({ label, tail }) => ({
        filter: tail.filter,
        label,
        paused: tail.state.kind === 'paused',
        position: tail.position,
      }));
  }

  /** Resumes the saved tails. */
  restore(saved: readonly SavedTail[]): void {
    for (const { filter, label, paused, position } of saved) {
      const { tail } = this.follow(filter, label, position);
      if (paused) tail.pause();
    }
  }

  private add(
    key: string,
    filter: LogFilter,
    label: string,
    position: TailPosition | undefined,
  ): Entry {
    // If nothing was followed any more, a new start shows its history, also what was shown before.
    if (this.all.every(({ tail }) => hasEnded(tail.state) && isEmpty(tail))) {
      this.shown = this.noneShown();
    }
    const rate = createRate(() => this.options.clock.monotonic());
    const create = (from: TailPosition | undefined, owner: Entry): Tail =>
      this.createTail(filter, from, owner);
    const entry = new Entry(key, label, rate, create, position);
    this.entries.set(key, entry);
    return entry;
  }

  /** A tail that was removed or created again has nothing to tell, but a menu may still hold it. */
  private createTail(filter: LogFilter, from: TailPosition | undefined, owner: Entry): Tail {
    const isCurrent = (): boolean =>
      this.entries.get(owner.key) === owner && owner.tail === created;
    const created = this.options.createTail(filter, from, {
      onDidChangeState: (state) => {
        if (!isCurrent()) return;
        this.scheduleTick();
        this.options.onDidChange(owner, owner.previous);
        owner.previous = state;
      },
      onDidReceive: () => {
        if (isCurrent()) this.options.onDidReceive();
      },
    });
    return created;
  }

  /** An id is needed while any tail may still bring its record, such as one that is paused. */
  private noneShown(): SeenIds {
    const isNeeded = (id: string): boolean => {
      for (const { tail } of this.entries.values()) if (tail.knows(id)) return true;
      return false;
    };
    return new SeenIds(() => this.remembered, isNeeded);
  }

  private withoutShown(output: TailOutput): TailOutput {
    if (output.kind !== 'records') return output;
    const isNew = ({ eventId }: LogRecord): boolean => this.shown.add(eventId);
    return { kind: 'records', records: output.records.filter(isNew) };
  }

  /** Nothing happens while what is shown stays the same. */
  private scheduleTick(): void {
    const now = this.options.clock.monotonic();
    const wait = Math.min(...this.all.map((followed) => nextChange(followed, now)));
    // A look that is due shows what has ended.
    if (this.tick !== undefined && this.tick.at <= now + wait && this.entries.size > 0) return;
    this.tick?.cancel();
    this.tick = undefined;
    if (wait === Infinity) return;
    const cancel = this.options.clock.setTimer(() => {
      this.tick = undefined;
      // Before the look of the listener, so that it also sees the end of a rate.
      this.scheduleTick();
      this.options.onDidTick();
    }, wait);
    this.tick = { at: now + wait, cancel };
  }
}

/** Milliseconds until a countdown or rate of a tail changes by itself; infinite if it has none. */
function nextChange({ tail: { state }, rate }: FollowedTail, now: number): number {
  switch (state.kind) {
    case 'reconnecting':
    case 'rateLimited': {
      const left = state.retryAt - now;
      // To the next full second; then a new state follows.
      return left > 0 ? left - (Math.ceil(left / second) - 1) * second : Infinity;
    }
    case 'live':
      return rate > 0 ? rateEvery : Infinity;
    default:
      return Infinity;
  }
}

function isEmpty({ counters: { received, handedOn, dropped } }: Tail): boolean {
  return received === handedOn + dropped;
}

class Entry implements FollowedTail {
  /** The state before the current one, if there was one. */
  previous: TailState | undefined;
  private counted = 0;
  private current: Tail;

  constructor(
    readonly key: string,
    readonly label: string,
    private readonly speed: Rate,
    private readonly create: (from: TailPosition | undefined, owner: Entry) => Tail,
    position: TailPosition | undefined,
  ) {
    this.current = create(position, this);
  }

  get tail(): Tail {
    return this.current;
  }

  get rate(): number {
    return this.speed.perSecond();
  }

  /** Measures the rate of what has arrived since the last call. History does not count. */
  measure(): void {
    const { streamed } = this.current.counters;
    this.speed.count(streamed - this.counted);
    this.counted = streamed;
  }

  renew(): void {
    const old = this.current;
    const { state } = old;
    this.current = this.create(old.position, this);
    this.counted = 0;
    old.stop();
    if (state.kind !== 'stopped') this.current.start();
    if (state.kind === 'paused') this.current.pause();
  }
}

/** Whether a tail has ended and needs a start to continue. */
export function hasEnded(state: TailState): boolean {
  return state.kind === 'stopped' || state.kind === 'failed';
}

/** Whether a tail ended because there is no key any more: a person signed out, and nothing is wrong. */
export function endedBySignOut(state: TailState): boolean {
  return isSignedOut(state) && state.kind === 'failed' && state.why.error.code === 'noKey';
}

/** What can be done with a tail: one that has ended can be resumed, as a paused one can. */
export function activityOf({ state }: Pick<Tail, 'state'>): 'running' | 'paused' | 'ended' {
  if (hasEnded(state)) return 'ended';
  return state.kind === 'paused' ? 'paused' : 'running';
}

function isSignedOut(state: TailState): boolean {
  return state.kind === 'failed' && state.why.kind === 'signedOut';
}
