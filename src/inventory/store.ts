import type { Formats } from '../text/timeFormat';
import type { Clock } from '../api/clock';
import type {
  AlertListing,
  DeploymentListing,
  IntegrationListing,
  ResourceListing,
  SecretListing,
} from '../api/types';
import {
  idOfTopic,
  fetchers,
  type Kind,
  type RepositoryPages,
  type StoreClient,
  type Values,
} from './fetchers';
import { looksDifferent, emptyEntry, type CacheEntry } from './cacheEntry';
import { keepEqual } from './structuralSharing';
import type { ResourceKey } from './resourceKeys';
import { createRequestQueue, type RequestQueue } from './requestQueue';

export type StoreChange =
  /** Something of this topic has changed that a person could see. */
  | { readonly kind: 'topic'; readonly topic: ResourceKey }
  /** Everything is gone: another connection, another key, or none. */
  | { readonly kind: 'reset' };

export interface StoreOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Owns what is known of a control plane. Listings come without their `localization`. */
export interface Store {
  alerts(serverId: string): CacheEntry<AlertListing>;
  resources(sourceId: string): CacheEntry<ResourceListing>;
  secrets(sourceId: string): CacheEntry<SecretListing>;
  deployments(resourceId: string): CacheEntry<DeploymentListing>;
  repositories(search: string): CacheEntry<RepositoryPages>;
  integrations(): CacheEntry<IntegrationListing>;
  known(topic: ResourceKey): CacheEntry<unknown>;
  readonly formats: Formats;
  /** Whether there is a client to ask; without one nothing happens. */
  readonly isOpen: boolean;
  /** Until when (wall-clock milliseconds) nothing is asked, since the server said 429. */
  readonly heldUntil: number | undefined;
  /**
   * Asks again, sharing what is under way. Never rejects: a failure is in `known(topic).error`.
   * Network errors, 408, 5xx and 429 are tried again by the rules of the contract before they count.
   */
  refresh(topic: ResourceKey): Promise<void>;
  /** Loads the next page of a search, if there is one; a failure is in `repositories(search).error`. */
  loadMore(search: string): Promise<void>;
  /** Drops everything, aborts what is under way, ignores late answers and asks this client from now on. */
  reset(client: StoreClient | undefined): void;
  /** Drops one topic: nobody wants it any more. */
  forget(topic: ResourceKey): void;
  /** Returns what ends the subscription. Listeners do not throw. */
  onDidChange(listener: (change: StoreChange) => void): () => void;
}

/** Topics of one kind that are kept; beyond this those that were asked for least lately are dropped. */
const maxTopics = 20_000;

interface Entry<K extends Kind> {
  readonly topic: ResourceKey;
  known: CacheEntry<Values[K]>;
  work?: { readonly extent: 'all' | 'more'; readonly promise: Promise<void> } | undefined;
}

/** All that belongs to one connection; a switch leaves it behind as a whole, late answers included. */
interface Generation {
  readonly client: StoreClient | undefined;
  readonly controller: AbortController;
  readonly tries: RequestQueue;
  readonly entries: { readonly [K in Kind]: Map<string, Entry<K>> };
  formats: Formats;
}

export function createStore({ clock, random }: StoreOptions): Store {
  const listeners = new Set<(change: StoreChange) => void>();
  let current = open(undefined);

  function open(client: StoreClient | undefined): Generation {
    const controller = new AbortController();
    return {
      client,
      controller,
      tries: createRequestQueue({ clock, random, signal: controller.signal }),
      entries: {
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

  function publish(change: StoreChange): void {
    [...listeners].forEach((listener) => listener(change));
  }

  function read<K extends Kind>(kind: K, id: string): CacheEntry<Values[K]> {
    return current.entries[kind].get(id)?.known ?? emptyEntry;
  }

  function update<K extends Kind>(
    of: Generation,
    entry: Entry<K>,
    known: CacheEntry<Values[K]>,
  ): void {
    const before = entry.known;
    entry.known = known;
    const { kind } = entry.topic;
    const isKept = of === current && of.entries[kind].get(idOfTopic(entry.topic)) === entry;
    if (isKept && looksDifferent(before, known)) publish({ kind: 'topic', topic: entry.topic });
  }

  function entryFor<K extends Kind>(of: Generation, kind: K, topic: ResourceKey): Entry<K> {
    const entries = of.entries[kind];
    const id = idOfTopic(topic);
    const entry = entries.get(id) ?? { topic, known: emptyEntry };
    // Behind all others: a map keeps its order, so the first is what was asked for least lately.
    entries.delete(id);
    entries.set(id, entry);
    if (entries.size > maxTopics) {
      const { value: first } = entries.keys().next();
      if (first !== undefined) entries.delete(first);
    }
    return entry;
  }

  async function ask<K extends Kind>(
    of: Generation,
    client: StoreClient,
    kind: K,
    entry: Entry<K>,
    extent: 'all' | 'more',
  ): Promise<void> {
    const { signal } = of.controller;
    const change = (members: Partial<CacheEntry<Values[K]>>): void =>
      update(of, entry, { ...entry.known, ...members });
    await of.tries.enter();
    try {
      const { value, formats } = await fetchers[kind]({
        client,
        id: idOfTopic(entry.topic),
        before: entry.known.value,
        extent,
        send: (request) =>
          of.tries.run(
            () => request(signal),
            (error) => change({ error }),
          ),
      });
      of.formats = keepEqual(of.formats, { ...of.formats, ...formats });
      const { error: _error, ...rest } = entry.known;
      update(of, entry, {
        ...rest,
        value: keepEqual(entry.known.value, value),
        at: clock.now(),
        isLoading: false,
        triedAt: clock.monotonic(),
        failures: 0,
      });
    } catch (error) {
      const failures = entry.known.failures + 1;
      change({ error, isLoading: false, triedAt: clock.monotonic(), failures });
    } finally {
      of.tries.leave();
    }
  }

  async function load(topic: ResourceKey, extent: 'all' | 'more'): Promise<void> {
    const of = current;
    const { client } = of;
    if (client === undefined) return;
    const entry = entryFor(of, topic.kind, topic);
    if (entry.work !== undefined) {
      const { work } = entry;
      await work.promise;
      if (work.extent !== extent && of === current) await load(topic, extent);
      return;
    }
    const promise = ask(of, client, topic.kind, entry, extent);
    // What is under way is noted before anybody hears of it and asks for the same.
    entry.work = { extent, promise };
    update(of, entry, { ...entry.known, isLoading: true });
    await promise;
    entry.work = undefined;
  }

  return {
    alerts: (id) => read('alerts', id),
    resources: (id) => read('resources', id),
    secrets: (id) => read('secrets', id),
    deployments: (id) => read('deployments', id),
    repositories: (search) => read('repositories', search),
    integrations: () => read('integrations', ''),
    known: (topic) => read(topic.kind, idOfTopic(topic)),
    get formats() {
      return current.formats;
    },
    get isOpen() {
      return current.client !== undefined;
    },
    get heldUntil() {
      const { heldUntil } = current.tries;
      return heldUntil === undefined ? undefined : clock.now() + heldUntil - clock.monotonic();
    },
    refresh: (topic) => load(topic, 'all'),
    async loadMore(search) {
      if (read('repositories', search).value?.nextPage === undefined) return;
      await load({ kind: 'repositories', search }, 'more');
    },
    reset(client) {
      const old = current;
      current = open(client);
      old.controller.abort();
      publish({ kind: 'reset' });
    },
    forget(topic) {
      current.entries[topic.kind].delete(idOfTopic(topic));
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
