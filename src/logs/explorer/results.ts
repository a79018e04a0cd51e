import type { Wait } from '../../api/client';
import type { LogRecord } from '../../api/types';
import { second } from '../../api/units';
import type { SearchQuery } from '../query/searchQuery';
import { enough } from '../search/drain';
import type { Drained } from '../search/drain';
import { worthTelling } from '../search/loadTeller';
import type { Direction } from '../search/pageOrder';
import { createSearch } from '../search/search';
import type { Loaded } from '../search/search';
import { createConnectBudget } from '../tail/connectBudget';
import { growthOf, newerEdge, olderEdge } from './edges';
import { createPursuit } from './pursuit';
import { isPast } from './scope';
import type { Scope } from './scope';
import { isAccessLost } from './services';
import type { ExplorerServices, LogClient } from './services';
import type { Results, ResultsListener, ResultsState } from './resultsTypes';

export interface ResultsOptions {
  readonly services: ExplorerServices;
  readonly client: LogClient;
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly listener: ResultsListener;
}

interface Load {
  readonly controller: AbortController;
  readonly isFirst: boolean;
  done: Promise<boolean>;
  records: number;
  pages: number;
  wait: Wait | undefined;
}

const mostRecords = 100_000;
const defaultTarget = { first: 500, more: 1000 };
/** A server whose access changes more often is not asked again and again. */
const mostRenewals = 3;
const renewalsWithin = 10 * second;

export function createResults({
  services,
  client,
  query,
  scope,
  listener,
}: ResultsOptions): Results {
  const { clock, maxRecords = mostRecords, pageTarget = defaultTarget } = services;
  const search = createSearch({ client, filters: scope.filters, maxRecords });
  const loads = new Map<Direction, Load>();
  const lastEnds: Record<Direction, Drained['end'] | undefined> = {
    older: undefined,
    newer: undefined,
  };
  /** The list as it was told last; undefined before the first page. */
  let told: readonly LogRecord[] | undefined;
  const renewals = createConnectBudget(mostRenewals, renewalsWithin);
  let flags = noFlags();
  let accessChanged = false;
  let wasFollowing = false;

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
    services: { ...services, client },
    filter: query.filter,
    filters: scope.filters,
    search,
    loadNewer: () => results.load('newer'),
    listener: {
      didChange: () => listener.didChange(),
      didTake({ records, partial, hasGap, leftOut }, from) {
        const before = olderEdge(search, lastEnds, maxRecords).kind;
        search.follow(records, from);
        tell('newer');
        flags.partial ||= partial;
        flags.restarted ||= hasGap;
        flags.leftOut += leftOut;
        const isNews = partial || hasGap || leftOut > 0;
        if (isNews || olderEdge(search, lastEnds, maxRecords).kind !== before) listener.didChange();
      },
      didChangeAccess: () => results.renew(),
      didFail: fail,
    },
  });

  /** Ends everything and empties the list. */
  const forget = (): void => {
    wasFollowing ||= pursuit.state !== undefined;
    pursuit.drop();
    const running = [...loads.values()];
    loads.clear();
    for (const { controller } of running) controller.abort();
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

  const run = async (direction: Direction, load: Load): Promise<boolean> => {
    const { signal } = load.controller;
    const isOver = (): boolean => loads.get(direction) !== load;
    let isDone = false;
    try {
      const loaded = await search[direction === 'older' ? 'loadOlder' : 'loadNewer']({
        target: load.isFirst ? pageTarget.first : pageTarget.more,
        signal,
        makesRoom: true,
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
      if (loaded.kind === 'accessChanged') {
        results.renew();
        return false;
      }
      isDone = take(direction, loaded);
    } catch (error) {
      if (isOver()) return false;
      loads.delete(direction);
      // What came before it failed is in the list.
      if (told !== undefined) tell(direction);
      if (signal.reason !== enough) {
        fail(error);
        return false;
      }
    }
    listener.didChange();
    return isDone;
  };

  const loadingNow = (): ResultsState['loading'] => {
    for (const [direction, { isFirst, records, pages, wait }] of loads) {
      const told = wait === undefined ? {} : { wait };
      return { direction: isFirst ? 'first' : direction, records, pages, ...told };
    }
    return undefined;
  };

  const results: Results = {
    query,
    scope,
    get state() {
      const isFollowed = pursuit.isLive;
      return {
        loading: loadingNow(),
        failure: flags.failure,
        older: olderEdge(search, lastEnds, maxRecords),
        newer: newerEdge(search, lastEnds, isFollowed || isPast(scope, clock.now())),
        following: pursuit.state,
        partial: search.partial || flags.partial,
        accessChanged,
        restarted: flags.restarted,
        leftOut: flags.leftOut,
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
      if (direction === 'newer' && pursuit.isLive) return Promise.resolve(true);
      const load: Load = {
        controller: new AbortController(),
        isFirst: told === undefined,
        done: Promise.resolve(false),
        records: 0,
        pages: 0,
        wait: undefined,
      };
      loads.set(direction, load);
      flags.failure = undefined;
      load.done = run(direction, load);
      listener.didChange();
      return load.done;
    },
    cancel() {
      pursuit.cancel();
      for (const { controller } of loads.values()) controller.abort(enough);
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
