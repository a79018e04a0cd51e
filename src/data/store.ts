import type { CallOptions, Wait } from '../api/client';
import { ApiError, failedAs } from '../api/errors';
import type { Priority } from '../api/requestScheduler';
import type {
  AlertListing,
  DeploymentListing,
  IntegrationListing,
  ResourceListing,
  SecretListing,
  Permission,
} from '../api/types';
import { type Clock, minute } from '../base/clock';
import { Emitter, type Event } from '../base/event';
import { keepEqual } from '../base/json';
import type { Formats } from '../base/timeFormat';
import {
  fetchers,
  type Kind,
  type RepositoryPages,
  type StoreClient,
  type Values,
} from './fetchers';

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
const longestWait = minute;

interface Slot<K extends Kind> {
  readonly key: CacheKey;
  cached: CacheEntry<Values[K]>;
  work?: Work | undefined;
}

/** A request under way. */
interface Work {
  readonly extent: 'all' | 'more';
  /** Makes it one that a person waits for. */
  readonly raise: AbortController;
  readonly promise: Promise<void>;
}

/** The state for one client. `reset` replaces it as a whole, so late answers change nothing. */
interface ClientCache {
  readonly client: StoreClient | undefined;
  readonly controller: AbortController;
  readonly slots: { readonly [K in Kind]: Map<string, Slot<K>> };
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

  alerts(id: string): CacheEntry<AlertListing> {
    return this.read('alerts', id);
  }

  resources(id: string): CacheEntry<ResourceListing> {
    return this.read('resources', id);
  }

  secrets(id: string): CacheEntry<SecretListing> {
    return this.read('secrets', id);
  }

  deployments(id: string): CacheEntry<DeploymentListing> {
    return this.read('deployments', id);
  }

  repositories(search: string): CacheEntry<RepositoryPages> {
    return this.read('repositories', search);
  }

  integrations(): CacheEntry<IntegrationListing> {
    return this.read('integrations', '');
  }

  entry(key: CacheKey): CacheEntry<unknown> {
    return this.read(key.kind, idOfKey(key));
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

  /** Loads the next page of a search, if any; a failure is in `repositories(search).error`. */
  async loadMore(search: string): Promise<void> {
    if (this.read('repositories', search).value?.nextPage === undefined) return;
    await this.load({ kind: 'repositories', search }, 'more', 'person');
  }

  /** Drops all entries, aborts requests, ignores late answers and uses this client from now on. */
  reset(client: StoreClient | undefined): void {
    const old = this.current;
    this.current = this.open(client);
    old.controller.abort();
    this.changes.fire({ kind: 'reset' });
  }

  private open(client: StoreClient | undefined): ClientCache {
    return {
      client,
      controller: new AbortController(),
      slots: {
        alerts: new Map(),
        resources: new Map(),
        secrets: new Map(),
        deployments: new Map(),
        repositories: new Map(),
        integrations: new Map(),
      },
      formats: {},
    };
  }

  private read<K extends Kind>(kind: K, id: string): CacheEntry<Values[K]> {
    return this.current.slots[kind].get(id)?.cached ?? emptyEntry;
  }

  private update<K extends Kind>(
    cache: ClientCache,
    slot: Slot<K>,
    cached: CacheEntry<Values[K]>,
  ): void {
    const { key, cached: before } = slot;
    slot.cached = cached;
    const isCurrent = cache === this.current && cache.slots[key.kind].get(idOfKey(key)) === slot;
    if (isCurrent && looksDifferent(before, cached)) this.changes.fire({ kind: 'entry', key });
  }

  private slotFor<K extends Kind>(cache: ClientCache, kind: K, key: CacheKey): Slot<K> {
    const slots = cache.slots[kind];
    const id = idOfKey(key);
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

  private async fetchInto<K extends Kind>(
    cache: ClientCache,
    client: StoreClient,
    kind: K,
    slot: Slot<K>,
    extent: 'all' | 'more',
    scheduling: Pick<CallOptions, 'priority' | 'raise'>,
  ): Promise<void> {
    const { signal } = cache.controller;
    const change = (members: Partial<CacheEntry<Values[K]>>): void =>
      this.update(cache, slot, { ...slot.cached, ...members });
    const onWait = (wait: Wait | undefined): void => {
      if (wait !== undefined) change({ error: wait.error });
    };
    try {
      const { value, formats } = await fetchers[kind]({
        client,
        id: idOfKey(slot.key),
        before: slot.cached.value,
        extent,
        options: { signal, longestWait, onWait, ...scheduling },
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

  private async load(key: CacheKey, extent: 'all' | 'more', priority: Priority): Promise<void> {
    const cache = this.current;
    const { client } = cache;
    if (client === undefined) return;
    const slot = this.slotFor(cache, key.kind, key);
    if (slot.work !== undefined) {
      const { work } = slot;
      if (priority === 'person') work.raise.abort();
      await work.promise;
      if (work.extent !== extent && cache === this.current) await this.load(key, extent, priority);
      return;
    }
    const raise = new AbortController();
    const scheduling = { priority, raise: raise.signal };
    const promise = this.fetchInto(cache, client, key.kind, slot, extent, scheduling);
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
function isSameError(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!(one instanceof ApiError) || !(other instanceof ApiError)) return false;
  return (['kind', 'status', 'code', 'message'] as const).every(
    (member) => one[member] === other[member],
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

/** A resource of the API. The store caches one answer for each. */
export type CacheKey =
  | { readonly kind: 'alerts'; readonly serverId: string }
  | { readonly kind: 'resources'; readonly sourceId: string }
  | { readonly kind: 'secrets'; readonly sourceId: string }
  | { readonly kind: 'deployments'; readonly resourceId: string }
  /** All loaded pages of one search. An empty search lists everything. */
  | { readonly kind: 'repositories'; readonly search: string }
  | { readonly kind: 'integrations' };

/** What distinguishes a key from others of its kind: an id, a search, or nothing. */
export function idOfKey(key: CacheKey): string {
  switch (key.kind) {
    case 'alerts':
      return key.serverId;
    case 'resources':
    case 'secrets':
      return key.sourceId;
    case 'deployments':
      return key.resourceId;
    case 'repositories':
      return key.search;
    case 'integrations':
      return '';
  }
}

/** A text that is equal only for equal keys. */
export function cacheKeyId(key: CacheKey): string {
  return `${key.kind} ${idOfKey(key)}`;
}

const permissions = {
  alerts: 'alert.read',
  resources: 'repository.read',
  secrets: 'secret.list',
  deployments: 'resource.read',
  repositories: 'repository.connect',
  integrations: 'integration.manage',
} as const satisfies Record<CacheKey['kind'], Permission>;

/** The permission that a request for the key needs. */
export function permissionOf(key: CacheKey): Permission {
  return permissions[key.kind];
}

/** Whether the key lists the whole workspace, so that a refusal concerns no single object. */
export function isListing({ kind }: CacheKey): boolean {
  return kind === 'repositories' || kind === 'integrations';
}

/** Whether the control plane refused a request with 403. */
export function isRefusal(error: unknown): boolean {
  return failedAs(error, 'missingPermission');
}
