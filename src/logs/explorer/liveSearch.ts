import { createRateLimiter } from '../../api/rateLimiter';
import type { ControlPlaneClient } from '../../api/client';
import { type Clock, second } from '../../base/clock';
import type { Direction } from '../../api/cursors';
import { type ApiError, failedAs } from '../../api/errors';
import { enough } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { isPast, type Scope, type SearchQuery } from '../query/searchQuery';
import {
  newerPaging,
  noStatus,
  olderPaging,
  type LoadProgress,
  type SearchStatus,
} from './explorerState';
import { createFollower } from './follower';
import { worthShowing } from './loadProgress';
import { type Loaded, PagedSearch, type SearchRequest } from './pagedSearch';

/** What a search needs of a connection. */
export interface LogSource {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream' | 'serverNow'>;
  /** The API key or a fingerprint of it, to detect changes; undefined if signed out. */
  readonly readKey: () => Promise<string | undefined>;
}

export interface LiveSearchServices extends Pick<SearchRequest, 'maxRecords' | 'maxBytes'> {
  readonly clock: Clock;
  /** How far ahead of now the range of a stream ends, in milliseconds. */
  readonly ahead?: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;

  /** The number of records to load first, and each time after that. Default: 500 and 1,000. */
  readonly pageTarget?: { readonly first: number; readonly more: number };
}

/** Whether an error means that the records must no longer be shown. */
export function isAccessLost(error: unknown): error is ApiError {
  return failedAs(error, 'signedOut', 'unknownKey', 'missingPermission');
}

/** Called synchronously, in the order of events. */
export interface LiveSearchListener {
  didChange(search: LiveSearch): void;
  /** The whole list changed; `didChange` follows. */
  didReplace(search: LiveSearch): void;
  /** `added` came at an end, and `dropped` were removed at the older end. Oldest first. */
  didAdd(
    search: LiveSearch,
    at: Direction,
    added: readonly LogRecord[],
    dropped: readonly LogRecord[],
  ): void;
}

/** One search with its records, loaded and followed. Never rejects: failures are part of its status. */
export interface LiveSearch {
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly status: SearchStatus;
  /** Oldest first. Changes in place: copy what is used later. */
  readonly records: readonly LogRecord[];
  /** Identifies the permissions; undefined before the first page. */
  readonly accessRevision: string | undefined;
  /**
   * Loads records at one end, starting with the newest. A load that is running is not started twice.
   * Returns whether it succeeded.
   */
  load(direction: Direction): Promise<boolean>;
  /** Stops loading; loaded records stay. */
  cancel(): void;
  /** Starts to follow, or resumes. */
  follow(): void;
  /** Returns whether this paused it. */
  pause(): boolean;
  stopFollowing(): void;
  /** Removes everything and loads it again, because the permissions changed. */
  renew(): void;
  /** Removes everything, because access is lost. */
  invalidate(why: unknown): void;
  /** Loads again after a failure, and follows again if it did before. */
  retry(): void;
  /** Ends everything; the listener is no longer called. */
  dispose(): void;
}

interface Load {
  readonly controller: AbortController;
  progress: LoadProgress;
  done: Promise<boolean>;
}

const defaultTarget = { first: 500, more: 1000 };

export function createLiveSearch(
  services: LiveSearchServices,
  source: LogSource,
  query: SearchQuery,
  scope: Scope,
  listener: LiveSearchListener,
): LiveSearch {
  const { clock, pageTarget = defaultTarget } = services;
  /** Limits how often a server whose permissions change all the time is asked. */
  const renewals = createRateLimiter(clock, 3, 10 * second);
  /** The running loads, at most one for each end. A load that is not here any more has no effect. */
  const loads = new Map<Direction, Load>();
  /** What happened since the list was last empty. */
  let past: Pick<SearchStatus, 'failure' | 'partial' | 'restarted' | 'leftOut'> = noStatus;
  let hasFirstPage = false;
  let accessChanged = false;
  let wasFollowing = false;

  const didChange = (): void => listener.didChange(self);

  const search = new PagedSearch({
    ...services,
    client: source.client,
    filters: scope.filters,
    ...(scope.isOpen
      ? { until: () => follower.until ?? new Date(source.client.serverNow()).toISOString() }
      : {}),
  });
  search.onDidAdd(({ direction, records, dropped }) => {
    // The first page replaces the list.
    if (!hasFirstPage || (records.length === 0 && dropped.length === 0)) return;
    listener.didAdd(self, direction, records, dropped);
  });

  const fail = (error: unknown): void => {
    past = { ...past, failure: error };
    if (isAccessLost(error)) self.invalidate(error);
    else didChange();
  };

  const follower = createFollower({
    services: { ...services, ...source },
    filter: query.filter,
    from: scope.filters.from,
    search,
    loadNewer: () => self.load('newer'),
    listener: {
      didChange,
      didTake({ records, partial, hasGap, leftOut }) {
        const { dropped } = search;
        search.follow(records);
        past = {
          ...past,
          partial: past.partial || partial,
          restarted: past.restarted || hasGap,
          leftOut: past.leftOut + leftOut,
        };
        if (partial || hasGap || leftOut > 0 || search.dropped > dropped) didChange();
      },
      didChangeAccess: () => self.renew(),
      didFail: fail,
    },
  });

  const clear = (): void => {
    wasFollowing ||= follower.state !== undefined;
    follower.drop();
    const running = [...loads.values()];
    loads.clear();
    for (const { controller } of running) controller.abort();
    search.clear();
    past = noStatus;
    hasFirstPage = false;
  };

  /** Returns whether the load succeeded. */
  const take = (loaded: Loaded): boolean => {
    if (loaded.kind === 'accessChanged') {
      self.renew();
      return false;
    }
    if (loaded.kind === 'records') {
      past = { ...past, restarted: past.restarted || loaded.restarted };
      if (!hasFirstPage) {
        hasFirstPage = true;
        listener.didReplace(self);
      }
    }
    didChange();
    return loaded.kind === 'full' || loaded.end !== 'cancelled';
  };

  const run = async (direction: Direction, load: Load): Promise<boolean> => {
    const { signal } = load.controller;
    const isOver = (): boolean => loads.get(direction) !== load;
    const show = (progress: Partial<LoadProgress>): void => {
      if (isOver()) return;
      load.progress = { ...load.progress, ...progress };
      didChange();
    };
    const isFirst = load.progress.direction === 'first';
    try {
      const loaded = await search.load(direction, {
        target: isFirst ? pageTarget.first : pageTarget.more,
        signal,
        onProgress: ({ records, pages }) => show({ records, pages }),
        onWait(next) {
          const wait = worthShowing(next);
          if (wait !== load.progress.wait) show({ wait });
        },
      });
      if (isOver()) return false;
      loads.delete(direction);
      return take(loaded);
    } catch (error) {
      if (isOver()) return false;
      loads.delete(direction);
      if (signal.reason === enough) didChange();
      else fail(error);
      return false;
    }
  };

  const self: LiveSearch = {
    query,
    scope,
    get status() {
      const { failure, partial, restarted, leftOut } = past;
      const [first] = loads.values();
      return {
        loading: first?.progress,
        failure,
        older: olderPaging(search),
        newer: newerPaging(search, follower.isLive || isPast(scope, source.client.serverNow())),
        following: follower.state,
        partial: partial || search.state?.partial === true,
        accessChanged,
        restarted,
        leftOut,
        dropped: search.dropped,
        localization: search.state?.localization,
      };
    },
    get records() {
      return search.records;
    },
    get accessRevision() {
      return search.state?.accessRevision;
    },
    load(direction) {
      const running = loads.get(direction);
      if (running !== undefined) return running.done;
      if (direction === 'newer' && follower.isLive) return Promise.resolve(true);
      past = { ...past, failure: undefined };
      const load: Load = {
        controller: new AbortController(),
        progress: {
          direction: hasFirstPage ? direction : 'first',
          records: 0,
          pages: 0,
          wait: undefined,
        },
        done: Promise.resolve(false),
      };
      loads.set(direction, load);
      load.done = run(direction, load);
      didChange();
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

    stopFollowing() {
      wasFollowing = false;
      follower.stop();
    },
    renew() {
      const isTooOften = renewals.freeIn() > 0;
      renewals.take();
      clear();
      accessChanged = true;
      listener.didReplace(self);
      if (isTooOften) didChange();
      else self.retry();
    },
    invalidate(why) {
      clear();
      past = { ...past, failure: why };
      listener.didReplace(self);
      didChange();
    },
    retry() {
      void self.load('older').then((isDone) => {
        if (!isDone || !wasFollowing) return;
        wasFollowing = false;
        self.follow();
      });
    },
    dispose: clear,
  };
  return self;
}
