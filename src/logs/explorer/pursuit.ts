import type { StreamCursor } from '../../api/cursors';
import type { LogFilter } from '../query/filter';
import type { Search } from './search';
import { streamCursor } from '../follow/history';
import { defaultAhead, streamWindow } from '../follow/start';
import type { TailServices } from '../follow/tail';
import { createLive, type Live, type Taken } from './live';
import type { ExplorerState } from './types';

export interface PursuitOptions {
  readonly services: TailServices;
  readonly filter: LogFilter;
  /** Where the range of the search begins, ISO UTC. */
  readonly from: string;
  readonly search: Search;
  /** Loads newer records into the search; whether that came through. */
  readonly loadNewer: () => Promise<boolean>;
  readonly listener: PursuitListener;
}

export interface PursuitListener {
  didChange(): void;
  /** Something came: the search is to take it. */
  didTake(taken: Taken): void;
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
  /** Where the range of the stream ends, ISO UTC, as long as it is followed. */
  readonly until: string | undefined;
  /** Ends it; the search goes on behind what it took. */
  stop(): void;
  /** Ends it where it has not come to the stream yet. */
  cancel(): void;
  /** Ends it together with the search. */
  drop(): void;
}

interface Run {
  readonly controller: AbortController;
  live: Live | undefined;
  until: string | undefined;
}

/** So many loads that bring nothing and lead nowhere are enough. */
const mostVain = 3;

export function createPursuit(options: PursuitOptions): Pursuit {
  const { services, filter, search, loadNewer, listener } = options;
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
   * Where the stream begins: its range ends ahead, so that no cursor of the search is for it. Asked
   * first: what comes meanwhile comes twice, rather than never.
   */
  const askCursor = async (mine: Run): Promise<StreamCursor> => {
    const { client, clock, ahead = () => defaultAhead } = services;
    const window = streamWindow(clock.now(), ahead());
    const from = Date.parse(options.from) > Date.parse(window.from) ? options.from : window.from;
    const { signal } = mine.controller;
    const cursor = await streamCursor({ client, filter, window: { ...window, from }, signal });
    mine.until = window.to;
    return cursor;
  };

  /** Loads all that there is; answers where the stream goes on, if it came through. */
  const catchUp = async (mine: Run): Promise<StreamCursor | undefined> => {
    const from = await askCursor(mine);
    for (let vain = 0; vain < mostVain;) {
      const newest = search.records.at(-1);
      if (run !== mine || !(await loadNewer()) || run !== mine) return undefined;
      if (search.isAtNewest) return from;
      if (search.records.at(-1) === newest) vain++;
    }
    return undefined;
  };

  const start = (mine: Run, from: StreamCursor): void => {
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
        didTake: (taken) => listener.didTake(taken),
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
    drop();
    listener.didChange();
  };

  return {
    get state() {
      if (run === undefined) return undefined;
      const state = run.live?.state ?? { kind: 'connecting' };
      const newRecords = state.kind === 'paused' ? state.newRecords : 0;
      return { state, failure: run.live?.failure, newRecords };
    },
    get until() {
      return run?.until;
    },
    get isLive() {
      return run?.live !== undefined && run.live.failure === undefined;
    },
    begin() {
      if (run?.live?.failure !== undefined) drop();
      if (run !== undefined) {
        run.live?.resume();
        return;
      }
      run = { controller: new AbortController(), live: undefined, until: undefined };
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
