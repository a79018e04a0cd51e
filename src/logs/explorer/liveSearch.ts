import type { ControlPlaneClient, Wait } from '../../api/client';
import { type Clock, second } from '../../api/clock';
import type { Direction } from '../../api/cursors';
import { ApiError } from '../../api/errors';
import { enough, type FetchedPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { createConnectBudget } from '../follow/reconnectLoop';
import { isPast, type Scope, type SearchQuery } from '../query/searchQuery';
import { newerPaging, olderPaging, type LoadProgress, type SearchStatus } from './explorerState';
import { createFollower } from './follow';
import { worthTelling } from './progress';
import { createSearch, type Loaded } from './search';

/** A connection, as far as logs are read from it. */
export interface LogSource {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  /** The key or a fingerprint of it, to tell whether it changed; undefined means signed out. */
  readonly readKey: () => Promise<string | undefined>;
}

export interface LiveSearchServices {
  readonly clock: Clock;
  /** As that of a tail. */
  readonly ahead?: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** How many records are held at most: 100,000. */
  readonly maxRecords?: number;
  /** How much memory they take at most, by an estimate: 128 MiB. */
  readonly maxBytes?: number;
  /** How many records a load is to bring: 500 at first, and 1,000 from then on. */
  readonly pageTarget?: { readonly first: number; readonly more: number };
}

/** Whether an error says that what was shown may be shown no longer. */
export function isAccessLost(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.kind === 'signedOut' || error.status === 401 || error.status === 403;
}

/** Told synchronously, in the order in which things happen. */
export interface LiveSearchListener {
  didChange(): void;
  /** The list is another one now, or empty; that something has changed is told behind it. */
  didReplace(): void;
  /** Records came at an end, oldest first; while as many of the oldest as `dropped` gave way. */
  didAdd(direction: Direction, records: readonly LogRecord[], dropped: number): void;
}

/** One search with its list and what follows it. Nothing of it rejects: failures are states. */
export interface LiveSearch {
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly status: SearchStatus;
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** What may be seen, as the server names it; undefined before the first page. */
  readonly accessRevision: string | undefined;
  /**
   * Loads more in a direction, unless that is being done; the newest there are, at first. Answers
   * whether it came through.
   */
  load(direction: Direction): Promise<boolean>;
  /** Ends what is loading; what has come stays. */
  cancel(): void;
  follow(): void;
  /** Answers whether it was following and is paused now. */
  pause(): boolean;
  resume(): void;
  stopFollowing(): void;
  /** What may be seen has changed: all is gone, and loaded anew. */
  renew(): void;
  /** Nothing may be seen any more. */
  lose(why: unknown): void;
  /** Goes on where nothing could be seen: it may be another key. */
  retry(): void;
  /** Ends all; nothing is told any more. */
  dispose(): void;
}

interface LiveSearchOptions {
  readonly services: LiveSearchServices;
  readonly source: LogSource;
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly listener: LiveSearchListener;
}

/** A load that is under way: one at each end at most. */
interface Load {
  readonly controller: AbortController;
  readonly isFirst: boolean;
  done: Promise<boolean>;
  records: number;
  pages: number;
  wait: Wait | undefined;
}

/** What has happened since all was loaded anew. */
interface Past {
  /** Whether the first page is there. */
  hasList: boolean;
  failure: unknown;
  partial: boolean;
  restarted: boolean;
  leftOut: number;
  /** Why the last load ended at each end. */
  readonly ends: Record<Direction, FetchedPages['end'] | undefined>;
}

const mostRecords = 100_000;
const defaultTarget = { first: 500, more: 1000 };
/** A server whose access changes more often is not asked again and again. */
const mostRenewals = 3;
const renewalsWithin = 10 * second;

export function createLiveSearch({
  services,
  source,
  query,
  scope,
  listener,
}: LiveSearchOptions): LiveSearch {
  const { clock, maxRecords = mostRecords, maxBytes, pageTarget = defaultTarget } = services;
  const renewals = createConnectBudget(mostRenewals, renewalsWithin);
  /** Those of before all was forgotten are not among them, and nothing more is told of them. */
  const loads = new Map<Direction, Load>();
  let past = noPast();
  let accessChanged = false;
  let wasFollowing = false;

  const search = createSearch({
    client: source.client,
    filters: scope.filters,
    ...(scope.isOpen ? { until } : {}),
    maxRecords,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    onDidAdd(direction, added, dropped) {
      // The first page is a list of its own.
      if (!past.hasList || (added.length === 0 && dropped === 0)) return;
      listener.didAdd(direction, added, dropped);
    },
  });

  /** What comes after the end of the stream's cursor must come on the stream, whatever our clock says. */
  function until(): string {
    return follower.until ?? new Date(clock.now()).toISOString();
  }

  const fail = (error: unknown): void => {
    if (isAccessLost(error)) self.lose(error);
    else {
      past.failure = error;
      listener.didChange();
    }
  };

  const follower = createFollower({
    services: { ...services, ...source },
    filter: query.filter,
    from: scope.filters.from,
    search,
    loadNewer: () => self.load('newer'),
    listener: {
      didChange: () => listener.didChange(),
      didTake({ records, partial, hasGap, leftOut }) {
        const { dropped } = search;
        search.follow(records);
        past.partial ||= partial;
        past.restarted ||= hasGap;
        past.leftOut += leftOut;
        const isNews = partial || hasGap || leftOut > 0 || search.dropped > dropped;
        if (isNews) listener.didChange();
      },
      didChangeAccess: () => self.renew(),
      didFail: fail,
    },
  });

  /** Ends everything and empties the list. */
  const forget = (): void => {
    wasFollowing ||= follower.state !== undefined;
    follower.drop();
    const running = [...loads.values()];
    loads.clear();
    for (const { controller } of running) controller.abort();
    search.clear();
    past = noPast();
  };

  /** Answers whether it came through. */
  const take = (direction: Direction, loaded: Loaded): boolean => {
    if (loaded.kind === 'accessChanged') {
      self.renew();
      return false;
    }
    if (loaded.kind === 'records') {
      past.restarted ||= loaded.restarted;
      // The first page stands for the older end, whichever way was asked for.
      past.ends[past.hasList ? direction : 'older'] = loaded.end;
      if (!past.hasList) {
        past.hasList = true;
        listener.didReplace();
      }
    }
    listener.didChange();
    return loaded.kind === 'full' || loaded.end !== 'cancelled';
  };

  const run = async (direction: Direction, load: Load): Promise<boolean> => {
    const { signal } = load.controller;
    const isOver = (): boolean => loads.get(direction) !== load;
    try {
      const loaded = await search[direction === 'older' ? 'loadOlder' : 'loadNewer']({
        target: load.isFirst ? pageTarget.first : pageTarget.more,
        signal,
        onProgress({ records, pages }) {
          if (isOver()) return;
          load.records = records;
          load.pages = pages;
          listener.didChange();
        },
        onWait(next) {
          const wait = worthTelling(next);
          if (isOver() || wait === load.wait) return;
          load.wait = wait;
          listener.didChange();
        },
      });
      if (isOver()) return false;
      loads.delete(direction);
      return take(direction, loaded);
    } catch (error) {
      if (isOver()) return false;
      loads.delete(direction);
      if (signal.reason === enough) listener.didChange();
      else fail(error);
      return false;
    }
  };

  /** How far that load is which began first. */
  const progress = (): LoadProgress | undefined => {
    for (const [direction, { isFirst, records, pages, wait }] of loads) {
      const waiting = wait === undefined ? {} : { wait };
      return { direction: isFirst ? 'first' : direction, records, pages, ...waiting };
    }
    return undefined;
  };

  const self: LiveSearch = {
    query,
    scope,
    get status() {
      const { failure, partial, restarted, leftOut, ends } = past;
      const isClosed = follower.isLive || isPast(scope, clock.now());
      return {
        loading: progress(),
        failure,
        older: olderPaging(search, ends.older),
        newer: newerPaging(search, ends.newer, isClosed),
        following: follower.state,
        partial: search.partial || partial,
        accessChanged,
        restarted,
        leftOut,
        dropped: search.dropped,
        localization: search.localization,
      };
    },
    get records() {
      return search.records;
    },
    get accessRevision() {
      return search.accessRevision;
    },
    load(direction) {
      const running = loads.get(direction);
      if (running !== undefined) return running.done;
      if (direction === 'newer' && follower.isLive) return Promise.resolve(true);
      past.failure = undefined;
      const load: Load = {
        controller: new AbortController(),
        isFirst: !past.hasList,
        done: Promise.resolve(false),
        records: 0,
        pages: 0,
        wait: undefined,
      };
      loads.set(direction, load);
      load.done = run(direction, load);
      listener.didChange();
      return load.done;
    },
    cancel() {
      follower.cancel();
      for (const { controller } of loads.values()) controller.abort(enough);
    },
    follow() {
      if (scope.isOpen) follower.begin();
    },
    pause: () => follower.pause(),
    resume: () => follower.resume(),
    stopFollowing() {
      wasFollowing = false;
      follower.stop();
    },
    renew() {
      const now = clock.monotonic();
      const isTooOften = renewals.wait(now) > 0;
      renewals.spend(now);
      forget();
      accessChanged = true;
      listener.didReplace();
      if (isTooOften) listener.didChange();
      else self.retry();
    },
    lose(why) {
      forget();
      past.failure = why;
      listener.didReplace();
      listener.didChange();
    },
    retry() {
      void self.load('older').then((isDone) => {
        if (!isDone || !wasFollowing) return;
        wasFollowing = false;
        self.follow();
      });
    },
    dispose: forget,
  };
  return self;
}

function noPast(): Past {
  return {
    hasList: false,
    failure: undefined,
    partial: false,
    restarted: false,
    leftOut: 0,
    ends: { older: undefined, newer: undefined },
  };
}
