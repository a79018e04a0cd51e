import { second } from '../../base/clock';
import type { Direction } from '../../api/cursors';
import { InvalidRequestError, localizableMessage } from '../../api/errors';
import type { LogRecord } from '../../api/types';
import { signedOutError } from '../tail/tail';
import { scopeOf, type SearchQuery } from '../query/searchQuery';
import type { When } from '../query/timeExpression';
import { type Around, loadAround } from './recordsAround';
import { type ExplorerState, noStatus } from './explorerState';
import {
  createLiveSearch,
  isAccessLost,
  type LiveSearch,
  type LiveSearchListener,
  type LiveSearchServices,
  type LogSource,
} from './liveSearch';
import { capabilitiesOf } from './recordRows';

/** Called synchronously, in the order of events; must not throw. */
export interface ExplorerListener {
  onDidChange(state: ExplorerState): void;
  /** The whole list changed. Oldest first. */
  onDidReplace(records: readonly LogRecord[]): void;
  /** Records came at an end, and `dropped` were removed at the older end. Oldest first. */
  onDidAdd(change: Direction, records: readonly LogRecord[], dropped: readonly LogRecord[]): void;
}

/** The Log Explorer without its page: one search at a time, its records, and following. */
export interface ExplorerSession {
  readonly state: ExplorerState;
  /** Oldest first. Changes in place: copy what is used later. */
  readonly records: readonly LogRecord[];

  /** Starts a search in place of the current one, whose records stay until the first page arrives. */
  run(search: SearchQuery): void;
  load(direction: Direction): void;
  /** Stops loading; loaded records stay. */
  cancel(): void;
  /** Follows new records if the range is open, or resumes following. */
  follow(): void;
  pause(): void;
  stopFollowing(): void;
  /** Shows the records around one of them in its container, in place of the results. */
  showContext(record: LogRecord): void;
  /** Goes back from a context to the results. */
  back(): void;
  /** Reads the API key again and acts on a change. */
  keyChanged(): void;
  /** Removes everything, because the connection changed or access is lost. */
  clear(): void;
  dispose(): void;
}

export interface ExplorerServices extends LiveSearchServices {
  /** The connection for the next search, which keeps it; undefined if signed out. */
  readonly source: () => LogSource | undefined;
  readonly when: () => When;
}

/** How many records are shown before and after a record in its context. */
const contextCount = 50;
const loadingContext = { direction: 'first', records: 0, pages: 0, wait: undefined } as const;

/**
 * Creates a session. If a search fails before its first page, the earlier results stay; if access to
 * logs is lost, nothing stays. While a context is shown, following the results is paused.
 */
export function createExplorerSession(
  services: ExplorerServices,
  listener: ExplorerListener,
): ExplorerSession {
  let results: LiveSearch | undefined;
  /** Becomes the results with its first page. */
  let pending: LiveSearch | undefined;
  /** The last query to run, whatever its outcome. */
  let lastQuery: SearchQuery | undefined;
  /** Shown in place of the results. `hasPaused`: whether this paused following the results. */
  let context: (Around & { record: LogRecord; hasPaused: boolean }) | undefined;
  /** The running load of a context; an older one has no effect. */
  let contextLoad: AbortController | undefined;
  /** Why the last search or context failed before it could be shown. */
  let failure: unknown;
  /** The API key of the shown records. */
  let watched: { readonly source: LogSource; key: Promise<string | undefined> } | undefined;
  let epoch = 0;
  let isDisposed = false;
  /** Whether the control plane's clock is found to differ from the one of the pending search's range. */
  let isOtherTime = (): boolean => false;

  const didChange = (): void => {
    if (!isDisposed) listener.onDidChange(self.state);
  };

  const didReplace = (): void => {
    epoch++;
    if (!isDisposed) listener.onDidReplace(self.records);
  };

  const endContextLoad = (): void => {
    contextLoad?.abort();
    contextLoad = undefined;
  };

  const dropPending = (): void => {
    pending?.dispose();
    pending = undefined;
  };

  const setResults = (next: LiveSearch | undefined): void => {
    if (next !== results) results?.dispose();
    results = next;
    if (next === pending) pending = undefined;
    context = undefined;
    failure = undefined;
    endContextLoad();
  };

  /** Removes everything that is shown, because access is lost. */
  const invalidate = (why: unknown): void => {
    const current = results ?? pending;
    if (current !== pending) dropPending();
    if (current !== undefined) current.invalidate(why);
    else {
      failure = why;
      didChange();
    }
  };

  const searchListener: LiveSearchListener = {
    didChange(search) {
      if (search !== pending && search !== results) return;
      if (search === pending && search.status.loading === undefined) {
        if (isOtherTime()) {
          self.run(search.query);
          return;
        }
        // It ended before its first page.
        if (self.records.length === 0 && context === undefined) setResults(search);
        else {
          ({ failure } = search.status);
          dropPending();
        }
      }
      didChange();
    },
    didReplace(search) {
      if (search !== pending && search !== results) return;
      // Without records, too: they may be in the right range.
      if (search === pending && isOtherTime()) {
        self.run(search.query);
        return;
      }
      setResults(search);
      didReplace();
    },
    didAdd(search, direction, added, dropped) {
      if (search === results && context === undefined) {
        listener.onDidAdd(direction, added, dropped);
      }
    },
  };

  /** Calls `act` with the results if nothing else is shown or loading. */
  const withResults = (act: (results: LiveSearch) => void): void => {
    if (results === undefined || pending !== undefined || context !== undefined) return;
    failure = undefined;
    act(results);
  };

  async function loadContext(record: LogRecord, mine: AbortController): Promise<void> {
    try {
      const source = services.source();
      if (source === undefined) throw signedOutError();
      const now = source.client.serverNow();
      const around = await loadAround(source.client, record, contextCount, now, mine.signal);
      if (contextLoad !== mine) return;
      contextLoad = undefined;
      const { accessRevision } = around;
      // If the permissions changed, neither the context nor the results may be shown.
      const isOther = accessRevision !== (results?.accessRevision ?? accessRevision);
      if (accessRevision === undefined || isOther) results?.renew();
      else {
        const hasPaused = context?.hasPaused ?? results?.pause() ?? false;
        context = { ...around, record, hasPaused };
        didReplace();
      }
    } catch (error) {
      if (contextLoad !== mine) return;
      contextLoad = undefined;
      if (isAccessLost(error)) invalidate(error);
      else failure = error;
    }
    didChange();
  }

  const checkKey = async (): Promise<void> => {
    const mine = watched;
    if (mine === undefined) return;
    const [before, key] = await Promise.all([mine.key, (mine.key = keyOf(mine.source))]);
    if (isDisposed || mine !== watched || key === before) return;
    if (key === undefined) invalidate(signedOutError());
    else if (before !== undefined) (pending ?? results)?.renew();
    else if (isAccessLost(results?.status.failure)) results.retry();
  };

  const self: ExplorerSession = {
    get state() {
      const current = results ?? pending;
      const { loading, failure: failed, ...status } = current?.status ?? noStatus;
      const isHidden = context !== undefined;
      const count = self.records.length;
      return {
        ...status,
        ...(isHidden ? { older: noStatus.older, newer: noStatus.newer, restarted: false } : {}),
        epoch,
        search: current?.query,
        window: current?.scope.window,
        isPrevious: !isHidden && pending === undefined && count > 0 && lastQuery !== results?.query,
        context: context?.record,
        loading:
          pending?.status.loading ??
          (contextLoad && loadingContext) ??
          (isHidden ? undefined : loading),
        failure: failure ?? (isHidden || pending !== undefined ? undefined : failed),
        count,
        partial: context?.partial ?? status.partial,
      };
    },
    get records() {
      return context?.records ?? results?.records ?? [];
    },

    run(query) {
      if (isDisposed) return;
      endContextLoad();
      dropPending();
      results?.cancel();
      results?.stopFollowing();
      failure = undefined;
      lastQuery = query;
      const source = services.source();
      const scope = scopeOf(query, services.when());
      if (source === undefined) invalidate(signedOutError());
      else if (scope === undefined) {
        failure = new InvalidRequestError(
          'filters.from',
          localizableMessage('is later than filters.to'),
          localizableMessage('from, then to'),
        );
        didChange();
      } else {
        const { client } = source;
        const { clock } = services;
        const ahead = (): number => client.serverNow() - clock.monotonic();
        const before = ahead();
        // The first answer of a connection may be that of the search.
        isOtherTime = () => Math.abs(ahead() - before) > second;
        pending = createLiveSearch(services, source, query, scope, searchListener);
        if (watched?.source !== source) watched = { source, key: keyOf(source) };
        void pending.load('older');
      }
    },
    load: (direction) => withResults((shown) => void shown.load(direction)),
    cancel() {
      const hadContextLoad = contextLoad !== undefined;
      endContextLoad();
      pending?.cancel();
      if (context === undefined) results?.cancel();
      if (hadContextLoad) didChange();
    },
    follow: () => withResults((shown) => shown.follow()),
    pause: () => withResults((shown) => void shown.pause()),

    stopFollowing() {
      results?.stopFollowing();
      if (context !== undefined) context = { ...context, hasPaused: false };
    },
    showContext(record) {
      if (isDisposed || pending !== undefined || !capabilitiesOf(record).hasContext) return;
      endContextLoad();
      contextLoad = new AbortController();
      failure = undefined;
      didChange();
      void loadContext(record, contextLoad);
    },
    back() {
      endContextLoad();
      const left = context;
      if (left !== undefined) {
        context = undefined;
        failure = undefined;
        didReplace();
      }
      didChange();
      if (left?.hasPaused === true) results?.follow();
    },
    keyChanged: () => void checkKey(),
    clear() {
      const hadAny = results !== undefined || pending !== undefined;
      dropPending();
      setResults(undefined);
      if (hadAny) didReplace();
      didChange();
    },
    dispose() {
      isDisposed = true;
      self.clear();
    },
  };
  return self;
}

/** A key that cannot be read counts as none. */
function keyOf(source: LogSource): Promise<string | undefined> {
  return source.readKey().catch(() => undefined);
}
