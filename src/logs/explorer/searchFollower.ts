import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { compareTimestamps, utcTime, utcTimeOf } from '../../api/utcTime';
import { Emitter } from '../../base/event';
import type { LogFilter } from '../query/fields';
import { defaultAhead, streamStart, streamWindow } from '../tail/history';
import { Tail, type TailServices } from '../tail/tail';
import type { TailFailure, TailOutput, TailState } from '../tail/tailState';
import type { PagedSearch } from './pagedSearch';

/** What the stream brought. */
export interface Batch {
  readonly records: readonly LogRecord[];
  /** The exact number of records that were left out. */
  readonly leftOut: number;
  readonly partial: boolean;
  /** The position was lost: some records may be missing. */
  readonly hasGap: boolean;
}

export interface Following {
  readonly state: TailState;
  /** How many came since the pause. */
  readonly newRecords: number;
}

/** What happens to a search that is followed. */
export type FollowEvent =
  | { readonly kind: 'changed' }
  /** The stream brought something. */
  | { readonly kind: 'received'; readonly batch: Batch }
  /** The permissions changed: everything that is shown must go. */
  | { readonly kind: 'accessChanged' }
  /** Following could not start, or access is lost. */
  | { readonly kind: 'failed'; readonly error: unknown };

interface Run {
  readonly controller: AbortController;
  /** Starts after the newest record, when all records are loaded. */
  tail: Tail | undefined;
  until: string | undefined;
  /** Cancels the next read; undefined if none is due. */
  cancelRead: (() => void) | undefined;
  /** When the last read was, on the monotonic clock. */
  readAt: number;
}

/** The shortest time between two reads in milliseconds: a stream may send hundreds of events a second. */
const readEvery = 100;

/** Following ends after this many loads that bring nothing new. */
const mostVain = 3;

/** How many event ids the tail gets for de-duplication. */
const remembered = 10_000;

/** Follows a search: loads all newer records, then streams. */
export class SearchFollower {
  /** The current run; anything of another run is ignored. */
  private run: Run | undefined;
  private readonly events = new Emitter<FollowEvent>();

  /** Fires synchronously, and no longer after the end. */
  readonly onDidHappen = this.events.event;

  /**
   * @param from the start of the range of the search, ISO UTC.
   * @param loadNewer loads newer records into the search, in a load that begins with the call. Returns
   * whether it succeeded.
   */
  constructor(
    private readonly services: TailServices,
    private readonly filter: LogFilter,
    private readonly from: string,
    private readonly search: PagedSearch,
    private readonly loadNewer: () => Promise<boolean>,
  ) {}

  /** Undefined while not following. */
  get state(): Following | undefined {
    const { run } = this;
    if (run === undefined) return undefined;
    const state = run.tail?.state ?? { kind: 'connecting' };
    const newRecords = state.kind === 'paused' ? state.newRecords : 0;
    return { state, newRecords };
  }

  /**
   * The end of the range to load before the stream starts, ISO UTC; undefined if none is starting. Later
   * records come on the stream.
   */
  get until(): string | undefined {
    return this.run?.tail === undefined ? this.run?.until : undefined;
  }

  /** Whether a stream brings new records, now or after it reconnects. */
  get isLive(): boolean {
    return this.run?.tail !== undefined && failureOf(this.run.tail) === undefined;
  }

  /** Starts, resumes, or starts again after a failure. */
  begin(): void {
    if (failureOf(this.run?.tail) !== undefined) this.drop();
    if (this.run !== undefined) {
      this.run.tail?.resume();
      return;
    }
    this.run = {
      controller: new AbortController(),
      tail: undefined,
      until: undefined,
      cancelRead: undefined,
      readAt: -Infinity,
    };
    this.events.fire({ kind: 'changed' });
    void this.follow(this.run);
  }

  /** Returns whether this paused it. */
  pause(): boolean {
    const { run } = this;
    const isPaused = (): boolean => run?.tail?.state.kind === 'paused';
    if (run?.tail === undefined || isPaused()) return false;
    this.readRest(run);
    run.tail.pause();
    // A tail that has ended or failed cannot be paused.
    return isPaused();
  }

  /** Ends following; the search keeps its records. */
  stop(): void {
    if (this.run === undefined) return;
    this.readRest(this.run);
    this.drop();
    this.events.fire({ kind: 'changed' });
  }

  /** Ends it if the stream has not started yet. */
  cancel(): void {
    if (this.run?.tail === undefined) this.stop();
  }

  /** Ends it without an event. */
  drop(): void {
    const ended = this.run;
    this.run = undefined;
    ended?.controller.abort();
    ended?.cancelRead?.();
    ended?.tail?.stop();
  }

  private async follow(run: Run): Promise<void> {
    try {
      const from = await this.catchUp(run);
      if (this.run !== run) return;
      if (from === undefined) this.stop();
      else this.goLive(run, from);
    } catch (error) {
      if (this.run !== run) return;
      this.drop();
      this.events.fire({ kind: 'failed', error });
    }
  }

  /** Loads all newer records. Returns the cursor to stream from, or undefined if it did not succeed. */
  private async catchUp(run: Run): Promise<StreamCursor | undefined> {
    const { search } = this;
    const from = await this.askCursor(run);
    for (let vain = 0; vain < mostVain;) {
      const newest = search.records.at(-1);
      if (this.run !== run || !(await this.loadNewer()) || this.run !== run) return undefined;
      if (search.state?.ends.newer === 'end') return from;
      if (search.records.at(-1) === newest) vain++;
    }
    return undefined;
  }

  /**
   * The cursor that the stream starts with. The range of a stream ends in the future, so no cursor of
   * the search fits. It is requested before the records are loaded: those that come in between come
   * twice rather than never. Its answer has the newest record before it, which may be in the future. So
   * what is loaded has an end, however fast records come.
   */
  private async askCursor(run: Run): Promise<StreamCursor> {
    const { client, ahead = () => defaultAhead } = this.services;
    const window = streamWindow(client.serverNow(), ahead());
    const from = Date.parse(this.from) > Date.parse(window.from) ? this.from : window.from;
    const { signal } = run.controller;
    const {
      follow: cursor,
      records: [newest],
      snapshotAt,
    } = await streamStart(client, this.filter, { ...window, from }, { signal });
    const now = utcTime(snapshotAt) ?? utcTimeOf(client.serverNow()) ?? window.to;
    const last = utcTime(newest?.timestamp ?? '') ?? now;
    run.until = compareTimestamps(last, now) > 0 ? last : now;
    return cursor;
  }

  private goLive(run: Run, { filters, text: cursor }: StreamCursor): void {
    const { records } = this.search;
    const tail = new Tail(this.services, {
      filter: this.filter,
      initialLines: 0,
      position: {
        from: filters.from,
        to: filters.to,
        cursor,
        seen: records.slice(-remembered).map(({ eventId }) => eventId),
      },
    });
    tail.onDidChange((what) => {
      if (this.run !== run) return;
      const failure = failureOf(tail);
      const isLost = failure?.kind === 'signedOut' || failure?.kind === 'missingPermission';
      if (what === 'records') this.readSoon(run);
      else if (what === 'access') this.events.fire({ kind: 'accessChanged' });
      else if (isLost) this.events.fire({ kind: 'failed', error: failure.error });
      else this.events.fire({ kind: 'changed' });
    });
    run.tail = tail;
    tail.start();
  }

  /** Reads what came, at once or together with what comes soon. */
  private readSoon(run: Run): void {
    const { clock } = this.services;
    const wait = Math.max(0, run.readAt + readEvery - clock.monotonic());
    run.cancelRead ??= clock.setTimer(() => this.readRest(run), wait);
  }

  /** Reads what is due. */
  private readRest(run: Run): void {
    if (run.cancelRead === undefined || run.tail === undefined) return;
    run.cancelRead();
    run.cancelRead = undefined;
    run.readAt = this.services.clock.monotonic();
    this.events.fire({ kind: 'received', batch: batchOf(run.tail.read()) });
  }
}

function failureOf(tail: Tail | undefined): TailFailure | undefined {
  return tail?.state.kind === 'failed' ? tail.state.why : undefined;
}

function batchOf(outputs: readonly TailOutput[]): Batch {
  let leftOut = 0;
  for (const output of outputs) if (output.kind === 'dropped') leftOut += output.count;
  return {
    records: outputs.flatMap((output) => (output.kind === 'records' ? output.records : [])),
    leftOut,
    partial: outputs.some(({ kind }) => kind === 'partial'),
    hasGap: outputs.some(({ kind }) => kind === 'gap'),
  };
}
