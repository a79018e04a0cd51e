import type { Clock } from '../../api/clock';
import type { Direction } from '../../api/cursors';
import { InvalidRequestError, localizableMessage } from '../../api/errors';
import type { LogRecord } from '../../api/types';
import { createKeyWatch, type KeyWatch, signedOutError } from '../follow/reconnectLoop';
import { scopeOf, type SearchQuery } from '../query/searchQuery';
import type { When } from '../query/timeExpression';
import { type Around, loadAround } from './around';
import { type ExplorerState, noStatus } from './explorerState';
import {
  createLiveSearch,
  isAccessLost,
  type LiveSearch,
  type LiveSearchListener,
  type LiveSearchServices,
  type LogSource,
} from './liveSearch';
import { capabilitiesOf } from './rows';

/** Told synchronously, in the order in which things happen; must not throw. */
export interface ExplorerListener {
  onDidChange(state: ExplorerState): void;
  /** The list is another one now, or empty. Oldest first. */
  onDidReplace(records: readonly LogRecord[]): void;
  /** Records came at an end, oldest first; while as many of the oldest as `dropped` gave way. */
  onDidAdd(change: Direction, records: readonly LogRecord[], dropped: number): void;
}

/** The Log Explorer without its page: one search at a time, its list, and what follows it live. */
export interface ExplorerSession {
  readonly state: ExplorerState;
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** The record with this event id, if it is shown. */
  record(eventId: string): LogRecord | undefined;
  /** Ends what is running and searches anew; what was shown stays until the first page is there. */
  run(search: SearchQuery): void;
  loadOlder(): void;
  loadNewer(): void;
  /** Ends what is loading; what has come stays. */
  cancel(): void;
  /** Goes on live behind the newest record. Only where the range of the search has no end. */
  follow(): void;
  pause(): void;
  resume(): void;
  stopFollowing(): void;
  /** Shows the records around one of them in its container, in place of the results. */
  showContext(record: LogRecord): void;
  /** To the results that were shown before. */
  back(): void;
  /** The key may have changed. */
  keyChanged(): void;
  /** Forgets everything, as where the connection is another one or the access is gone. */
  clear(): void;
  dispose(): void;
}

export interface ExplorerServices extends LiveSearchServices {
  readonly clock: Clock;
  /** What a search begins on, and stays with; undefined where nobody is signed in. */
  readonly source: () => LogSource | undefined;
  readonly when: () => When;
}

/** The records around one of them, in place of the results. */
interface Context extends Around {
  readonly record: LogRecord;
  /** Whether the results were followed, and are paused until they are shown again. */
  readonly hasPaused: boolean;
}

interface WatchedKey {
  readonly source: LogSource;
  readonly keys: KeyWatch;
  key?: string | undefined;
}

/** How many records are shown on either side of one. */
const contextCount = 50;

const loadingContext = { direction: 'first', records: 0, pages: 0 } as const;

/**
 * Makes a session of the explorer. A search that fails before its first page leaves the results of the
 * one before it; a loss of the access to logs leaves nothing. While a context is shown, the following of
 * the results is paused: it counts what comes, and hands it on once the results are shown again.
 */
export function createExplorerSession(
  services: ExplorerServices,
  listener: ExplorerListener,
): ExplorerSession {
  let results: LiveSearch | undefined;
  /** What takes the place of the results once it has something to show. */
  let pending: LiveSearch | undefined;
  /** What was asked for last, whatever came of it. */
  let asked: SearchQuery | undefined;
  let context: Context | undefined;
  /** Ends the loading of a context; what another one takes the place of counts no longer. */
  let contextLoad: AbortController | undefined;
  /** Why there is no other list than the one that is shown. */
  let failure: unknown;
  /** The key that what is shown was found with. */
  let watched: WatchedKey | undefined;
  let epoch = 0;
  let depth = 0;
  let hasChanged = false;
  let isDisposed = false;

  const records = (): readonly LogRecord[] => context?.records ?? results?.records ?? [];

  const state = (): ExplorerState => {
    const current = results ?? pending;
    const { loading, failure: failed, ...status } = current?.status ?? noStatus;
    const isHidden = context !== undefined;
    const count = records().length;
    return {
      ...status,
      ...(isHidden ? { older: noStatus.older, newer: noStatus.newer, restarted: false } : {}),
      epoch,
      search: current?.query,
      window: current?.scope.window,
      isPrevious: !isHidden && pending === undefined && count > 0 && asked !== results?.query,
      context: context?.record,
      canGoBack: isHidden,
      loading:
        pending?.status.loading ??
        (contextLoad && loadingContext) ??
        (isHidden ? undefined : loading),
      failure: failure ?? (isHidden || pending !== undefined ? undefined : failed),
      count,
      partial: context?.partial ?? status.partial,
    };
  };

  /** Tells that something has changed. */
  const didChange = (): void => {
    if (isDisposed) return;
    if (depth > 0) hasChanged = true;
    else listener.onDidChange(state());
  };

  /** Tells of the records that there are now, as another list; that there is a change is still to be told. */
  const didReplace = (): void => {
    if (isDisposed) return;
    epoch++;
    listener.onDidReplace(records());
  };

  /** Does something, and tells once of all changes in it. */
  const once = (act: () => void): void => {
    depth++;
    try {
      act();
    } finally {
      depth--;
    }
    if (depth > 0 || !hasChanged) return;
    hasChanged = false;
    didChange();
  };

  const endContextLoad = (): void => {
    contextLoad?.abort();
    contextLoad = undefined;
  };

  const dropPending = (): void => {
    pending?.dispose();
    pending = undefined;
  };

  /** Makes these the results, or none, whatever is shown. */
  const adopt = (next: LiveSearch | undefined): void => {
    if (next !== results) results?.dispose();
    results = next;
    if (next === pending) pending = undefined;
    context = undefined;
    failure = undefined;
    endContextLoad();
  };

  /** Everything that is shown must go. */
  const lose = (why: unknown): void => {
    const left = results ?? pending;
    if (left !== pending) dropPending();
    if (left === undefined) failure = why;
    else left.lose(why);
  };

  /** Takes note of a search that has ended before its first page. */
  const settle = (ended: LiveSearch): void => {
    if (records().length === 0 && context === undefined) adopt(ended);
    else {
      ({ failure } = ended.status);
      dropPending();
    }
  };

  /** What is told by a search that is shown, or is to be; others are heard no more. */
  const listenTo = (which: () => LiveSearch): LiveSearchListener => {
    const isHeard = (one: LiveSearch): boolean => one === pending || one === results;
    return {
      didChange() {
        const one = which();
        if (!isHeard(one)) return;
        if (one === pending && one.status.loading === undefined) settle(one);
        didChange();
      },
      didReplace() {
        const one = which();
        if (!isHeard(one)) return;
        adopt(one);
        didReplace();
      },
      didAdd(direction, added, dropped) {
        if (which() !== results || context !== undefined) return;
        listener.onDidAdd(direction, added, dropped);
      },
    };
  };

  /** What is to be done with the results, where nothing else is shown or on its way. */
  const withResults = (act: (results: LiveSearch) => void): void => {
    const shown = results;
    if (shown === undefined || pending !== undefined || context !== undefined) return;
    once(() => {
      failure = undefined;
      act(shown);
    });
  };

  const watchKey = (source: LogSource): void => {
    if (watched?.source !== source) watched = { source, keys: createKeyWatch(source.readKey) };
    const mine = watched;
    if (mine.key === undefined) void mine.keys.look().then((key) => (mine.key ??= key));
  };

  async function loadContext(record: LogRecord, mine: AbortController): Promise<void> {
    const source = services.source();
    if (source === undefined) throw signedOutError();
    const { client } = source;
    const { signal } = mine;
    const now = services.clock.now();
    const around = await loadAround({ client, record, count: contextCount, now, signal });
    if (contextLoad !== mine) return;
    const { accessRevision } = around;
    once(() => {
      contextLoad = undefined;
      // Where the access is another one, neither what was found nor what is shown may be seen.
      const isOther = accessRevision !== (results?.accessRevision ?? accessRevision);
      if (accessRevision === undefined || isOther) results?.renew();
      else {
        const hasPaused = context?.hasPaused ?? results?.pause() ?? false;
        context = { ...around, record, hasPaused };
        didReplace();
      }
      didChange();
    });
  }

  return {
    get state() {
      return state();
    },
    get records() {
      return records();
    },
    record: (eventId) => records().find((one) => one.eventId === eventId),
    run(query) {
      if (isDisposed) return;
      once(() => {
        endContextLoad();
        dropPending();
        results?.cancel();
        results?.stopFollowing();
        failure = undefined;
        asked = query;
        didChange();
        const source = services.source();
        const scope = scopeOf(query, services.when());
        if (source === undefined) lose(signedOutError());
        else if (scope === undefined) failure = reversedRange();
        else {
          const opened: LiveSearch = createLiveSearch({
            services,
            source,
            query,
            scope,
            listener: listenTo(() => opened),
          });
          pending = opened;
          watchKey(source);
          void opened.load('older');
        }
      });
    },
    loadOlder: () => withResults((shown) => void shown.load('older')),
    loadNewer: () => withResults((shown) => void shown.load('newer')),
    cancel() {
      once(() => {
        if (contextLoad !== undefined) didChange();
        endContextLoad();
        pending?.cancel();
        if (context === undefined) results?.cancel();
      });
    },
    follow: () => withResults((shown) => shown.follow()),
    pause: () => withResults((shown) => void shown.pause()),
    resume: () => withResults((shown) => shown.resume()),
    stopFollowing() {
      results?.stopFollowing();
      if (context !== undefined) context = { ...context, hasPaused: false };
    },
    showContext(record) {
      if (isDisposed || pending !== undefined || !capabilitiesOf(record).hasContext) return;
      endContextLoad();
      const mine = new AbortController();
      contextLoad = mine;
      failure = undefined;
      didChange();
      loadContext(record, mine).catch((error: unknown) => {
        if (contextLoad !== mine) return;
        once(() => {
          contextLoad = undefined;
          if (isAccessLost(error)) lose(error);
          else failure = error;
          didChange();
        });
      });
    },
    back() {
      once(() => {
        if (contextLoad !== undefined) didChange();
        endContextLoad();
        const left = context;
        if (left === undefined) return;
        context = undefined;
        failure = undefined;
        didReplace();
        didChange();
        if (left.hasPaused) results?.resume();
      });
    },
    keyChanged() {
      const mine = watched;
      void mine?.keys.look().then((key) => {
        const before = mine.key;
        mine.key = key;
        if (isDisposed || mine !== watched || key === before) return;
        once(() => {
          if (key === undefined) lose(signedOutError());
          else if (before !== undefined) (pending ?? results)?.renew();
          else if (isAccessLost(results?.status.failure)) results.retry();
        });
      });
    },
    clear() {
      once(() => {
        const hadAny = results !== undefined || pending !== undefined;
        dropPending();
        adopt(undefined);
        if (hadAny) didReplace();
        didChange();
      });
    },
    dispose() {
      isDisposed = true;
      dropPending();
      adopt(undefined);
    },
  };
}

/** As the request would be refused that is not even made. */
function reversedRange(): InvalidRequestError {
  const problem = localizableMessage('is later than filters.to');
  return new InvalidRequestError('filters.from', problem, localizableMessage('from, then to'));
}
