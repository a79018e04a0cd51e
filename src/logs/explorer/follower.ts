import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { compareTimestamps, utcTime, utcTimeOf } from '../../api/utcTime';
import { type LogFilter, tailFilters } from '../query/filter';
import { defaultAhead, streamWindow } from '../tail/history';
import { Tail, type TailServices } from '../tail/tail';
import type { TailFailure, TailOutput, TailState } from '../tail/types';
import type { PagedSearch } from './pagedSearch';

interface FollowerOptions {
  readonly services: TailServices;
  readonly filter: LogFilter;
  /** The start of the range of the search, ISO UTC. */
  readonly from: string;
  readonly search: PagedSearch;
  /** Loads newer records into the search. Returns whether it succeeded. */
  readonly loadNewer: () => Promise<boolean>;
  readonly listener: FollowerListener;
}

/** Called synchronously, and no longer after the end. */
interface FollowerListener {
  didChange(): void;
  /** The stream brought something. */
  didTake(taken: Taken): void;
  /** The permissions changed: everything that is shown must go. */
  didChangeAccess(): void;
  /** Following could not start, or access is lost. */
  didFail(error: unknown): void;
}

/** What the stream brought. */
export interface Taken {
  readonly records: readonly LogRecord[];
  /** The exact number of records that were left out. */
  readonly leftOut: number;
  readonly partial: boolean;
  /** The position was lost: some records may be missing. */
  readonly hasGap: boolean;
}

export interface Following {
  readonly state: TailState;
  readonly failure: TailFailure | undefined;
  /** How many came since the pause. */
  readonly newRecords: number;
}

/** Follows a search: loads all newer records, then streams. */
interface Follower {
  /** Undefined while not following. */
  readonly state: Following | undefined;
  /** Whether a stream brings new records, now or after it reconnects. */
  readonly isLive: boolean;
  /**
   * The end of the range to load before the stream starts, ISO UTC; undefined if none is starting. Later
   * records come on the stream.
   */
  readonly until: string | undefined;
  /** Starts, resumes, or starts again after a failure. */
  begin(): void;
  /** Returns whether this paused it. */
  pause(): boolean;
  /** Ends following; the search keeps its records. */
  stop(): void;
  /** Ends it if the stream has not started yet. */
  cancel(): void;
  /** Ends it without calling the listener. */
  drop(): void;
}

interface Run {
  readonly controller: AbortController;
  /** Starts after the newest record, when all records are loaded. */
  tail: Tail | undefined;
  until: string | undefined;
  /** Cancels the next take; undefined if none is due. */
  cancelTake: (() => void) | undefined;
  /** When the last take was, on the monotonic clock. */
  tookAt: number;
}

/** The shortest time between two takes in milliseconds: a stream may send hundreds of events a second. */
const takeEvery = 100;

/** Following ends after this many loads that bring nothing new. */
const mostVain = 3;

/** How many event ids the tail gets for de-duplication. */
const remembered = 10_000;

export function createFollower(options: FollowerOptions): Follower {
  const { services, filter, search, loadNewer, listener } = options;
  /** The current run; anything of another run is ignored. */
  let run: Run | undefined;

  const drop = (): void => {
    const ended = run;
    run = undefined;
    ended?.controller.abort();
    ended?.cancelTake?.();
    ended?.tail?.stop();
  };

  const stop = (): void => {
    if (run === undefined) return;
    takeRest(run);
    drop();
    listener.didChange();
  };

  /**
   * The cursor that the stream starts with. The range of a stream ends in the future, so no cursor of
   * the search fits. It is requested before the records are loaded: those that come in between come
   * twice rather than never. Its answer has the newest record before it, which may be in the future. So
   * what is loaded has an end, however fast records come.
   */
  const askCursor = async (mine: Run): Promise<StreamCursor> => {
    const { client, ahead = () => defaultAhead } = services;
    const window = streamWindow(client.serverNow(), ahead());
    const from = Date.parse(options.from) > Date.parse(window.from) ? options.from : window.from;
    const { signal } = mine.controller;
    const {
      follow: cursor,
      records: [newest],
      snapshotAt,
    } = await client.queryLogs(
      { filters: tailFilters(filter, from, window.to), limit: 1 },
      { signal, priority: 'person' },
    );
    if (cursor === undefined) throw new Error('There is no cursor for the stream.');
    const now = utcTime(snapshotAt) ?? utcTimeOf(client.serverNow()) ?? window.to;
    const last = utcTime(newest?.timestamp ?? '') ?? now;
    mine.until = compareTimestamps(last, now) > 0 ? last : now;
    return cursor;
  };

  /** Loads all newer records. Returns the cursor to stream from, or undefined if it did not succeed. */
  const catchUp = async (mine: Run): Promise<StreamCursor | undefined> => {
    const from = await askCursor(mine);
    for (let vain = 0; vain < mostVain;) {
      const newest = search.records.at(-1);
      if (run !== mine || !(await loadNewer()) || run !== mine) return undefined;
      if (search.state?.ends.newer === 'end') return from;
      if (search.records.at(-1) === newest) vain++;
    }
    return undefined;
  };

  /** Takes what came, at once or together with what comes soon. */
  const takeSoon = (mine: Run): void => {
    const { clock } = services;
    const wait = Math.max(0, mine.tookAt + takeEvery - clock.monotonic());
    mine.cancelTake ??= clock.setTimer(() => takeRest(mine), wait);
  };

  /** Takes what is due. */
  function takeRest(mine: Run): void {
    if (mine.cancelTake === undefined || mine.tail === undefined) return;
    mine.cancelTake();
    mine.cancelTake = undefined;
    mine.tookAt = services.clock.monotonic();
    listener.didTake(takenOf(mine.tail.take()));
  }

  const goLive = (mine: Run, { filters, text: cursor }: StreamCursor): void => {
    const { records } = search;
    const tail = new Tail(services, {
      filter,
      initialLines: 0,
      position: {
        from: filters.from,
        to: filters.to,
        cursor,
        seen: records.slice(-remembered).map(({ eventId }) => eventId),
      },
    });
    tail.onDidChange((what) => {
      if (run !== mine) return;
      const failure = failureOf(tail);
      const isLost = failure?.kind === 'signedOut' || failure?.kind === 'missingPermission';
      if (what === 'records') takeSoon(mine);
      else if (what === 'access') listener.didChangeAccess();
      else if (isLost) listener.didFail(failure.error);
      else listener.didChange();
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
      return run?.tail === undefined ? run?.until : undefined;
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
      run = {
        controller: new AbortController(),
        tail: undefined,
        until: undefined,
        cancelTake: undefined,
        tookAt: -Infinity,
      };
      listener.didChange();
      void follow(run);
    },
    pause() {
      const tail = run?.tail;
      if (run === undefined || tail === undefined || tail.state.kind === 'paused') return false;
      takeRest(run);
      tail.pause();
      // A tail that has ended or failed cannot be paused.
      return run.tail?.state.kind === 'paused';
    },

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
