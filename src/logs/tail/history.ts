import type { ControlPlaneClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { LogQueryResponse, LogRecord } from '../../api/types';
import { queryFilters, tailFilters, type LogFilter } from '../query/filter';
import type { LogWindow } from './position';
import { compareTimestamps } from './compareTimestamps';

export interface HistoryRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly filter: LogFilter;
  readonly window: LogWindow;
  /** The last so many records, at least 1. */
  readonly wanted: number;
  /** ISO; nothing older than this. */
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}

export interface History {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** A stream with the tail's filters goes on from here: nothing falls in between. */
  readonly followCursor: string;
  readonly accessRevision: string;
  /** Whether these are all records since the given time. */
  readonly reachesBack: boolean;
  /** Whether the server or a bound of ours left out some of what was wanted. */
  readonly partial: boolean;
}

/** The contract's limit of one page. */
const pageSize = 500;
/** A server may answer with nearly empty pages for ever. */
const pagesBeyondNeed = 20;
const maxTries = 3;

/**
 * Loads the last records of a window.
 *
 * @throws what the client throws.
 */
export async function loadHistory(request: HistoryRequest): Promise<History> {
  const ownCursor = await cursorOfTailFilters(request);
  for (let tries = 1; ; tries++) {
    const { newest, pages, isTorn, ...rest } = await readPages(request);
    if (isTorn && tries < maxTries) continue;
    const records = pages
      .reverse()
      .flatMap((page) => oldestFirst(page.records))
      .filter(({ timestamp }) => isSince(timestamp, request.since));
    return {
      ...rest,
      records,
      followCursor: ownCursor ?? newest.followCursor,
      accessRevision: newest.accessRevision,
    };
  }
}

/**
 * A cursor belongs to the filters it was issued for. Where the stream cannot take all of the filters,
 * its cursor comes from a query that leaves the same ones out. Asked first: what comes before the
 * history is loaded then comes twice, rather than never.
 */
async function cursorOfTailFilters(request: HistoryRequest): Promise<string | undefined> {
  const { client, filter, window, signal } = request;
  if (filter.stream === undefined && filter.conditionGroup === undefined) return undefined;
  const filters = tailFilters(filter, window.from, window.to);
  const page = await client.queryLogs(
    { filters, limit: 1, direction: 'older' },
    { signal, retries: false },
  );
  return page.followCursor;
}

interface Pages {
  readonly newest: LogQueryResponse;
  /** Newest first. */
  readonly pages: LogQueryResponse[];
  readonly reachesBack: boolean;
  readonly partial: boolean;
  /** The access changed between two pages, so that the older ones were not to be had. */
  readonly isTorn: boolean;
}

async function readPages(request: HistoryRequest): Promise<Pages> {
  const { client, filter, window, wanted, since, signal } = request;
  const filters = queryFilters(filter, window.from, window.to);
  const ask = (count: number, cursor?: string): Promise<LogQueryResponse> => {
    const limit = Math.min(pageSize, count);
    const query = { filters, limit, direction: 'older' as const, ...(cursor ? { cursor } : {}) };
    return client.queryLogs(query, { signal, retries: false });
  };

  const newest = await ask(wanted);
  const pages = [newest];
  const cursors = new Set<string>();
  const maxPages = Math.ceil(wanted / pageSize) + pagesBeyondNeed;
  const end = (reachesBack: boolean, isTorn = false, isCut = isTorn): Pages => ({
    newest,
    pages,
    reachesBack,
    isTorn,
    partial: isCut || pages.some(({ partial }) => partial),
  });

  for (let page = newest, missing = wanted; ;) {
    const { records, hasMore, nextCursor } = page;
    missing -= records.length;
    if (records.some(({ timestamp }) => !isSince(timestamp, since))) return end(true);
    if (!hasMore || nextCursor === null) return end(true);
    if (missing <= 0) return end(false);
    // A cursor that comes again would lead round in circles.
    if (cursors.has(nextCursor) || pages.length >= maxPages) return end(false, false, true);
    cursors.add(nextCursor);
    const next = await unlessRefused(ask(missing, nextCursor));
    if (next?.accessRevision !== newest.accessRevision) return end(false, true);
    pages.push(next);
    page = next;
  }
}

/** A page, or undefined where its cursor does not lead on any more. */
async function unlessRefused(
  page: Promise<LogQueryResponse>,
): Promise<LogQueryResponse | undefined> {
  try {
    return await page;
  } catch (error) {
    const isRefused = error instanceof ApiError && [400, 409, 410, 422].includes(error.status ?? 0);
    if (isRefused) return undefined;
    throw error;
  }
}

/** Whichever way round the server sends a page; nothing tells for records of one instant. */
function oldestFirst(records: readonly LogRecord[]): readonly LogRecord[] {
  const first = records[0];
  const last = records.at(-1);
  if (first === undefined || last === undefined) return records;
  const runsForward = compareTimestamps(first.timestamp, last.timestamp) < 0;
  return runsForward ? records : [...records].reverse();
}

function isSince(timestamp: string, since: string | undefined): boolean {
  // What is no timestamp counts as new rather than be lost.
  return since === undefined || !(compareTimestamps(timestamp, since) < 0);
}
