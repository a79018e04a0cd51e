import { InvalidRequestError } from '../../api/errors';
import { phrase } from '../../api/phrase';
import type { LogRecord } from '../../api/types';
import type { Around } from '../search/around';
import { loadAround } from '../search/around';
import { createKeyWatch } from '../tail/keyWatch';
import { signedOutError } from '../tail/loop';
import { createResults } from './results';
import type { Results, ResultsState } from './results';
import { scopeOf } from './scope';
import { isAccessLost } from './services';
import type { ExplorerServices } from './services';
import type { Explorer, ExplorerListener, ExplorerState } from './types';

export type { ExplorerServices } from './services';

/** How many records are shown on either side of one. */
const contextCount = 50;

const nothing: ResultsState = {
  loading: undefined,
  failure: undefined,
  older: { kind: 'reached' },
  newer: { kind: 'reached' },
  following: undefined,
  partial: false,
  accessChanged: false,
  restarted: false,
  leftOut: 0,
  localization: undefined,
};

/** As the request would be refused that is not even made. */
function reversedRange(): InvalidRequestError {
  const problem = phrase('is later than filters.to');
  return new InvalidRequestError('filters.from', problem, phrase('from, then to'));
}

/** The records around one of them, in place of the results. */
interface Context extends Around {
  readonly record: LogRecord;
  /** Whether the results were followed, and are paused until they are shown again. */
  readonly hasPaused: boolean;
}

/**
 * Makes an explorer. A search that fails before its first page leaves the results of the one before
 * it; a loss of the access to logs leaves nothing. While a context is shown, the following of the
 * results is paused: it counts what comes, and hands it on once the results are shown again.
 */
export function createExplorer(services: ExplorerServices, listener: ExplorerListener): Explorer {
  const keys = createKeyWatch(services.readKey);
  let life = 0;
  let results: Results | undefined;
  /** What takes the place of the results once it has something to show. */
  let pending: Results | undefined;
  let context: Context | undefined;
  /** Ends the loading of a context. */
  let approach: AbortController | undefined;
  /** Why there is no other list than the one that is shown. */
  let failure: unknown;
  let knownKey: string | undefined;
  let isDisposed = false;
  /** Changes that are told as one. */
  let depth = 0;
  let hasChanged = false;

  const records = (): readonly LogRecord[] => context?.records ?? results?.records ?? [];

  const didChange = (): void => {
    if (isDisposed) return;
    if (depth > 0) hasChanged = true;
    else listener.onDidChange(stateNow());
  };

  /** Tells of a change once, however many there are in what is done. */
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

  const didReplace = (): void => {
    life++;
    listener.onDidReplace(records());
  };

  const endApproach = (): void => {
    approach?.abort();
    approach = undefined;
  };

  const dropPending = (): void => {
    pending?.dispose();
    pending = undefined;
  };

  /** Makes these the results, or none, whatever is shown. */
  const adopt = (next: Results | undefined): void => {
    if (next !== results) results?.dispose();
    results = next;
    if (next === pending) pending = undefined;
    context = undefined;
    failure = undefined;
    endApproach();
  };

  /** Takes note of a search that has ended before its first page. */
  const settle = (ended: Results): void => {
    if (records().length === 0 && context === undefined) adopt(ended);
    else {
      failure = ended.state.failure;
      dropPending();
    }
  };

  const look = async (): Promise<string | undefined> => {
    const key = await keys.look();
    knownKey ??= key;
    return key;
  };

  const listenTo = (which: () => Results): Parameters<typeof createResults>[0]['listener'] => ({
    didChange() {
      const one = which();
      if (one !== pending && one !== results) return;
      if (one === pending && one.state.loading === undefined) settle(one);
      didChange();
    },
    didReplace() {
      const one = which();
      if (one !== pending && one !== results) return;
      adopt(one);
      didReplace();
    },
    didAdd(direction, added, dropped) {
      if (which() !== results || context !== undefined) return;
      listener.onDidAdd(direction, added, dropped);
    },
  });

  /** Everything that is shown must go. */
  const lose = (why: unknown): void => {
    const left = results ?? pending;
    if (left !== pending) dropPending();
    if (left === undefined) failure = why;
    else left.lose(why);
  };

  function stateNow(): ExplorerState {
    const current = pending ?? results;
    const shown = results?.state ?? pending?.state ?? nothing;
    const isContext = context !== undefined;
    const first = { direction: 'first', records: 0, pages: 0 } as const;
    const { loading, failure: why, ...rest } = shown;
    return {
      ...rest,
      ...(isContext ? { older: nothing.older, newer: nothing.newer, restarted: false } : {}),
      life,
      search: current?.query,
      window: current?.scope.window,
      context: context?.record,
      canGoBack: isContext,
      loading:
        pending?.state.loading ??
        (approach ? first : undefined) ??
        (isContext ? undefined : loading),
      failure: failure ?? (isContext || pending !== undefined ? undefined : why),
      count: records().length,
      partial: context?.partial ?? shown.partial,
    };
  }

  /** What is to be done with the results alone, as they are shown. */
  const withResults = (act: (shown: Results) => void): void => {
    if (results === undefined || pending !== undefined || context !== undefined) return;
    const shown = results;
    once(() => {
      failure = undefined;
      act(shown);
    });
  };

  async function approachContext(record: LogRecord, mine: AbortController): Promise<void> {
    const client = services.client();
    if (client === undefined) throw signedOutError();
    const { signal } = mine;
    const around = await loadAround({ client, record, count: contextCount, signal });
    if (approach !== mine) return;
    const { accessRevision = null } = around;
    const before = results?.accessRevision ?? accessRevision;
    once(() => {
      approach = undefined;
      // Neither what was found nor what was shown may be seen as it is.
      if (accessRevision === null || accessRevision !== before) results?.renew();
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
      return stateNow();
    },
    get records() {
      return records();
    },
    record: (eventId) => records().find((one) => one.eventId === eventId),
    run(query) {
      if (isDisposed) return;
      once(() => {
        endApproach();
        dropPending();
        results?.cancel();
        results?.stopFollowing();
        failure = undefined;
        didChange();
        const client = services.client();
        const scope = scopeOf(query, services.when());
        if (client === undefined) lose(signedOutError());
        else if (scope === undefined) {
          failure = reversedRange();
        } else {
          const opened: Results = createResults({
            services,
            client,
            query,
            scope,
            listener: listenTo(() => opened),
          });
          pending = opened;
          if (knownKey === undefined) void look();
          void opened.load('older');
        }
      });
    },
    loadOlder: () => withResults((shown) => void shown.load('older')),
    loadNewer: () => withResults((shown) => void shown.load('newer')),
    cancel() {
      once(() => {
        if (approach !== undefined) didChange();
        endApproach();
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
      if (isDisposed || pending !== undefined) return;
      endApproach();
      const mine = new AbortController();
      approach = mine;
      failure = undefined;
      approachContext(record, mine).catch((error: unknown) => {
        if (approach !== mine) return;
        once(() => {
          approach = undefined;
          if (isAccessLost(error)) lose(error);
          else failure = error;
          didChange();
        });
      });
      didChange();
    },
    back() {
      once(() => {
        if (approach !== undefined) didChange();
        endApproach();
        if (context === undefined) return;
        const { hasPaused } = context;
        context = undefined;
        failure = undefined;
        didReplace();
        didChange();
        if (hasPaused) results?.resume();
      });
    },
    keyChanged() {
      void keys.look().then((key) => {
        const before = knownKey;
        knownKey = key;
        if (isDisposed || key === before) return;
        once(() => {
          if (key === undefined) lose(signedOutError());
          else if (before !== undefined) (pending ?? results)?.renew();
          else if (isAccessLost(results?.state.failure)) results.retry();
        });
      });
    },
    clear() {
      once(() => {
        const hadAny = results !== undefined || records().length > 0;
        dropPending();
        adopt(undefined);
        if (hadAny) didReplace();
        didChange();
      });
    },
    dispose() {
      isDisposed = true;
      dropPending();
      endApproach();
      results?.dispose();
    },
  };
}
