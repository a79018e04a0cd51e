import { second } from '../../api/clock';
import type { Direction } from '../../api/cursors';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { createConnectBudget } from '../follow/reconnectLoop';
import type { SearchQuery } from '../query/searchQuery';
import { createLoads, growthOf, newerEdge, olderEdge } from './pageLoader';
import { createPursuit } from './pursuit';
import { createSearch, type Loaded } from './search';
import {
  type ExplorerServices,
  isAccessLost,
  isPast,
  type LogSource,
  type PageTarget,
  type Results,
  type ResultsListener,
  type Scope,
} from './types';

export interface ResultsOptions {
  readonly services: ExplorerServices;
  readonly source: LogSource;
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly listener: ResultsListener;
}

const mostRecords = 100_000;
const defaultTarget: PageTarget = { first: 500, more: 1000 };
/** A server whose access changes more often is not asked again and again. */
const mostRenewals = 3;
const renewalsWithin = 10 * second;

export function createResults({
  services,
  source,
  query,
  scope,
  listener,
}: ResultsOptions): Results {
  const { clock, maxRecords = mostRecords, maxBytes, pageTarget = defaultTarget } = services;
  const search = createSearch({
    client: source.client,
    filters: scope.filters,
    ...(scope.isOpen ? { until } : {}),
    maxRecords,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const lastEnds: Record<Direction, FetchedPages['end'] | undefined> = {
    older: undefined,
    newer: undefined,
  };
  /** The list as it was told last; undefined before the first page. */
  let told: readonly LogRecord[] | undefined;
  const renewals = createConnectBudget(mostRenewals, renewalsWithin);
  let flags = noFlags();
  let accessChanged = false;
  let wasFollowing = false;

  /** What comes after the end of the stream's cursor must come on the stream, whatever our clock says. */
  function until(): string {
    return pursuit.until ?? new Date(clock.now()).toISOString();
  }

  const tell = (direction: Direction): void => {
    const before = told;
    told = search.records;
    if (before === undefined) {
      listener.didReplace();
      return;
    }
    const { added, dropped } = growthOf(before, told, direction);
    if (added.length > 0 || dropped > 0) listener.didAdd(direction, added, dropped);
  };

  const fail = (error: unknown): void => {
    if (isAccessLost(error)) results.lose(error);
    else {
      flags.failure = error;
      listener.didChange();
    }
  };

  const pursuit = createPursuit({
    services: { ...services, ...source },
    filter: query.filter,
    from: scope.filters.from,
    search,
    loadNewer: () => results.load('newer'),
    listener: {
      didChange: () => listener.didChange(),
      didTake({ records, partial, hasGap, leftOut }) {
        const { dropped } = search;
        search.follow(records);
        tell('newer');
        flags.partial ||= partial;
        flags.restarted ||= hasGap;
        flags.leftOut += leftOut;
        const isNews = partial || hasGap || leftOut > 0 || search.dropped > dropped;
        if (isNews) listener.didChange();
      },
      didChangeAccess: () => results.renew(),
      didFail: fail,
    },
  });

  /** Ends everything and empties the list. */
  const forget = (): void => {
    wasFollowing ||= pursuit.state !== undefined;
    pursuit.drop();
    loads.forget();
    search.clear();
    told = undefined;
    lastEnds.older = lastEnds.newer = undefined;
    flags = noFlags();
  };

  /** Answers whether it came through. */
  const take = (
    direction: Direction,
    loaded: Exclude<Loaded, { readonly kind: 'accessChanged' }>,
  ): boolean => {
    if (loaded.kind === 'full') return true;
    flags.restarted ||= loaded.restarted;
    // The first page stands for the older end, whichever way was asked for.
    lastEnds[told === undefined ? 'older' : direction] = loaded.end;
    tell(direction);
    return loaded.end !== 'cancelled';
  };

  const loads = createLoads(search, pageTarget, {
    didChange: () => listener.didChange(),
    didLoad(direction, loaded) {
      if (loaded.kind === 'accessChanged') {
        results.renew();
        return false;
      }
      const isDone = take(direction, loaded);
      listener.didChange();
      return isDone;
    },
    didFail(direction, error, wasCancelled) {
      // What came before it failed is in the list.
      if (told !== undefined) tell(direction);
      if (wasCancelled) listener.didChange();
      else fail(error);
    },
  });

  const results: Results = {
    query,
    scope,
    get state() {
      const isFollowed = pursuit.isLive;
      return {
        loading: loads.progress,
        failure: flags.failure,
        older: olderEdge(search, lastEnds),
        newer: newerEdge(search, lastEnds, isFollowed || isPast(scope, clock.now())),
        following: pursuit.state,
        partial: search.partial || flags.partial,
        accessChanged,
        restarted: flags.restarted,
        leftOut: flags.leftOut,
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
      const running = loads.running(direction);
      if (running !== undefined) return running;
      if (direction === 'newer' && pursuit.isLive) return Promise.resolve(true);
      flags.failure = undefined;
      return loads.begin(direction, told === undefined);
    },
    cancel() {
      pursuit.cancel();
      loads.cancel();
    },
    follow() {
      if (scope.isOpen) pursuit.begin();
    },
    pause: () => pursuit.pause(),
    resume: () => pursuit.resume(),
    stopFollowing() {
      wasFollowing = false;
      pursuit.stop();
    },
    renew() {
      const now = clock.monotonic();
      const isTooOften = renewals.wait(now) > 0;
      renewals.spend(now);
      forget();
      accessChanged = true;
      listener.didReplace();
      if (isTooOften) listener.didChange();
      else results.retry();
    },
    lose(why) {
      forget();
      flags.failure = why;
      listener.didReplace();
      listener.didChange();
    },
    retry() {
      void results.load('older').then((isDone) => {
        if (!isDone || !wasFollowing) return;
        wasFollowing = false;
        results.follow();
      });
    },
    dispose: forget,
  };
  return results;
}

interface Flags {
  failure: unknown;
  partial: boolean;
  restarted: boolean;
  leftOut: number;
}

function noFlags(): Flags {
  return { failure: undefined, partial: false, restarted: false, leftOut: 0 };
}
