import type { ControlPlaneClient } from '../../api/client';
import { type Clock, day } from '../../api/clock';
import type { LogQueryPage, StreamCursor } from '../../api/cursors';
import type { ApiError } from '../../api/errors';
import { type FetchedPages, fetchPages, largestPage } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { compareTimestamps, logWindow, type LogWindow, utcTime } from '../../api/utcTime';
import { type LogFilter, queryFilters, tailFilters } from '../query/filter';
import type { Notice } from './buffer';
import type { TailDedupe } from './dedupe';

export interface HistoryRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly filter: LogFilter;
  readonly window: LogWindow;
  /** How many of the last records to load, at least 1. */
  readonly wanted: number;
  /** ISO. Older records are not loaded. */
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}

export interface History {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** A stream with the tail's filters resumes here, without a gap. */
  readonly follow: StreamCursor;
  readonly accessRevision: string;
  /** Whether these are all records since the given time. */
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
  const { client, filter, window, wanted, since, signal } = request;
  const isOfStream = filter.stream === undefined && filter.conditionGroup === undefined;
  // Requested first: records that arrive during the history then come twice instead of never.
  const own = isOfStream ? undefined : await streamCursor({ ...request, retries: false });
  const start = {
    filters: queryFilters(filter, window.from, window.to),
    direction: 'older',
  } as const;
  for (let tries = 1; ; tries++) {
    const found = await fetchPages({
      client,
      start,
      target: wanted,
      maxPages: Math.ceil(wanted / largestPage) + pagesBeyondNeed,
      signal,
      retries: false,
      onPage: ({ records }) => records.some(({ timestamp }) => !isSince(timestamp, since)),
    });
    if (isTorn(found) && tries < maxTries) continue;
    const follow = own ?? found.follow;
    if (follow === undefined) throw new Error('There is no cursor for the stream.');
    return {
      records: found.records.filter(({ timestamp }) => isSince(timestamp, since)),
      follow,
      accessRevision: found.accessRevision,
      reachesBack: found.end === 'end' || found.end === 'enough',
      partial: found.partial || isTorn(found) || ['sparse', 'repeatedCursor'].includes(found.end),
    };
  }
}

/** Whether older pages are unavailable because the access or the cursors have changed. */
function isTorn({ end }: FetchedPages): boolean {
  return end === 'accessChanged' || end === 'cursorRefused';
}

/**
 * The cursor for a stream that starts now. A cursor belongs to the filters of its query, so the query
 * omits the filters that a stream does not accept.
 *
 * @throws the errors of the client.
 */
export async function streamCursor({
  client,
  filter,
  window,
  signal,
  retries = true,
}: Pick<HistoryRequest, 'client' | 'filter' | 'window' | 'signal'> & {
  readonly retries?: boolean;
}): Promise<StreamCursor> {
  const filters = tailFilters(filter, window.from, window.to);
  const { follow }: LogQueryPage = await client.queryLogs(
    { filters, limit: 1 },
    { signal, retries },
  );
  if (follow === undefined) throw new Error('There is no cursor for the stream.');
  return follow;
}

function isSince(timestamp: string, since: string | undefined): boolean {
  // An invalid timestamp counts as new, so that no record is lost.
  return since === undefined || !(compareTimestamps(timestamp, since) < 0);
}

/** What the beginning of a tail needs. */
export interface TailStartParts {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>;
  readonly clock: Clock;
  readonly filter: LogFilter;
  readonly initialLines: number;
  /** How far ahead the end of a time range is, in milliseconds. */
  readonly ahead: () => number;
  readonly dedupe: TailDedupe;
}

/** How far back the history is loaded. */
const daysBack = 7;
/** The most records to load after a cursor was lost. */
const catchUpRecords = 10_000;

/** Loads the last records or, if none are to be shown, marks the newest as known. */
export async function beginWithHistory(
  parts: TailStartParts,
  signal: AbortSignal,
): Promise<StreamCursor> {
  const { initialLines, dedupe } = parts;
  const history = await load(parts, Math.max(1, initialLines), undefined, signal);
  if (initialLines > 0) dedupe.acceptHistory(history, history.follow, []);
  else dedupe.skipHistory(history, history.follow);
  return history.follow;
}

/**
 * Starts again at the last record, because the cursor was lost or its time range is over.
 *
 * @param loss why the cursor cannot be used; undefined if it still could.
 */
export async function catchUp(
  parts: TailStartParts,
  loss: ApiError | undefined,
  signal: AbortSignal,
): Promise<StreamCursor> {
  const since = parts.dedupe.lastTimestamp;
  const history = await load(parts, catchUpRecords, since, signal);
  const hasGap = loss !== undefined || !history.reachesBack;
  const gap: Notice = { kind: 'gap', since, error: loss };
  parts.dedupe.acceptHistory(history, history.follow, hasGap ? [gap] : []);
  return history.follow;
}

async function load(
  { client, filter, ahead }: TailStartParts,
  wanted: number,
  since: string | undefined,
  signal: AbortSignal,
): Promise<History> {
  const last = Date.parse(utcTime(since ?? '') ?? '');
  const window = streamWindow(client.serverNow(), ahead(), last);
  const history = await loadHistory({ client, filter, window, wanted, since, signal });
  signal.throwIfAborted();
  return history;
}

/** The default for how far ahead the range of a stream ends, in milliseconds. */
export const defaultAhead = 7 * day;

/**
 * The time range of a stream that starts now. It ends in the future, so that the filters stay the same
 * while the cursor is valid.
 *
 * @param last the latest time at which it begins, in milliseconds since 1970; NaN if unknown.
 */
export function streamWindow(now: number, ahead: number, last = Number.NaN): LogWindow {
  const weekAgo = now - daysBack * day;
  const from = Number.isNaN(last) ? weekAgo : Math.min(weekAgo, last);
  return logWindow(from, now + ahead);
}

/** Whether a time range ends soon: later records would not be in it. */
export function isEnding(
  { to }: LogWindow,
  { client, ahead }: Pick<TailStartParts, 'client' | 'ahead'>,
): boolean {
  return client.serverNow() >= Date.parse(to) - ahead() / 7;
}
