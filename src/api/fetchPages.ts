import type { ControlPlaneClient, OnWait } from './client';
import {
  type Direction,
  type LogQueryPage,
  oldestFirst,
  PageCursor,
  type StreamCursor,
  mayRefuseCursor,
} from './cursors';
import { ApiError } from './errors';
import type { Priority } from './requestScheduler';
import type { LogQueryFilters, LogRecord } from './types';

/** The start of a search: at the newest record, or for `newer` where the server starts it. */
export interface PagesStart {
  readonly filters: LogQueryFilters;
  readonly direction: Direction;
  /** Tells this type from a cursor, which has a text. */
  readonly text?: never;
}

export interface PagesRequest<Start = PagesStart | PageCursor> {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly start: Start;
  /** How many records to fetch, at least 1. */
  readonly target: number;
  /** How many records to request at a time. Halved if the server refuses a page as too large. */
  readonly pageSize?: number | undefined;
  /** How many pages to fetch at most. */
  readonly maxPages?: number;
  /** If the reason is `stopLoading`, the pages so far are returned. */
  readonly signal: AbortSignal;
  /** Called after each page except the last. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /**
   * Called with each page, so that a caller can keep the pages before a failure. If it returns true,
   * no more pages are fetched.
   */
  readonly onPage?: (page: LogQueryPage) => unknown;
  /** See `CallOptions`, like the next two. */
  readonly priority: Priority;
  readonly onWait?: OnWait | undefined;
  readonly retries?: boolean | undefined;
}

export interface FetchProgress {
  readonly records: number;
  readonly pages: number;
}

/** Consecutive pages of a search, as one. */
export interface FetchedPages {
  /** Oldest first, in the server's order. */
  readonly records: readonly LogRecord[];
  /** The position of the next page in this direction. Undefined if there are no more. */
  readonly next: PageCursor | undefined;
  /** A stream of newer records can start here. Undefined if it does not support all of the filters. */
  readonly follow: StreamCursor | undefined;
  readonly accessRevision: string;
  /** Whether the server says that records are missing. */
  readonly partial: boolean;
  /** The page size that the server accepted. */
  readonly pageSize: number;
  readonly end:
    /** There are no more pages in this direction. */
    | 'end'
    /** There are as many records as requested. */
    | 'target'
    /** `onPage` returned true. */
    | 'satisfied'
    /** `maxPages` pages, or many nearly empty ones, were fetched: there may be more records. */
    | 'sparse'
    /** A cursor came twice. */
    | 'repeatedCursor'
    /** There are more pages, but the server sent no cursor. */
    | 'cursorMissing'
    /** The access revision changed: pages of different revisions must not be mixed. */
    | 'accessChanged'
    | 'cursorRefused'
    /** The signal was aborted with `stopLoading`. */
    | 'cancelled';
}

/** An abort reason that stops loading and keeps what was loaded. */
export const stopLoading = new Error('Loading was cancelled.');

/** The largest page that the contract allows, in records. */
export const largestPage = 500;
/** How many pages that are less than a tenth full are fetched before the user is asked. */
const maxSparsePages = 50;

/**
 * Fetches pages of a search in one direction until there are as many records as requested. If a page
 * is too large, requests half of it, down to one record. If the server refuses a cursor, returns the
 * pages so far.
 *
 * @returns `cursorRefused` if the server refused the cursor to start from.
 * @throws any other error of the client, or the signal's reason.
 */
export function fetchPages(request: PagesRequest<PagesStart>): Promise<FetchedPages>;
export function fetchPages(request: PagesRequest): Promise<FetchedPages | 'cursorRefused'>;
export async function fetchPages(request: PagesRequest): Promise<FetchedPages | 'cursorRefused'> {
  const { start, target, maxPages = Infinity, signal, onProgress, onPage } = request;
  const fetcher = new PageFetcher(request);
  const pages: LogQueryPage[] = [];
  const result = (why: FetchedPages['end']): FetchedPages => ({
    ...joinPages(pages, start.direction, why),
    pageSize: fetcher.largest,
  });
  let records = 0;
  let sparsePages = 0;
  for (let from: PagesStart | PageCursor = start; ;) {
    const wanted = target - records;
    const [first] = pages;
    let page: LogQueryPage | undefined;
    try {
      page = await fetcher.fetchPage(from, wanted);
    } catch (error) {
      if (first !== undefined && signal.reason === stopLoading) return result('cancelled');
      throw error;
    }
    if (page === undefined) return first === undefined ? 'cursorRefused' : result('cursorRefused');
    if (first !== undefined && page.accessRevision !== first.accessRevision) {
      return result('accessChanged');
    }
    pages.push(page);
    records += page.records.length;
    if (onPage?.(page) === true) return result('satisfied');
    const { next } = page;
    if (next === undefined) return result(page.hasMore ? 'cursorMissing' : 'end');
    if (next.isRepeated) return result('repeatedCursor');
    if (records >= target) return result('target');
    if (page.records.length * 10 < Math.min(wanted, fetcher.largest)) sparsePages++;
    if (sparsePages >= maxSparsePages || pages.length >= maxPages) return result('sparse');
    from = next;
    onProgress?.({ records, pages: pages.length });
    if (signal.reason === stopLoading) return result('cancelled');
    signal.throwIfAborted();
  }
}

function joinPages(
  pages: readonly LogQueryPage[],
  direction: Direction,
  end: FetchedPages['end'],
): Omit<FetchedPages, 'pageSize'> {
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) throw new Error('There is no page.');
  const inOrder = direction === 'older' ? [...pages].reverse() : pages;
  const canContinue =
    end !== 'repeatedCursor' && end !== 'accessChanged' && end !== 'cursorRefused';
  return {
    records: inOrder.flatMap((page) => oldestFirst(page.records, direction)),
    next: canContinue ? last.next : undefined,
    // Pages of older records belong to the snapshot of the first page; each newer page has its own.
    follow: (direction === 'older' ? first : last).follow,
    accessRevision: first.accessRevision,
    partial: end === 'cursorMissing' || pages.some(({ partial }) => partial),
    end,
  };
}

/** Fetches single pages, and smaller ones after one was too large. */
class PageFetcher {
  /** How many records are requested at most at a time. */
  largest: number;
  private readonly request: PagesRequest;
  private isFirst = true;

  constructor(request: PagesRequest) {
    this.request = request;
    this.largest = request.pageSize ?? largestPage;
  }

  /** Returns a page, or undefined if the server refuses the cursor. */
  async fetchPage(
    from: PagesStart | PageCursor,
    wanted: number,
  ): Promise<LogQueryPage | undefined> {
    const { client, signal, onWait } = this.request;
    const isCursor = from instanceof PageCursor;
    for (;;) {
      const limit = Math.min(this.largest, wanted);
      const query = isCursor ? { cursor: from, limit } : { ...from, limit };
      try {
        return await client.queryLogs(query, { signal, onWait, ...this.nextTurn() });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isCursor && mayRefuseCursor(error.status)) return undefined;
        if (error.status !== 413 || limit <= 1) throw error;
        this.largest = Math.floor(limit / 2);
      }
    }
  }

  /** A person waits for the first page. The next ones are retried as if one did, but leave room for what is asked. */
  private nextTurn(): Pick<PagesRequest, 'priority' | 'retries'> {
    const { priority, retries } = this.request;
    if (this.isFirst || priority !== 'person') {
      this.isFirst = false;
      return { priority, retries };
    }
    return { priority: 'awaited', retries: retries ?? true };
  }
}

interface NewestRequest extends Pick<PagesRequest, 'client' | 'signal' | 'priority' | 'onPage'> {
  readonly filters: LogQueryFilters;
  readonly maxPages: number;
}

/** Fetches the newest records of a search, at most `maxPages` full pages. */
export function fetchNewest({
  filters,
  maxPages,
  ...request
}: NewestRequest): Promise<FetchedPages> {
  const start: PagesStart = { filters, direction: 'older' };
  return fetchPages({ ...request, start, maxPages, target: maxPages * largestPage });
}

/** The most conditions in a group, by the contract. */
const mostConditions = 8;
/** How many pages of the newest records `fetchEach` reads. */
export const newestPages = 6;
/** How many pages with other records it reads then. */
const otherPages = 4;

interface EachRequest extends Omit<NewestRequest, 'maxPages'> {
  /** The field whose values are looked for, such as `serverId`. */
  readonly field: string;
  /** The values found so far, those to leave out first. */
  readonly found: () => readonly string[];
}

/**
 * Fetches the newest records of a search and then others, without the values of a field that were found: one
 * with many records must not hide one with few. Resolves with whether every value was found.
 */
export async function fetchEach({ field, found, ...request }: EachRequest): Promise<boolean> {
  const { end, partial } = await fetchNewest({ ...request, maxPages: newestPages });
  if (end === 'end') return !partial;
  for (let page = 0; page < otherPages; page++) {
    const known = found();
    if (known.length === 0) return false;
    const conditions = known
      .slice(0, mostConditions)
      .map((value) => ({ field, operator: 'not_equals' as const, value }));
    const filters = { ...request.filters, conditionGroup: { match: 'and' as const, conditions } };
    const others = await fetchNewest({ ...request, filters, maxPages: 1 });
    if (others.end === 'end') return !others.partial;
    if (found().length === known.length) return false;
  }
  return false;
}
