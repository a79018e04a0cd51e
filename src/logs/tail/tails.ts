import type { LogRecord } from '../../api/types';
import { type Clock, second } from '../../base/clock';
import { Emitter, type Event } from '../../base/event';
import { getOrMake } from '../../base/maps';
import type { LogFilter } from '../query/fields';
import { SeenIds } from '../record/seenIds';
import { type SavedTail, type SavedTails, TailSaver } from './savedTails';
import type { Tail } from './tail';
import type { TailOutput, TailPosition, TailState } from './tailState';

/** Milliseconds per slot. */
const slotLength = 500;
/** Ten full slots make the window; one more is being filled. */
const slotCount = 11;

/** A sliding mean of records per second, in constant time and memory. */
export class Rate {
  /** Counts by slot number, the oldest first; at most `slotCount`. */
  private readonly counts = new Map<number, number>();
  private sum = 0;
  private started: number | undefined;

  /** @param monotonic the monotonic clock, in milliseconds. */
  constructor(private readonly monotonic: () => number) {}

  /** Counts records that have just arrived. */
  count(records: number): void {
    const now = this.monotonic();
    const slot = this.moveTo(now);
    this.started ??= now;
    this.counts.set(slot, (this.counts.get(slot) ?? 0) + records);
    this.sum += records;
  }

  /** The mean over the last five seconds, or since the first count if that is less. */
  perSecond(): number {
    const now = this.monotonic();
    this.moveTo(now);
    if (this.started === undefined) return 0;
    const covered = (slotCount - 1) * slotLength + (now % slotLength);
    // At least one second, or a single record would look like a thousand per second.
    return (this.sum * 1000) / Math.max(1000, Math.min(covered, now - this.started));
  }

  /** Drops the slots that have left the window and returns the current slot number. */
  private moveTo(now: number): number {
    const current = Math.floor(now / slotLength);
    for (const [slot, count] of this.counts) {
      if (slot > current - slotCount) break;
      this.counts.delete(slot);
      this.sum -= count;
    }
    return current;
  }
}

/** A tail with what its owner knows of it. */
export interface FollowedTail {
  /** The canonical filter as text. Tails with the same filter are one tail. */
  readonly key: string;
  /** The filter in words for the user. */
  readonly label: string;
  readonly tail: Tail;
  /** Whether its records are shown apart from those of the other tails. */
  readonly hasOwnChannel: boolean;
  /**
   * Records per second that arrived over the stream recently, as it is shown everywhere: it changes with
   * `onDidTick`.
   */
  readonly rate: number;
}

export interface TailChange {
  readonly followed: FollowedTail;
  /** The state before; undefined for a new tail. */
  readonly previous: TailState | undefined;
  /** Whether a tail was added or removed. */
  readonly listChanged: boolean;
}

/** The key of a filter. It does not depend on the order of the members. */
export function filterKey(filter: LogFilter): string {
  return JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What was read of a tail. */
interface ReadOutputs {
  readonly followed: FollowedTail;
  /** In order; without the records that were read of another tail of the same channel. */
  readonly outputs: readonly TailOutput[];
}

/** Where the tails of a window are kept for its next start. */
export interface TailStorage {
  /** Positions are valid only for the connection with this id; undefined: there is none. */
  connection(): string | undefined;
  /** What was written last; undefined if nothing valid was. Never fails. */
  read(): Promise<SavedTails | undefined>;
  /** Never fails. */
  write(state: SavedTails): Promise<void>;
}

/**
 * How many records are known at least: a server may send them again, and so may a tail that was stopped and goes
 * on where it was. Their ids take some 4 MB.
 */
const leastRemembered = 50_000;
/** The key of the channel that tails share; no filter has it. */
const sharedChannel = '';
/** Milliseconds between two looks at a rate that falls. */
const rateEvery = second;
/** The most tails with a channel of their own; each channel keeps its lines. */
const mostOwnChannels = 4;
/** By how much of itself a rate must change to be shown: less is noise, and a row is drawn again for it. */
const leastChange = 0.2;

/** How a tail is followed. An own channel is for few: the others share one. */
type Following = Partial<Pick<SavedTail, 'position' | 'ownChannel'>>;

/** The tails of a window, in the order in which they were started. A record of several is read once for each channel. */
export class Tails {
  private readonly changes = new Emitter<TailChange>();
  private readonly receipts = new Emitter<void>();
  private readonly shows = new Emitter<readonly LogRecord[]>();
  private readonly ticks = new Emitter<void>();
  private readonly clears = new Emitter<void>();
  /** A tail was added or removed, or its state changed. */
  readonly onDidChange: Event<TailChange> = this.changes.event;
  /** There may be something to read. */
  readonly onDidReceive: Event<void> = this.receipts.event;
  /** Records are shown, for what also looks at them. */
  readonly onDidShow: Event<readonly LogRecord[]> = this.shows.event;
  /** A countdown or a rate has changed, because time has passed. */
  readonly onDidTick: Event<void> = this.ticks.event;
  /** The connection was left: remove everything of it from the screen. */
  readonly onDidClear: Event<void> = this.clears.event;

  private readonly entries = new Map<string, Entry>();
  private readonly saver: TailSaver<SavedTails>;
  /** What each channel shows: that of most tails has no key, an own one has that of its tail. */
  private readonly shown = new Map<string, SeenIds>();
  private remembered = leastRemembered;
  private restoring: 'notYet' | 'now' | 'done' = 'notYet';
  private timesForgotten = 0;
  /** The tail that had its turn last. */
  private last: Entry | undefined;
  private tick: { readonly at: number; readonly cancel: () => void } | undefined;

  /** @param shownAtMost the most records that are on screen, and must not appear a second time. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>,
    private readonly newTail: (filter: LogFilter, position: TailPosition | undefined) => Tail,
    private readonly shownAtMost: () => number,
    private readonly storage: TailStorage,
  ) {
    this.saver = new TailSaver(
      clock,
      () => this.stateToSave(),
      (state) => storage.write(state),
    );
  }

  get all(): readonly FollowedTail[] {
    return [...this.entries.values()];
  }

  /** How many of them have not ended. */
  get running(): number {
    return this.all.filter(({ tail }) => !hasTailEnded(tail.state)).length;
  }

  /** Whether another one can be shown apart from the rest. */
  get canHaveOwnChannel(): boolean {
    return this.all.filter(({ hasOwnChannel }) => hasOwnChannel).length < mostOwnChannels;
  }

  /** Follows a filter. A tail of the same filter continues, and starts again if it has ended. */
  follow(filter: LogFilter, label: string, how: Following = {}): FollowedTail {
    const key = filterKey(filter);
    const known = this.entries.get(key);
    if (known?.tail.state.kind === 'paused') known.tail.resume();
    const entry = known ?? this.add(key, filter, label, how);
    entry.tail.start();
    return entry;
  }

  /** Follows a filter instead of all others, which are stopped and removed. */
  followInstead(filter: LogFilter, label: string): FollowedTail {
    const key = filterKey(filter);
    for (const entry of [...this.entries.values()]) {
      if (entry.key === key) continue;
      // Says so, too, where the records were shown.
      entry.tail.stop();
      this.remove(entry);
    }
    return this.follow(filter, label);
  }

  remove(followed: FollowedTail): void {
    if (!this.entries.delete(followed.key)) return;
    if (followed.hasOwnChannel) this.shown.delete(followed.key);
    followed.tail.stop();
    this.didChange(followed, followed.tail.state, true);
    this.scheduleTick();
  }

  /**
   * What the next tail has, at most `maxRecords` records; undefined if none has anything. The tails take
   * turns, so that a busy one does not hold back the others.
   */
  read(maxRecords: number): ReadOutputs | undefined {
    this.remembered = Math.max(leastRemembered, this.shownAtMost());
    const all = [...this.entries.values()];
    const next = this.last === undefined ? 0 : all.indexOf(this.last) + 1;
    for (const entry of [...all.slice(next), ...all.slice(0, next)]) {
      const outputs = entry.tail.read(maxRecords);
      if (outputs.length === 0) continue;
      this.last = entry;
      entry.measure();
      this.scheduleTick();
      return {
        followed: entry,
        outputs: outputs.map((output) => this.withoutShown(entry, output)),
      };
    }
    return undefined;
  }

  /** What was read has become lines of its channel. */
  didShow({ outputs }: ReadOutputs): void {
    for (const output of outputs) if (output.kind === 'records') this.shows.fire(output.records);
  }

  /**
   * Creates each tail again at its position, because the access has changed. Records that were not read yet arrive
   * again. Stopped tails do not start.
   */
  renew(): void {
    this.shown.clear();
    for (const entry of this.entries.values()) entry.renew();
  }

  /** Removes everything of the connection from the screen. */
  clear(): void {
    this.clears.fire();
  }

  /** The key may have changed in another window. */
  keyChanged(): void {
    for (const { tail } of this.entries.values()) {
      if (isSignedOut(tail.state)) tail.start();
      else tail.keyChanged();
    }
  }

  /** Saves what a reload restores, and nothing can be read after that. Resolves when it is stored. */
  close(): Promise<void> {
    const stored = this.saver.save();
    this.dispose();
    return stored;
  }

  /**
   * Resumes the tails that were saved for this connection, once: after a switch the channel is empty, so the
   * history is loaded.
   */
  async restore(): Promise<void> {
    const connection = this.storage.connection();
    if (this.restoring !== 'notYet' || connection === undefined) return;
    this.restoring = 'now';
    const { timesForgotten } = this;
    const saved = await this.storage.read();
    this.restoring = 'done';
    if (timesForgotten !== this.timesForgotten) {
      this.saver.schedule();
      return;
    }
    if (saved?.connection !== connection || this.storage.connection() !== connection) return;
    for (const { filter, label, paused, ...how } of saved.tails) {
      const { tail } = this.follow(filter, label, how);
      if (paused) tail.pause();
    }
  }

  /** Removes all tails, also those that were saved and are about to be restored. */
  forget(): void {
    this.timesForgotten++;
    this.removeAll();
    this.saver.schedule();
  }

  removeAll(): void {
    for (const entry of [...this.entries.values()]) this.remove(entry);
  }

  dispose(): void {
    this.removeAll();
    this.saver.dispose();
    for (const emitter of [this.changes, this.receipts, this.shows, this.ticks, this.clears]) {
      emitter.dispose();
    }
  }

  /**
   * Tails that were stopped, or failed for another reason than a missing key, are not restored.
   */
  private stateToSave(): SavedTails | undefined {
    const connection = this.storage.connection();
    // What is not read yet must stay.
    if (connection === undefined || this.restoring === 'now') return undefined;
    const tails = [...this.entries.values()]
      .filter(({ tail }) => !hasTailEnded(tail.state) || isSignedOut(tail.state))
      .map(({ label, tail, hasOwnChannel }): SavedTail => ({
        filter: tail.filter,
        label,
        paused: tail.state.kind === 'paused',
        ownChannel: hasOwnChannel,
        position: tail.position,
      }));
    return { connection, tails };
  }

  private add(
    key: string,
    filter: LogFilter,
    label: string,
    { position, ownChannel = false }: Following,
  ): Entry {
    const hasOwnChannel = ownChannel && this.canHaveOwnChannel;
    const shared = this.all.filter((one) => !one.hasOwnChannel);
    // If nothing was followed there any more, a new start shows its history, also what was shown before.
    if (!hasOwnChannel && shared.every(({ tail }) => hasTailEnded(tail.state) && isEmpty(tail))) {
      this.shown.delete(sharedChannel);
    }
    const rate = new Rate(() => this.clock.monotonic());
    const create = (owner: Entry, from: TailPosition | undefined): Tail =>
      this.openTail(filter, from, owner);
    const entry = new Entry({ key, label, hasOwnChannel }, rate, create, position);
    this.entries.set(key, entry);
    return entry;
  }

  /** A tail that was removed or created again has nothing to tell, but a menu may still hold it. */
  private openTail(filter: LogFilter, from: TailPosition | undefined, owner: Entry): Tail {
    const created = this.newTail(filter, from);
    created.onDidChange((what) => {
      if (this.entries.get(owner.key) !== owner || owner.tail !== created) return;
      if (what === 'records') this.receipts.fire();
      if (what === 'position') this.saver.schedule();
      if (what !== 'state') return;
      const { previous } = owner;
      if (previous?.kind === 'paused' && created.state.kind !== 'paused') owner.skipBacklog();
      owner.look();
      this.scheduleTick();
      this.didChange(owner, previous, previous === undefined);
      owner.previous = created.state;
    });
    return created;
  }

  private didChange(
    followed: FollowedTail,
    previous: TailState | undefined,
    listChanged: boolean,
  ): void {
    this.changes.fire({ followed, previous, listChanged });
    this.saver.schedule();
  }

  private shownWith({ key, hasOwnChannel }: Entry): SeenIds {
    const channel = hasOwnChannel ? key : sharedChannel;
    // An id is needed while any tail may still bring its record, such as one that is paused.
    const isNeeded = (id: string): boolean => {
      for (const { tail } of this.entries.values()) if (tail.knows(id)) return true;
      return false;
    };
    return getOrMake(this.shown, channel, () => new SeenIds(() => this.remembered, isNeeded));
  }

  private withoutShown(entry: Entry, output: TailOutput): TailOutput {
    if (output.kind !== 'records') return output;
    const shown = this.shownWith(entry);
    const isNew = ({ eventId }: LogRecord): boolean => shown.add(eventId);
    return { kind: 'records', records: output.records.filter(isNew) };
  }

  /** Nothing happens while what is shown stays the same. */
  private scheduleTick(): void {
    const now = this.clock.monotonic();
    const wait = Math.min(...[...this.entries.values()].map((entry) => nextChange(entry, now)));
    // A look that is due shows what has ended.
    if (this.tick !== undefined && this.tick.at <= now + wait && this.entries.size > 0) return;
    this.tick?.cancel();
    this.tick = undefined;
    if (wait === Infinity) return;
    const cancel = this.clock.setTimer(() => {
      this.tick = undefined;
      const looks = [...this.entries.values()].map((entry) => entry.look());
      this.scheduleTick();
      if (looks.includes(true)) this.ticks.fire();
    }, wait);
    this.tick = { at: now + wait, cancel };
  }
}

/** Milliseconds until a countdown or rate of a tail changes by itself; infinite if it has none. */
function nextChange({ tail: { state }, isMoving }: Entry, now: number): number {
  switch (state.kind) {
    case 'reconnecting':
    case 'rateLimited': {
      const left = state.retryAt - now;
      // To the next full second; then a new state follows.
      return left > 0 ? left - (Math.ceil(left / second) - 1) * second : Infinity;
    }
    case 'live':
      return isMoving ? rateEvery : Infinity;
    default:
      return Infinity;
  }
}

function isEmpty({ counters: { received, read, dropped } }: Tail): boolean {
  return received === read + dropped;
}

class Entry implements FollowedTail {
  /** The state before the current one, if there was one. */
  previous: TailState | undefined;
  /** The rate as it is shown. */
  rate = 0;
  private counted = 0;
  private current: Tail;

  readonly key: string;
  readonly label: string;
  readonly hasOwnChannel: boolean;

  constructor(
    { key, label, hasOwnChannel }: Pick<FollowedTail, 'key' | 'label' | 'hasOwnChannel'>,
    private readonly speed: Rate,
    private readonly create: (owner: Entry, from: TailPosition | undefined) => Tail,
    position: TailPosition | undefined,
  ) {
    this.key = key;
    this.label = label;
    this.hasOwnChannel = hasOwnChannel;
    this.current = create(this, position);
  }

  get tail(): Tail {
    return this.current;
  }

  /** Whether the rate may change though nothing arrives. */
  get isMoving(): boolean {
    return this.rate > 0 || this.speed.perSecond() > 0;
  }

  /** Measures the rate of what has arrived since the last call. History does not count. */
  measure(): void {
    const { streamed } = this.current.counters;
    this.speed.count(streamed - this.counted);
    this.counted = streamed;
  }

  /** What waited during a pause says nothing about how much arrives now. */
  skipBacklog(): void {
    this.counted = this.current.counters.streamed;
  }

  /** Time has passed. Returns whether something else is to be shown. */
  look(): boolean {
    const before = this.rate;
    const now = this.speed.perSecond();
    const isSame = now > 0 === before > 0 && Math.abs(now - before) <= before * leastChange;
    if (!isSame) this.rate = now;
    const { kind } = this.current.state;
    return !isSame || kind === 'reconnecting' || kind === 'rateLimited';
  }

  renew(): void {
    const old = this.current;
    const { state } = old;
    // The new tail goes on after what was read.
    old.markRead();
    this.current = this.create(this, old.position);
    this.counted = 0;
    old.stop();
    if (state.kind !== 'stopped') this.current.start();
    if (state.kind === 'paused') this.current.pause();
  }
}

/** Whether a tail has ended and needs a start to continue. */
export function hasTailEnded(state: TailState): boolean {
  return state.kind === 'stopped' || state.kind === 'failed';
}

/** Whether a tail ended because there is no key any more: a person signed out, and nothing is wrong. */
export function endedBySignOut(state: TailState): boolean {
  return isSignedOut(state) && state.kind === 'failed' && state.why.error.code === 'noKey';
}

/** What can be done with a tail: one that has ended can be resumed, as a paused one can. */
export function activityOf({ state }: Pick<Tail, 'state'>): 'running' | 'paused' | 'ended' {
  if (hasTailEnded(state)) return 'ended';
  return state.kind === 'paused' ? 'paused' : 'running';
}

function isSignedOut(state: TailState): boolean {
  return state.kind === 'failed' && state.why.kind === 'signedOut';
}
