import type { LogQueryFilters } from '../../api/types';
import { tailFilters, type LogFilter } from '../query/filter';
import type { Search } from '../search/search';
import type { Anchor } from '../search/searchState';
import type { TailServices } from '../tail/tail';
import { createLive, type Live, type Taken } from './live';
import type { ExplorerState } from './types';

export interface PursuitOptions {
  readonly services: TailServices;
  readonly filter: LogFilter;
  /** Those of the search, with its range. */
  readonly filters: LogQueryFilters;
  readonly search: Search;
  /** Loads newer records into the search; whether that came through. */
  readonly loadNewer: () => Promise<boolean>;
  readonly listener: PursuitListener;
}

export interface PursuitListener {
  didChange(): void;
  /** Something came, up to where `from` stands: the search is to take it. */
  didTake(taken: Taken, from: Anchor): void;
  /** What may be seen has changed. */
  didChangeAccess(): void;
  /** It could not begin, or nothing may be seen any more. */
  didFail(error: unknown): void;
}

/** The following of a search: first all that there is by now, then what comes. */
export interface Pursuit {
  readonly state: ExplorerState['following'];
  /** Whether a stream brings what is new, or will once it is there again. */
  readonly isLive: boolean;
  /** Begins, goes on after a pause, or begins again where it has failed. */
  begin(): void;
  /** Answers whether it is paused by that. */
  pause(): boolean;
  resume(): void;
  /** Ends it; the search stands behind what it took, and goes on from there. */
  stop(): void;
  /** Ends it where it has not come to the stream yet. */
  cancel(): void;
  /** Ends it together with the search. */
  drop(): void;
}

interface Run {
  readonly controller: AbortController;
  live: Live | undefined;
}

/** So many loads that bring nothing and lead nowhere are enough. */
const mostVain = 3;

export function createPursuit(options: PursuitOptions): Pursuit {
  const { services, filter, filters, search, loadNewer, listener } = options;
  let run: Run | undefined;

  const drop = (): void => {
    run?.controller.abort();
    run?.live?.stop();
    run = undefined;
  };

  const end = (): void => {
    drop();
    listener.didChange();
  };

  /**
   * A cursor for the stream, where that does not take all of the filters: the search's own belongs to
   * filters that it cannot be sent. Asked first: what comes meanwhile comes twice, rather than never.
   */
  const askCursor = async ({ signal }: AbortController): Promise<Anchor | undefined> => {
    if (filter.stream === undefined && filter.conditionGroup === undefined) return undefined;
    const asked = tailFilters(filter, filters.from, filters.to);
    const page = await services.client.queryLogs(
      { filters: asked, limit: 1, direction: 'older' },
      { signal },
    );
    return { filters: asked, cursor: page.followCursor };
  };

  /** Loads all that there is; answers where the stream goes on, if it came through. */
  const catchUp = async (mine: Run): Promise<Anchor | undefined> => {
    const own = await askCursor(mine.controller);
    for (let vain = 0; vain < mostVain;) {
      const newest = search.records.at(-1);
      if (run !== mine || !(await loadNewer()) || run !== mine) return undefined;
      if (search.followFrom !== undefined) return own ?? search.followFrom;
      if (search.records.at(-1) === newest) vain++;
    }
    return undefined;
  };

  const start = (mine: Run, from: Anchor): void => {
    const { accessRevision, records } = search;
    const live = createLive({
      services,
      filter,
      from,
      newest: records,
      accessRevision,
      listener: {
        didChangeState() {
          const { failure } = live;
          const isLost = failure?.kind === 'signedOut' || failure?.kind === 'missingPermission';
          if (isLost) listener.didFail(failure.error);
          else listener.didChange();
        },
        didTake: (taken) => listener.didTake(taken, live.position),
        didChangeAccess: () => listener.didChangeAccess(),
      },
    });
    mine.live = live;
    live.start();
  };

  const follow = async (mine: Run): Promise<void> => {
    try {
      const from = await catchUp(mine);
      if (run !== mine) return;
      if (from === undefined) end();
      else start(mine, from);
    } catch (error) {
      if (run !== mine) return;
      drop();
      listener.didFail(error);
    }
  };

  const stop = (): void => {
    if (run === undefined) return;
    const { live } = run;
    drop();
    // The cursor may have moved on without any record.
    if (live !== undefined) search.follow([], live.position);
    listener.didChange();
  };

  return {
    get state() {
      if (run === undefined) return undefined;
      const state = run.live?.state ?? { kind: 'connecting' };
      const newRecords = state.kind === 'paused' ? state.newRecords : 0;
      return { state, failure: run.live?.failure, newRecords };
    },
    get isLive() {
      return run?.live !== undefined && run.live.failure === undefined;
    },
    begin() {
      if (run?.live?.failure !== undefined) {
        search.follow([], run.live.position);
        drop();
      }
      if (run !== undefined) {
        run.live?.resume();
        return;
      }
      run = { controller: new AbortController(), live: undefined };
      listener.didChange();
      void follow(run);
    },
    pause() {
      const live = run?.live;
      if (live === undefined || live.state.kind === 'paused') return false;
      live.pause();
      // What has ended or failed cannot be paused.
      return run?.live?.state.kind === 'paused';
    },
    resume: () => run?.live?.resume(),
    stop,
    cancel() {
      if (run !== undefined && run.live === undefined) end();
    },
    drop,
  };
}
