import type { CallOptions, Wait } from '../api/client';
import { ApiError, failedAs } from '../api/errors';
import type { Priority } from '../api/requestScheduler';
import { type Clock, minute } from '../base/clock';
import { type Disposable, Emitter, type Event } from '../base/event';
import { keepEqual } from '../base/json';
import type { Formats } from '../base/timeFormat';
import { listings, type ListingClient, type ListingKind, type ListingValues } from './listings';

export type StoreChange =
  /** The entry of this key changed visibly. */
  | { readonly kind: 'entry'; readonly key: CacheKey }
  /** Everything was dropped: another connection, another API key, or none. */
  | { readonly kind: 'reset' };

/** Entries of one kind. Beyond this, the least recently requested ones are dropped. */
const maxEntries = 20_000;
/** How many of many requests for a person are sent at a time. */
const atOnce = 4;
/** For how long the server may ask to wait, in milliseconds; a request that has to wait longer fails for now. */
const longestDelay = minute;

interface Slot<K extends ListingKind> {
  readonly key: CacheKey<K>;
  cached: CacheEntry<ListingValues[K]>;
  work?: Work | undefined;
}

/** Those of a kind, by id; absent before the first. */
type Slots = { [K in ListingKind]?: Map<string, Slot<K>> };

/** A request under way. */
interface Work {
  readonly extent: 'all' | 'more';
  /** Makes it one that a person waits for. */
  readonly raise: AbortController;
  readonly promise: Promise<void>;
}

/** The state for one client. `reset` replaces it as a whole, so late answers change nothing. */
interface ClientCache {
  readonly client: ListingClient | undefined;
  readonly controller: AbortController;
  readonly slots: Slots;
  formats: Formats;
}

/** Caches the answers of a control plane. Listings come without their `localization`. */
export class Store {
  private readonly changes = new Emitter<StoreChange>();
  private current: ClientCache;
  readonly onDidChange: Event<StoreChange> = this.changes.event;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.current = this.open(undefined);
  }

  /** What is known of a listing. Requests nothing. */
  read<K extends ListingKind>(kind: K, id: string): CacheEntry<ListingValues[K]> {
    return this.current.slots[kind]?.get(id)?.cached ?? emptyEntry;
  }

  /** As `read`, by the key. */
  entry<K extends ListingKind>({ kind, id }: CacheKey<K>): CacheEntry<ListingValues[K]> {
    return this.read(kind, id);
  }

  /** Subscribes to the visible changes of one kind of listing. */
  onDidChangeListing<K extends ListingKind>(
    kind: K,
    listener: (entry: CacheEntry<ListingValues[K]>, id: string) => unknown,
  ): Disposable {
    return this.onDidChange((change) => {
      if (change.kind !== 'entry' || change.key.kind !== kind) return;
      const { id } = change.key;
      listener(this.read(kind, id), id);
    });
  }

  /** Date and time formats of the workspace, from the latest answers. */
  get formats(): Formats {
    return this.current.formats;
  }

  /** The time by the clock of the control plane, in milliseconds since 1970; undefined without a client. */
  serverNow(): number | undefined {
    return this.current.client?.serverNow();
  }

  /** Whether there is a client; without one nothing is requested. */
  get isOpen(): boolean {
    return this.current.client !== undefined;
  }

  /**
   * Requests a key, or joins the request under way, which then is as urgent. Never rejects: a failure is in
   * `entry(key).error`. What a person waits for is retried by the rules of the contract first.
   */
  refresh(key: CacheKey, priority: Priority): Promise<void> {
    return this.load(key, 'all', priority);
  }

  /** Refreshes all of these for a person, a few at a time, so that what they ask for next is not behind all. */
  refreshAll(cacheKeys: readonly CacheKey[]): Promise<void> {
    return inParallel(cacheKeys, atOnce, (key) => this.load(key, 'all', 'person'));
  }

  /** Loads the next page of a search for repositories, if any; a failure is in the `error` of its entry. */
  async loadMore(search: string): Promise<void> {
    const key = { kind: 'repositories', id: search } as const;
    if (this.entry(key).value?.nextPage === undefined) return;
    await this.load(key, 'more', 'person');
  }

  /** Drops all entries, aborts requests, ignores late answers and uses this client from now on. */
  reset(client: ListingClient | undefined): void {
    const old = this.current;
    this.current = this.open(client);
    old.controller.abort();
    this.changes.fire({ kind: 'reset' });
  }

  private open(client: ListingClient | undefined): ClientCache {
    return {
      client,
      controller: new AbortController(),
      slots: {},
      formats: {},
    };
  }

  private update<K extends ListingKind>(
    cache: ClientCache,
    slot: Slot<K>,
    cached: CacheEntry<ListingValues[K]>,
  ): void {
    const { key, cached: before } = slot;
    slot.cached = cached;
    const isCurrent = cache === this.current && cache.slots[key.kind]?.get(key.id) === slot;
    if (isCurrent && looksDifferent(before, cached)) this.changes.fire({ kind: 'entry', key });
  }

  private slotFor<K extends ListingKind>(cache: ClientCache, key: CacheKey<K>): Slot<K> {
    const slots: Map<string, Slot<K>> = (cache.slots[key.kind] ??= new Map<string, never>());
    const { id } = key;
    const slot = slots.get(id) ?? { key, cached: emptyEntry };
    // Moved to the end: a map keeps its order, so the first is the least recently requested.
    slots.delete(id);
    slots.set(id, slot);
    if (slots.size > maxEntries) {
      const { value: first } = slots.keys().next();
      if (first !== undefined) slots.delete(first);
    }
    return slot;
  }

  private async fetchInto<K extends ListingKind>(
    cache: ClientCache,
    client: ListingClient,
    slot: Slot<K>,
    extent: 'all' | 'more',
    scheduling: Pick<CallOptions, 'priority' | 'raise'>,
  ): Promise<void> {
    const { signal } = cache.controller;
    const change = (members: Partial<CacheEntry<ListingValues[K]>>): void =>
      this.update(cache, slot, { ...slot.cached, ...members });
    const onWait = (wait: Wait | undefined): void => {
      if (wait !== undefined) change({ error: wait.error });
    };
    try {
      const { value, formats } = await listings[slot.key.kind].fetch({
        client,
        id: slot.key.id,
        before: slot.cached.value,
        extent,
        options: { signal, longestWait: longestDelay, onWait, ...scheduling },
      });
      cache.formats = keepEqual(cache.formats, { ...cache.formats, ...formats });
      this.update(cache, slot, {
        value: keepEqual(slot.cached.value, value),
        at: client.serverNow(),
        isLoading: false,
        triedAt: this.clock.monotonic(),
        failures: 0,
      });
    } catch (error) {
      const failures = slot.cached.failures + 1;
      change({ error, isLoading: false, triedAt: this.clock.monotonic(), failures });
    }
  }

  private async load<K extends ListingKind>(
    key: CacheKey<K>,
    extent: 'all' | 'more',
    priority: Priority,
  ): Promise<void> {
    const cache = this.current;
    const { client } = cache;
    if (client === undefined) return;
    const slot = this.slotFor(cache, key);
    if (slot.work !== undefined) {
      const { work } = slot;
      if (priority === 'person') work.raise.abort();
      await work.promise;
      if (work.extent !== extent && cache === this.current) await this.load(key, extent, priority);
      return;
    }
    const raise = new AbortController();
    const scheduling = { priority, raise: raise.signal };
    const promise = this.fetchInto(cache, client, slot, extent, scheduling);
    // Noted before the listeners run, because they may request the same key.
    slot.work = { extent, raise, promise };
    this.update(cache, slot, { ...slot.cached, isLoading: true });
    await promise;
    slot.work = undefined;
  }
}

/** What the cache holds for one cache key. */
export interface CacheEntry<T> {
  /** The last value. A failure does not clear it. */
  readonly value?: T;
  /** When the value arrived, in milliseconds since 1970 by the control plane's clock, like all times in it. */
  readonly at?: number;
  /** Why the last request failed: an `ApiError` or `InvalidRequestError`. A success clears it. */
  readonly error?: unknown;
  /** Whether a request is under way; waiting after a 429 counts. */
  readonly isLoading: boolean;
  /** When the last request ended, on the monotonic clock. */
  readonly triedAt?: number;
  /** How many requests in a row have failed. */
  readonly failures: number;
}

/** The entry of a key that was never requested. */
const emptyEntry: CacheEntry<never> = { isLoading: false, failures: 0 };

/** Whether a user can see the difference. */
function looksDifferent(before: CacheEntry<unknown>, after: CacheEntry<unknown>): boolean {
  if (before.value !== after.value || !isSameError(before.error, after.error)) return true;
  // Loading is visible only if there is neither a value nor an error.
  const isBlank = after.value === undefined && after.error === undefined;
  return isBlank && before.isLoading !== after.isLoading;
}

/** Ignores the request id, which differs for each failure. */
function isSameError(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!(a instanceof ApiError) || !(b instanceof ApiError)) return false;
  return (['kind', 'status', 'code', 'message'] as const).every(
    (member) => a[member] === b[member],
  );
}

/** Works on all items, at most `atOnce` at a time, in their order. Rejects with the first failure. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Names a listing: of this kind, by its id. */
export interface CacheKey<K extends ListingKind = ListingKind> {
  readonly kind: K;
  /** What distinguishes it from others of its kind: an id, a search, or nothing (`''`). */
  readonly id: string;
}

/** What reads listings and requests nothing. */
export type ListingReader = Pick<Store, 'read' | 'entry'>;

/** A text that is equal only for equal keys. */
export function cacheKeyId({ kind, id }: CacheKey): string {
  return `${kind} ${id}`;
}

/** Whether the control plane refused a request with 403. */
export function isRefusal(error: unknown): error is ApiError {
  return failedAs(error, 'missingPermission');
}
