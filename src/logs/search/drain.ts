import type { ControlPlaneClient, OnWait } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { LogQueryFilters, LogQueryResponse, LogRecord } from '../../api/types';
import { oldestFirst, type Direction } from './pageOrder';

export interface DrainRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly filters: LogQueryFilters;
  readonly direction: Direction;
  /** Where to go on; from the newest, or for `newer` the oldest, without one. */
  readonly cursor?: string | undefined;
  /** Pages are loaded until there are this many records, at least 1. */
  readonly target: number;
  /** The records to ask for at a time; fewer once the server finds them too large. */
  readonly pageSize?: number;
  /** Ends it; what has come by then is answered where the reason is `enough`. */
  readonly signal: AbortSignal;
  /** Told after each page but the last. */
  readonly onProgress?: (progress: Progress) => void;
  /** Told of each page, so that one who wants all that has come has it where the rest fails. */
  readonly onPage?: (page: LogQueryResponse) => void;
  /** As that of the client. */
  readonly onWait?: OnWait | undefined;
}

export interface Progress {
  readonly records: number;
  readonly pages: number;
}

/** Pages that belong together, as one. */
export interface Drained {
  /** Oldest first, in the server's order. */
  readonly records: readonly LogRecord[];
  /** Where to go on in this direction; undefined where there is no more. */
  readonly nextCursor: string | undefined;
  /** What came after these pages comes from here on, on the stream too. */
  readonly followCursor: string;
  readonly accessRevision: string;
  readonly localization: LogQueryResponse['localization'];
  /** ISO UTC: when the server looked first. */
  readonly snapshotAt: string;
  /** Whether the server left out some of it. */
  readonly partial: boolean;
  /** How many records the server sends at a time, as far as is known. */
  readonly pageSize: number;
  readonly end:
    /** There is no more in this direction. */
    | 'end'
    /** As many as were wanted. */
    | 'target'
    /** Many pages brought next to nothing: go on from `nextCursor` only if somebody wants to. */
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
const largestPage = 500;
/** So many pages that are less than a tenth full are loaded before somebody is asked. */
const maxSparsePages = 50;

/**
 * Loads pages in one direction until there are as many records as wanted. What has come is answered
 * even where going on fails in a way that only a new search helps against.
 *
 * @throws what the client throws otherwise, and the signal's reason.
 */
export async function drain(request: DrainRequest): Promise<Drained | 'cursorRefused'> {
  const { direction, target, signal, onProgress, onPage } = request;
  const asker = pageAsker(request);
  const pages: LogQueryResponse[] = [];
  const cursors = new Set<string | undefined>([request.cursor]);
  const end = (why: Drained['end']): Drained => ({
    ...joined(pages, direction, why),
    pageSize: asker.largest,
  });
  let records = 0;
  let sparsePages = 0;
  for (let cursor = request.cursor; ;) {
    const wanted = target - records;
    const [first] = pages;
    let page: LogQueryResponse | undefined;
    try {
      page = await asker.ask(cursor, wanted);
    } catch (error) {
      if (first !== undefined && signal.reason === enough) return end('cancelled');
      throw error;
    }
    if (page === undefined) {
      return first === undefined ? 'cursorRefused' : end('cursorRefused');
    }
    if (first !== undefined && page.accessRevision !== first.accessRevision) {
      return end('accessChanged');
    }
    pages.push(page);
    onPage?.(page);
    records += page.records.length;
    const { hasMore, nextCursor } = page;
    if (!hasMore || nextCursor === null) return end('end');
    if (cursors.has(nextCursor)) return end('circle');
    if (records >= target) return end('target');
    if (page.records.length * 10 < Math.min(wanted, largestPage)) sparsePages++;
    if (sparsePages >= maxSparsePages) return end('sparse');
    cursors.add(nextCursor);
    cursor = nextCursor;
    onProgress?.({ records, pages: pages.length });
    if (signal.reason === enough) return end('cancelled');
    signal.throwIfAborted();
  }
}

function joined(
  pages: readonly LogQueryResponse[],
  direction: Direction,
  end: Drained['end'],
): Omit<Drained, 'pageSize'> {
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) throw new Error('There is no page.');
  const inOrder = direction === 'older' ? [...pages].reverse() : pages;
  const goesOn = end !== 'end' && end !== 'circle' && end !== 'accessChanged';
  return {
    records: inOrder.flatMap((page) => oldestFirst(page.records, direction)),
    nextCursor: goesOn ? (last.nextCursor ?? undefined) : undefined,
    // Pages of older records are of the snapshot of the first; each of newer ones has its own.
    followCursor: (direction === 'older' ? first : last).followCursor,
    accessRevision: first.accessRevision,
    localization: first.localization,
    snapshotAt: first.snapshotAt,
    partial: pages.some(({ partial }) => partial),
    end,
  };
}

interface PageAsker {
  /** How many records at most are asked for at a time. */
  readonly largest: number;
  /** A page; undefined where the cursor is refused. */
  ask(cursor: string | undefined, wanted: number): Promise<LogQueryResponse | undefined>;
}

/** Asks for pages, and for smaller ones once they are too large. */
function pageAsker({
  client,
  filters,
  direction,
  pageSize,
  signal,
  onWait,
}: DrainRequest): PageAsker {
  let largest = pageSize ?? largestPage;
  return {
    get largest() {
      return largest;
    },
    async ask(cursor, wanted) {
      for (;;) {
        const limit = Math.min(largest, wanted);
        const from = cursor === undefined ? {} : { cursor };
        try {
          return await client.queryLogs({ filters, limit, direction, ...from }, { signal, onWait });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          if (cursor !== undefined && isCursorRefused(error)) return undefined;
          if (error.status !== 413 || limit <= 1) throw error;
          largest = Math.floor(limit / 2);
        }
      }
    },
  };
}

/** Whether the server says of a request with a cursor that it does not take the cursor. */
function isCursorRefused({ status, code, message }: ApiError): boolean {
  if (status === 400) return /cursor/i.test(`${code} ${message}`);
  return status === 409 || status === 410 || status === 422;
}
