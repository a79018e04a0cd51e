import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { streamCursor } from '../follow/history';
import { defaultAhead, streamWindow } from '../follow/start';
import { createTail, type TailServices } from '../follow/tail';
import type { Tail, TailFailure, TailOutput, TailState } from '../follow/types';
import type { Search } from './search';

interface FollowerOptions {
  readonly services: TailServices;
  readonly filter: LogFilter;
  /** Where the range of the search begins, ISO UTC. */
  readonly from: string;
  readonly search: Search;
  /** Loads newer records into the search; whether that came through. */
  readonly loadNewer: () => Promise<boolean>;
  readonly listener: FollowerListener;
}

/** Told synchronously, and never of what was ended. */
interface FollowerListener {
  didChange(): void;
  /** Something came: the search is to take it. */
  didTake(taken: Taken): void;
  /** What may be seen has changed: all that was shown must go. */
  didChangeAccess(): void;
  /** It could not begin, or nothing may be seen any more. */
  didFail(error: unknown): void;
}

/** What the stream brought, all at once. */
export interface Taken {
  readonly records: readonly LogRecord[];
  /** Records that were left out, exactly. */
  readonly leftOut: number;
  readonly partial: boolean;
  /** The position was lost: some may be missing. */
  readonly hasGap: boolean;
}

export interface Following {
  readonly state: TailState;
  readonly failure: TailFailure | undefined;
  /** While it is paused: how many have come since. */
  readonly newRecords: number;
}

/** The following of a search: first all that there is by now, then what comes. */
interface Follower {
  /** Undefined while nothing is followed. */
  readonly state: Following | undefined;
  /** Whether a stream brings what is new, or will once it is there again. */
  readonly isLive: boolean;
  /** Where the range of the stream ends, ISO UTC, as long as it is followed. */
  readonly until: string | undefined;
  /** Begins, goes on after a pause, or begins again where it has failed. */
  begin(): void;
  /** Answers whether it is paused by that. */
  pause(): boolean;
  resume(): void;
  /** Ends it; the search goes on behind what it took. */
  stop(): void;
  /** Ends it where it has not come to the stream yet. */
  cancel(): void;
  /** Ends it together with the search: nothing is told of that. */
  drop(): void;
}

interface Run {
  readonly controller: AbortController;
  /** Behind the newest record, once all that there was is loaded. */
  tail: Tail | undefined;
  until: string | undefined;
}

/** So many loads that bring nothing and lead nowhere are enough. */
const mostVain = 3;

/** As many ids of records as a tail remembers. */
const remembered = 10_000;

export function createFollower(options: FollowerOptions): Follower {
  const { services, filter, search, loadNewer, listener } = options;
  /** What another one takes the place of is over: nothing of it counts. */
  let run: Run | undefined;

  const drop = (): void => {
    const ended = run;
    run = undefined;
    ended?.controller.abort();
    ended?.tail?.stop();
  };

  const stop = (): void => {
    if (run === undefined) return;
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

  const goLive = (mine: Run, { filters, text: cursor }: StreamCursor): void => {
    const { accessRevision, records } = search;
    const tail = createTail(services, {
      filter,
      initialLines: 0,
      position: {
        from: filters.from,
        to: filters.to,
        cursor,
        // Where the cursor is refused, it begins at the last record, and never before the range.
        lastTimestamp: records.at(-1)?.timestamp ?? filters.from,
        seen: records.slice(-remembered).map(({ eventId }) => eventId),
      },
      ...(accessRevision === undefined ? {} : { accessRevision }),
      listener: {
        onDidChangeState() {
          if (run !== mine) return;
          const failure = failureOf(tail);
          const isLost = failure?.kind === 'signedOut' || failure?.kind === 'missingPermission';
          if (isLost) listener.didFail(failure.error);
          else listener.didChange();
        },
        onDidReceive() {
          if (run === mine) listener.didTake(takenOf(tail.take()));
        },
        onDidChangeAccess() {
          if (run === mine) listener.didChangeAccess();
        },
      },
    });
    mine.tail = tail;
    tail.start();
  };

  const follow = async (mine: Run): Promise<void> => {
    try {
      const from = await catchUp(mine);
      if (run !== mine) return;
      if (from === undefined) stop();
      else goLive(mine, from);
    } catch (error) {
      if (run !== mine) return;
      drop();
      listener.didFail(error);
    }
  };

  return {
    get state() {
      if (run === undefined) return undefined;
      const state = run.tail?.state ?? { kind: 'connecting' };
      const newRecords = state.kind === 'paused' ? state.newRecords : 0;
      return { state, failure: failureOf(run.tail), newRecords };
    },
    get until() {
      return run?.until;
    },
    get isLive() {
      return run?.tail !== undefined && failureOf(run.tail) === undefined;
    },
    begin() {
      if (failureOf(run?.tail) !== undefined) drop();
      if (run !== undefined) {
        run.tail?.resume();
        return;
      }
      run = { controller: new AbortController(), tail: undefined, until: undefined };
      listener.didChange();
      void follow(run);
    },
    pause() {
      const tail = run?.tail;
      if (tail === undefined || tail.state.kind === 'paused') return false;
      tail.pause();
      // What has ended or failed cannot be paused.
      return run?.tail?.state.kind === 'paused';
    },
    resume: () => run?.tail?.resume(),
    stop,
    cancel() {
      if (run?.tail === undefined) stop();
    },
    drop,
  };
}

function failureOf(tail: Tail | undefined): TailFailure | undefined {
  return tail?.state.kind === 'failed' ? tail.state.why : undefined;
}

function takenOf(outputs: readonly TailOutput[]): Taken {
  let leftOut = 0;
  for (const output of outputs) if (output.kind === 'dropped') leftOut += output.count;
  return {
    records: outputs.flatMap((output) => (output.kind === 'records' ? output.records : [])),
    leftOut,
    partial: outputs.some(({ kind }) => kind === 'partial'),
    hasGap: outputs.some(({ kind }) => kind === 'gap'),
  };
}
