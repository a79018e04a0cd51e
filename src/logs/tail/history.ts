import type { CallOptions, ControlPlaneClient } from '../../api/client';
import { type LogQueryPage, PageCursor, StreamCursor } from '../../api/cursors';
import { type ApiError, failedAs } from '../../api/errors';
import { type FetchedPages, fetchPages, largestPage } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { compareTimestamps, logWindow, type LogWindow, utcTime } from '../../api/utcTime';
import { day } from '../../base/clock';
import { type LogFilter, queryFilters, tailFilters } from '../query/fields';
import type { Deduplication } from './deduplication';
import type { Notice, TailPosition } from './tailState';

export interface HistoryRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly filter: LogFilter;
  readonly window: LogWindow;
  /** How many of the last records to load, at least 1. */
  readonly wanted: number;
  /**
   * Whether a tail knows the record with this id: what is older than all that it knows is not loaded. By
   * default it is.
   */
  readonly knows?: (id: string) => boolean;
  readonly signal: AbortSignal;
}

export interface History {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** A stream with the tail's filters resumes here, without a gap. */
  readonly follow: StreamCursor;
  readonly accessRevision: string;
  /** The time of its snapshot or of its latest record, ISO UTC. Undefined if the server gave none. */
  readonly until: string | undefined;
  /** From here on (ISO UTC) it has all records of the range. */
  readonly since: string;
  /** Whether these are all records of the range. */
  readonly reachesBack: boolean;
  /** Whether the server, or a limit of the client, left out some of the requested records. */
  readonly partial: boolean;
}

/** A limit, because a server may return nearly empty pages for ever. */
const pagesBeyondNeed = 20;
const maxTries = 3;

/**
 * Loads the last records of a time range.
 *
 * @throws the errors of the client.
 */
export async function loadHistory(request: HistoryRequest): Promise<History> {
  const { client, filter, window, wanted, signal, knows = () => false } = request;
  const isOfStream = filter.stream === undefined && filter.conditionGroup === undefined;
  // Requested first: records that arrive during the history then come twice instead of never.
  const own = isOfStream
    ? undefined
    : await streamStart(client, filter, window, { signal, retries: false });
  const start = {
    filters: queryFilters(filter, window.from, window.to),
    direction: 'older',
  } as const;
  for (let tries = 1; ; tries++) {
    let until: string | undefined;
    let hasMet = false;
    const found = await fetchPages({
      client,
      start,
      target: wanted,
      maxPages: Math.ceil(wanted / largestPage) + pagesBeyondNeed,
      signal,
      priority: 'person',
      retries: false,
      onPage({ records, snapshotAt }) {
        until = extremeOf([until ?? snapshotAt, ...records.map(({ timestamp }) => timestamp)], 1);
        const known = records.filter(({ eventId }) => knows(eventId)).length;
        hasMet ||= known > 0;
        // Records that arrived late stand between known ones. A page of one kind is beyond them.
        return hasMet && records.length > 0 && (known === 0 || known === records.length);
      },
    });
    if (isTorn(found) && tries < maxTries) continue;
    const times = found.records.map(({ timestamp }) => timestamp);
    return {
      records: found.records.slice(
        Math.max(
          0,
          found.records.findIndex(({ eventId }) => knows(eventId)),
        ),
      ),
      follow: own?.follow ?? streamable(found.follow),
      accessRevision: found.accessRevision,
      until,
      since: found.end === 'end' ? window.from : (extremeOf(times, -1) ?? window.from),
      reachesBack: found.end === 'end',
      partial: found.partial || isTorn(found) || ['sparse', 'repeatedCursor'].includes(found.end),
    };
  }
}

/**
 * The latest (1) or earliest (-1) of these times in the format of filters, without those that are no times.
 */
function extremeOf(times: readonly string[], which: 1 | -1): string | undefined {
  return times
    .flatMap((time) => utcTime(time) ?? [])
    .reduce<string | undefined>(
      (a, b) => (a !== undefined && compareTimestamps(a, b) * which > 0 ? a : b),
      undefined,
    );
}

/** Whether older pages are unavailable because the access or the cursors have changed. */
function isTorn({ end }: FetchedPages): boolean {
  return end === 'accessChanged' || end === 'cursorRefused';
}

/**
 * The newest record of a range, with the cursor for a stream that starts now. A cursor belongs to the filters
 * of its query, so the query omits the filters that a stream does not accept.
 *
 * @throws the errors of the client.
 */
export async function streamStart(
  client: HistoryRequest['client'],
  filter: LogFilter,
  { from, to }: LogWindow,
  options: Pick<CallOptions, 'signal' | 'retries'>,
): Promise<LogQueryPage & { readonly follow: StreamCursor }> {
  const filters = tailFilters(filter, from, to);
  const page = await client.queryLogs({ filters, limit: 1 }, { ...options, priority: 'person' });
  return { ...page, follow: streamable(page.follow) };
}

/** Every query whose filters a stream accepts has a cursor for it. */
function streamable(follow: StreamCursor | undefined): StreamCursor {
  if (follow === undefined) throw new Error('There is no cursor for the stream.');
  return follow;
}

/** How far back the history is loaded. */
const daysBack = 7;
/** The most records to load after a cursor was lost. */
const catchUpRecords = 10_000;

/** The searches of a tail: how it begins, and begins again. All throw the errors of the client. */
export class TailHistory {
  /** @param ahead how far ahead the end of a time range is, in milliseconds. */
  constructor(
    readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream' | 'serverNow'>,
    private readonly filter: LogFilter,
    private readonly initialLines: number,
    private readonly ahead: () => number,
    private readonly deduplication: Deduplication,
  ) {}

  /** The cursor that an earlier tail with the same filter saved. */
  savedCursor({ from, to, cursor }: TailPosition): StreamCursor {
    return StreamCursor.of(tailFilters(this.filter, from, to), cursor);
  }

  /** Loads the last records or, if none are to be shown, marks the newest as known. */
  async begin(signal: AbortSignal): Promise<StreamCursor> {
    const now = this.client.serverNow();
    const window = streamWindow(now, this.ahead());
    const found = await this.load(window, Math.max(1, this.initialLines), signal);
    // What logs with a clock that is ahead does not hide what the others log from now on.
    const since = extremeOf([found.since, new Date(now).toISOString()], -1) ?? window.from;
    const history = { ...found, since };
    if (this.initialLines > 0) this.deduplication.acceptHistory(history, history.follow, []);
    else this.deduplication.skipHistory(history, history.follow);
    return history.follow;
  }

  /**
   * Loads the history before a cursor again, because not all of it was shown.
   *
   * @param until the end of its range, ISO UTC.
   */
  async resume(cursor: StreamCursor, until: string, signal: AbortSignal): Promise<void> {
    const window = { from: cursor.filters.from, to: until };
    const history = await this.load(window, Math.max(1, this.initialLines), signal);
    this.deduplication.acceptHistory(history, cursor, []);
  }

  /**
   * Starts again where the tail was, because its cursor was lost: marks the gap. What a tail knows by its id
   * tells where it was; times do not, because records arrive late and clocks differ.
   */
  async catchUp(old: StreamCursor, loss: ApiError, signal: AbortSignal): Promise<StreamCursor> {
    const { deduplication } = this;
    const { from, to } = streamWindow(this.client.serverNow(), this.ahead());
    const window = { from: utcTime(deduplication.since ?? old.filters.from) ?? from, to };
    const history = await this.load(window, catchUpRecords, signal, (id) =>
      deduplication.knows(id),
    );
    deduplication.acceptHistory(history, history.follow, [{ kind: 'gap', error: loss }]);
    return history.follow;
  }

  /** Whether a time range ends soon: later records would not be in it. */
  isEnding({ to }: LogWindow): boolean {
    return this.client.serverNow() >= Date.parse(to) - this.ahead() / 7;
  }

  /** The cursor of a range that starts now, for a tail whose range ends. */
  async nextRange(signal: AbortSignal): Promise<StreamCursor> {
    const { client, filter } = this;
    const window = streamWindow(client.serverNow(), this.ahead());
    return (await streamStart(client, filter, window, { signal, retries: false })).follow;
  }

  /**
   * Moves a tail to the next range, without a loss, whenever its records arrive and whichever times they
   * have. A record that arrives after `next` comes with the stream of `next`. One that arrived before comes
   * from the old cursor if the old range has its time, and else from a search between the ends of both.
   * What comes twice is known by its id.
   *
   * @param next issued before this call.
   * @param isDrained whether the stream of the old cursor has sent everything from before `next`.
   * @returns false if the old cursor must be streamed, because a search does not bring all that follows it.
   */
  async moveToRange(
    old: StreamCursor,
    next: StreamCursor,
    isDrained: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const before = isDrained ? nothing : await drain(this.client, old, signal);
    if (before === undefined) return false;
    const window = { from: old.filters.to, to: next.filters.to };
    const beyond = await this.load(window, catchUpRecords, signal);
    const gap: Notice = { kind: 'gap', error: undefined };
    this.deduplication.acceptRange(
      {
        records: [...before.records, ...beyond.records],
        accessRevision: beyond.accessRevision,
        partial: before.partial || beyond.partial,
      },
      next,
      beyond.reachesBack ? [] : [gap],
    );
    return true;
  }

  private async load(
    window: LogWindow,
    wanted: number,
    signal: AbortSignal,
    knows?: HistoryRequest['knows'],
  ): Promise<History> {
    const { client, filter } = this;
    const known = knows === undefined ? {} : { knows };
    const history = await loadHistory({ client, filter, window, wanted, signal, ...known });
    signal.throwIfAborted();
    return history;
  }
}

const nothing = { records: [], partial: false };

/** What follows a cursor of a stream, by a search. Undefined if that does not bring all of it. */
async function drain(
  client: HistoryRequest['client'],
  old: StreamCursor,
  signal: AbortSignal,
): Promise<Pick<FetchedPages, 'records' | 'partial'> | undefined> {
  const start = PageCursor.after(old);
  const limits = {
    target: catchUpRecords,
    maxPages: catchUpRecords / largestPage + pagesBeyondNeed,
  };
  try {
    const found = await fetchPages({
      client,
      start,
      ...limits,
      signal,
      priority: 'person',
      retries: false,
    });
    return found !== 'cursorRefused' && found.end === 'end' ? found : undefined;
  } catch (error) {
    // It may be the search that is refused. If it is the cursor, the stream says so.
    if (failedAs(error, 'refused', 'notFound')) return undefined;
    throw error;
  }
}

/** The default for how far ahead the range of a stream ends, in milliseconds. */
export const defaultAhead = 7 * day;

/**
 * The time range of a stream that starts now. It ends in the future, so that the filters stay the same
 * while the cursor is valid.
 */
export function streamWindow(now: number, ahead: number): LogWindow {
  return logWindow(now - daysBack * day, now + ahead);
}
