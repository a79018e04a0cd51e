import { InvalidRequestError, phrase } from '../../api/errors';
import type { LogRecord } from '../../api/types';
import { createKeyWatch, type KeyWatch, signedOutError } from '../follow/reconnectLoop';
import { loadAround } from './around';
import { createResults } from './results';
import { offersOf } from './rows';
import { createStage } from './stage';
import {
  type Explorer,
  type ExplorerListener,
  type ExplorerServices,
  isAccessLost,
  type LogSource,
  type Results,
  scopeOf,
} from './types';

export type { ExplorerServices } from './types';

/** How many records are shown on either side of one. */
const contextCount = 50;

interface WatchedKey {
  readonly source: LogSource;
  readonly keys: KeyWatch;
  key?: string | undefined;
}

/**
 * Makes an explorer. A search that fails before its first page leaves the results of the one before
 * it; a loss of the access to logs leaves nothing. While a context is shown, the following of the
 * results is paused: it counts what comes, and hands it on once the results are shown again.
 */
export function createExplorer(services: ExplorerServices, listener: ExplorerListener): Explorer {
  const stage = createStage(listener);
  /** The key that what is shown was found with. */
  let watched: WatchedKey | undefined;
  let isDisposed = false;

  /** What is to be done with the results, where nothing else is shown or on its way. */
  const withResults = (act: (results: Results) => void): void => {
    const { results, pending, context } = stage;
    if (results === undefined || pending !== undefined || context !== undefined) return;
    stage.once(() => {
      stage.failure = undefined;
      act(results);
    });
  };

  const watchKey = (source: LogSource): void => {
    if (watched?.source !== source) watched = { source, keys: createKeyWatch(source.readKey) };
    const mine = watched;
    if (mine.key === undefined) void mine.keys.look().then((key) => (mine.key ??= key));
  };

  async function approachContext(record: LogRecord, mine: AbortController): Promise<void> {
    const source = services.source();
    if (source === undefined) throw signedOutError();
    const { client } = source;
    const { signal } = mine;
    const around = await loadAround({
      client,
      record,
      count: contextCount,
      now: services.clock.now(),
      signal,
    });
    if (stage.approach !== mine) return;
    const { results, context } = stage;
    const now = around.accessRevision;
    stage.once(() => {
      stage.approach = undefined;
      // Where the access is another one, neither what was found nor what is shown may be seen.
      if (now === undefined || now !== (results?.accessRevision ?? now)) results?.renew();
      else {
        const hasPaused = context?.hasPaused ?? results?.pause() ?? false;
        stage.context = { ...around, record, hasPaused };
        stage.didReplace();
      }
      stage.didChange();
    });
  }

  return {
    get state() {
      return stage.state;
    },
    get records() {
      return stage.records;
    },
    record: (eventId) => stage.records.find((one) => one.eventId === eventId),
    run(query) {
      if (isDisposed) return;
      stage.once(() => {
        stage.endApproach();
        stage.dropPending();
        stage.results?.cancel();
        stage.results?.stopFollowing();
        stage.failure = undefined;
        stage.asked = query;
        stage.didChange();
        const source = services.source();
        const scope = scopeOf(query, services.when());
        if (source === undefined) stage.lose(signedOutError());
        else if (scope === undefined) stage.failure = reversedRange();
        else {
          const opened: Results = createResults({
            services,
            source,
            query,
            scope,
            listener: stage.listenTo(() => opened),
          });
          stage.pending = opened;
          watchKey(source);
          void opened.load('older');
        }
      });
    },
    loadOlder: () => withResults((results) => void results.load('older')),
    loadNewer: () => withResults((results) => void results.load('newer')),
    cancel() {
      stage.once(() => {
        if (stage.approach !== undefined) stage.didChange();
        stage.endApproach();
        stage.pending?.cancel();
        if (stage.context === undefined) stage.results?.cancel();
      });
    },
    follow: () => withResults((results) => results.follow()),
    pause: () => withResults((results) => void results.pause()),
    resume: () => withResults((results) => results.resume()),
    stopFollowing() {
      stage.results?.stopFollowing();
      if (stage.context !== undefined) stage.context = { ...stage.context, hasPaused: false };
    },
    showContext(record) {
      if (isDisposed || stage.pending !== undefined || !offersOf(record).hasContext) return;
      stage.endApproach();
      const mine = new AbortController();
      stage.approach = mine;
      stage.failure = undefined;
      stage.didChange();
      approachContext(record, mine).catch((error: unknown) => {
        if (stage.approach !== mine) return;
        stage.once(() => {
          stage.approach = undefined;
          if (isAccessLost(error)) stage.lose(error);
          else stage.failure = error;
          stage.didChange();
        });
      });
    },
    back() {
      stage.once(() => {
        if (stage.approach !== undefined) stage.didChange();
        stage.endApproach();
        const { context } = stage;
        if (context === undefined) return;
        stage.context = undefined;
        stage.failure = undefined;
        stage.didReplace();
        stage.didChange();
        if (context.hasPaused) stage.results?.resume();
      });
    },
    keyChanged() {
      const mine = watched;
      void mine?.keys.look().then((key) => {
        const before = mine.key;
        mine.key = key;
        if (isDisposed || mine !== watched || key === before) return;
        const { results, pending } = stage;
        stage.once(() => {
          if (key === undefined) stage.lose(signedOutError());
          else if (before !== undefined) (pending ?? results)?.renew();
          else if (isAccessLost(results?.state.failure)) results.retry();
        });
      });
    },
    clear() {
      stage.once(() => {
        const hadAny = stage.results !== undefined || stage.pending !== undefined;
        stage.dropPending();
        stage.adopt(undefined);
        if (hadAny) stage.didReplace();
        stage.didChange();
      });
    },
    dispose() {
      isDisposed = true;
      stage.dispose();
    },
  };
}

/** As the request would be refused that is not even made. */
function reversedRange(): InvalidRequestError {
  const problem = phrase('is later than filters.to');
  return new InvalidRequestError('filters.from', problem, phrase('from, then to'));
}
