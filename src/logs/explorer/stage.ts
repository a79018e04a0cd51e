import type { LogRecord } from '../../api/types';
import type { SearchQuery } from '../query/searchQuery';
import type { Around } from './around';
import type {
  ExplorerListener,
  ExplorerState,
  Results,
  ResultsListener,
  ResultsState,
} from './types';

/** The records around one of them, in place of the results. */
export interface Context extends Around {
  readonly record: LogRecord;
  /** Whether the results were followed, and are paused until they are shown again. */
  readonly hasPaused: boolean;
}

/** What is shown and what is to take its place, and who is told of it. */
export interface Stage {
  readonly results: Results | undefined;
  /** What takes the place of the results once it has something to show. */
  pending: Results | undefined;
  /** What was asked for last, whatever came of it. */
  asked: SearchQuery | undefined;
  context: Context | undefined;
  /** Ends the loading of a context. */
  approach: AbortController | undefined;
  /** Why there is no other list than the one that is shown. */
  failure: unknown;
  readonly records: readonly LogRecord[];
  readonly state: ExplorerState;
  /** What is told by results that are shown, or are to be. */
  listenTo(which: () => Results): ResultsListener;
  /** Tells that something has changed. */
  didChange(): void;
  /** Tells of the records that there are now, as another list; that there is a change is still to be told. */
  didReplace(): void;
  /** Does something, and tells once of all changes in it. */
  once(act: () => void): void;
  endApproach(): void;
  dropPending(): void;
  /** Makes these the results, or none, whatever is shown. */
  adopt(next: Results | undefined): void;
  /** Everything that is shown must go. */
  lose(why: unknown): void;
  /** Ends all; nothing is told any more. */
  dispose(): void;
}

/** Where there is not even a search. */
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
  dropped: 0,
  localization: undefined,
};

const loadingContext = { direction: 'first', records: 0, pages: 0 } as const;

export function createStage(listener: ExplorerListener): Stage {
  let results: Results | undefined;
  let life = 0;
  let isDisposed = false;
  let depth = 0;
  let hasChanged = false;

  /** Takes note of a search that has ended before its first page. */
  const settle = (ended: Results): void => {
    if (stage.records.length === 0 && stage.context === undefined) stage.adopt(ended);
    else {
      stage.failure = ended.state.failure;
      stage.dropPending();
    }
  };

  const isOnStage = (one: Results): boolean => one === stage.pending || one === results;

  const stage: Stage = {
    pending: undefined,
    asked: undefined,
    context: undefined,
    approach: undefined,
    failure: undefined,
    get results() {
      return results;
    },
    get records() {
      return stage.context?.records ?? results?.records ?? [];
    },
    get state() {
      const { pending, context, approach, records, asked } = stage;
      const current = results ?? pending;
      const { loading, failure, ...rest } = results?.state ?? pending?.state ?? nothing;
      const isHidden = context !== undefined;
      return {
        ...rest,
        ...(isHidden ? { older: nothing.older, newer: nothing.newer, restarted: false } : {}),
        life,
        search: current?.query,
        window: current?.scope.window,
        isFormer:
          !isHidden && pending === undefined && records.length > 0 && asked !== results?.query,
        context: context?.record,
        canGoBack: isHidden,
        loading:
          pending?.state.loading ??
          (approach && loadingContext) ??
          (isHidden ? undefined : loading),
        failure: stage.failure ?? (isHidden || pending !== undefined ? undefined : failure),
        count: records.length,
        partial: context?.partial ?? rest.partial,
      };
    },
    listenTo: (which) => ({
      didChange() {
        const one = which();
        if (!isOnStage(one)) return;
        if (one === stage.pending && one.state.loading === undefined) settle(one);
        stage.didChange();
      },
      didReplace() {
        const one = which();
        if (!isOnStage(one)) return;
        stage.adopt(one);
        stage.didReplace();
      },
      didAdd(direction, added, dropped) {
        if (which() !== results || stage.context !== undefined) return;
        listener.onDidAdd(direction, added, dropped);
      },
    }),
    didChange() {
      if (isDisposed) return;
      if (depth > 0) hasChanged = true;
      else listener.onDidChange(stage.state);
    },
    didReplace() {
      if (isDisposed) return;
      life++;
      listener.onDidReplace(stage.records);
    },
    once(act) {
      depth++;
      try {
        act();
      } finally {
        depth--;
      }
      if (depth > 0 || !hasChanged) return;
      hasChanged = false;
      stage.didChange();
    },
    endApproach() {
      stage.approach?.abort();
      stage.approach = undefined;
    },
    dropPending() {
      stage.pending?.dispose();
      stage.pending = undefined;
    },
    adopt(next) {
      if (next !== results) results?.dispose();
      results = next;
      if (next === stage.pending) stage.pending = undefined;
      stage.context = undefined;
      stage.failure = undefined;
      stage.endApproach();
    },
    lose(why) {
      const left = results ?? stage.pending;
      if (left !== stage.pending) stage.dropPending();
      if (left === undefined) stage.failure = why;
      else left.lose(why);
    },
    dispose() {
      isDisposed = true;
      stage.dropPending();
      stage.adopt(undefined);
    },
  };
  return stage;
}
