import type { ControlPlaneClient, OnWait } from './client';
import {
  type Direction,
  type LogQueryPage,
  oldestFirst,
  PageCursor,
  type StreamCursor,
} from './cursors';
import { ApiError } from './errors';
import type { LogQueryFilters, LogRecord } from './types';

/** Where a search begins: at the newest, or for `newer` wherever the server has it begin. */
export interface PagesStart {
  readonly filters: LogQueryFilters;
  readonly direction: Direction;
  /** That of a cursor, which this is not. */
  readonly text?: never;
}

export interface PagesRequest<Start = PagesStart | PageCursor> {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly start: Start;
  /** Pages are fetched until there are this many records, at least 1. */
  readonly target: number;
  /** The records to ask for at a time; fewer once the server finds them too large. */
  readonly pageSize?: number | undefined;
  /** How many pages are fetched at most. */
  readonly maxPages?: number;
  /** Ends it; what has come by then is answered where the reason is `enough`. */
  readonly signal: AbortSignal;
  /** Told after each page but the last. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /**
   * Told of each page, so that one who wants all that has come has it where the rest fails; what it
   * answers with true is the last one.
   */
  readonly onPage?: (page: LogQueryPage) => unknown;
  /** As those of the client. */
  readonly onWait?: OnWait | undefined;
  readonly retries?: boolean;
}

export interface FetchProgress {
  readonly records: number;
  readonly pages: number;
}

/** Pages that belong together, as one. */
export interface FetchedPages {
  /** Oldest first, in the server's order. */
  readonly records: readonly LogRecord[];
  /** Where to go on in this direction; undefined where there is no more. */
  readonly next: PageCursor | undefined;
  /** What came after these pages comes from here on, where the stream takes all of the filters. */
  readonly follow: StreamCursor | undefined;
  readonly accessRevision: string;
  readonly localization: LogQueryPage['localization'];
  /** Whether the server left out some of it. */
  readonly partial: boolean;
  /** How many records the server sends at a time, as far as is known. */
  readonly pageSize: number;
  readonly end:
    /** There is no more in this direction. */
    | 'end'
    /** As many as were wanted. */
    | 'target'
    /** Whoever was told of the last page wants no more. */
    | 'enough'
    /** As many pages as there may be, or many that brought next to nothing: there may be more. */
    | 'sparse'
    /** The cursors lead round in circles. */
    | 'circle'
    /** What may be seen has changed: nothing of the older pages may be shown. */
    | 'accessChanged'
    /** The server does not go on from the cursor. */
    | 'cursorRefused'
    /** Somebody has seen enough. */
    | 'cancelled';
}

/** The reason of a signal that ends loading, yet not what was loaded. */
export const enough = new Error('Loading was cancelled.');

/** The most that the contract allows. */
export const largestPage = 500;
/** So many pages that are less than a tenth full are loaded before somebody is asked. */
const maxSparsePages = 50;

/**
 * Fetches pages of a search in one direction until there are as many records as wanted: the one way in
 * which that is done. A page that is too large is asked for by halves, down to one record; a cursor
 * that is refused, in whatever words, ends it. What has come is answered even where going on fails in a
 * way that only a new search helps against.
 *
 * @returns `cursorRefused` where that was the cursor to begin with.
 * @throws what the client throws otherwise, and the signal's reason.
 */
export function fetchPages(request: PagesRequest<PagesStart>): Promise<FetchedPages>;
export function fetchPages(request: PagesRequest): Promise<FetchedPages | 'cursorRefused'>;
export async function fetchPages(request: PagesRequest): Promise<FetchedPages | 'cursorRefused'> {
  const { start, target, maxPages = Infinity, signal, onProgress, onPage } = request;
  const asker = pageAsker(request);
  const pages: LogQueryPage[] = [];
  const cursors = new Set(start instanceof PageCursor ? [start.text] : []);
  const end = (why: FetchedPages['end']): FetchedPages => ({
    ...joined(pages, start.direction, why),
    pageSize: asker.largest,
  });
  let records = 0;
  let sparsePages = 0;
  for (let from: PagesStart | PageCursor = start; ;) {
    const wanted = target - records;
    const [first] = pages;
    let page: LogQueryPage | undefined;
    try {
      page = await asker.ask(from, wanted);
    } catch (error) {
      if (first !== undefined && signal.reason === enough) return end('cancelled');
      throw error;
    }
    if (page === undefined) return first === undefined ? 'cursorRefused' : end('cursorRefused');
    if (first !== undefined && page.accessRevision !== first.accessRevision) {
      return end('accessChanged');
    }
    pages.push(page);
    records += page.records.length;
    if (onPage?.(page) === true) return end('enough');
    const { next } = page;
    if (next === undefined) return end('end');
    if (cursors.has(next.text)) return end('circle');
    if (records >= target) return end('target');
    if (page.records.length * 10 < Math.min(wanted, largestPage)) sparsePages++;
    if (sparsePages >= maxSparsePages || pages.length >= maxPages) return end('sparse');
    cursors.add(next.text);
    from = next;
    onProgress?.({ records, pages: pages.length });
    if (signal.reason === enough) return end('cancelled');
    signal.throwIfAborted();
  }
}

function joined(
  pages: readonly LogQueryPage[],
  direction: Direction,
  end: FetchedPages['end'],
): Omit<FetchedPages, 'pageSize'> {
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) throw new Error('There is no page.');
  const inOrder = direction === 'older' ? [...pages].reverse() : pages;
  const goesOn = end !== 'circle' && end !== 'accessChanged' && end !== 'cursorRefused';
  return {
    records: inOrder.flatMap((page) => oldestFirst(page.records, direction)),
    next: goesOn ? last.next : undefined,
    // Pages of older records are of the snapshot of the first; each of newer ones has its own.
    follow: (direction === 'older' ? first : last).follow,
    accessRevision: first.accessRevision,
    localization: first.localization,
    partial: pages.some(({ partial }) => partial),
    end,
  };
}

interface PageAsker {
  /** How many records at most are asked for at a time. */
  readonly largest: number;
  /** A page; undefined where the cursor is refused. */
  ask(from: PagesStart | PageCursor, wanted: number): Promise<LogQueryPage | undefined>;
}

/** Asks for pages, and for smaller ones once they are too large. */
function pageAsker({ client, pageSize, signal, onWait, retries = true }: PagesRequest): PageAsker {
  let largest = pageSize ?? largestPage;
  return {
    get largest() {
      return largest;
    },
    async ask(from, wanted) {
      const isCursor = from instanceof PageCursor;
      for (;;) {
        const limit = Math.min(largest, wanted);
        const query = isCursor ? { cursor: from, limit } : { ...from, limit };
        try {
          return await client.queryLogs(query, { signal, onWait, retries });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          if (isCursor && isCursorRefused(error)) return undefined;
          if (error.status !== 413 || limit <= 1) throw error;
          largest = Math.floor(limit / 2);
        }
      }
    },
  };
}

/**
 * Whether an answer to a request with a cursor may say that the server does not take it: where anything
 * else was wrong with the request, the same without the cursor says so.
 */
function isCursorRefused({ status }: ApiError): boolean {
  return status === 400 || status === 409 || status === 410 || status === 422;
}

interface NewestRequest extends Pick<PagesRequest, 'client' | 'signal' | 'onPage'> {
  readonly filters: LogQueryFilters;
  readonly maxPages: number;
}

/** The newest records of a search, as many as fit on so many pages. */
export function fetchNewest({
  filters,
  maxPages,
  ...request
}: NewestRequest): Promise<FetchedPages> {
  const start: PagesStart = { filters, direction: 'older' };
  return fetchPages({ ...request, start, maxPages, target: maxPages * largestPage });
}
