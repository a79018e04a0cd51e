import type {
  LogPage,
  LogQueryFilters,
  LogQueryRequest,
  LogQueryResponse,
  LogRecord,
  LogTailFilters,
  LogTailRequest,
} from './types';
import { compareTimestamps } from './utcTime';

/**
 * Leads to the next page of a search. It has the filters and the direction that it was issued for, and
 * stands in a request in their place: there is no way to send it with others.
 */
export class PageCursor {
  /** Nothing else is one, whatever members it has. */
  protected readonly issued = true;

  private constructor(
    readonly filters: LogQueryFilters,
    readonly direction: Direction,
    readonly text: string,
  ) {}

  /** The one that came with the answer to a request. */
  static of({ filters, direction = 'older' }: LogQueryRequest, text: string): PageCursor {
    return new PageCursor(filters, direction, text);
  }
}

/** Where a stream goes on, with the filters that it was issued for, as `PageCursor`. */
export class StreamCursor {
  protected readonly issued = true;

  private constructor(
    readonly filters: LogTailFilters,
    readonly text: string,
  ) {}

  /** One that came for these filters, now or before a reload. */
  static of(filters: LogTailFilters, text: string): StreamCursor {
    return new StreamCursor(filters, text);
  }
}

/** A search: what is asked for, or a cursor, which says it. */
export type LogQuery = { readonly limit?: number } & (
  | { readonly filters: LogQueryFilters; readonly direction?: Direction }
  | { readonly cursor: PageCursor }
);

/** What a stream is opened for, or a cursor, which says it. */
export type LogTail = { readonly filters: LogTailFilters } | { readonly cursor: StreamCursor };

/** The answer to a search. */
export type LogQueryPage = Omit<LogQueryResponse, 'nextCursor' | 'followCursor'> & {
  /** Undefined where there is no further page. */
  readonly next: PageCursor | undefined;
  /** A stream goes on from here; undefined where the stream does not take all of the filters. */
  readonly follow: StreamCursor | undefined;
};

/** A page of a stream. */
export type LogStreamPage = Omit<LogPage, 'nextCursor' | 'followCursor'> & {
  readonly follow: StreamCursor;
};

/** The request as it is sent. */
export function queryRequestOf(query: LogQuery): LogQueryRequest {
  if (!('cursor' in query)) return query;
  const { cursor, ...rest } = query;
  const { filters, direction, text } = cursor;
  return { ...rest, filters, direction, cursor: text };
}

/** The request as it is sent. */
export function tailRequestOf(tail: LogTail): LogTailRequest {
  if (!('cursor' in tail)) return tail;
  const { filters, text } = tail.cursor;
  return { filters, cursor: text };
}

/** The answer to a request, its cursors with what they were issued for. */
export function queryPageOf(request: LogQueryRequest, answer: LogQueryResponse): LogQueryPage {
  const { nextCursor, followCursor, ...page } = answer;
  const { filters } = request;
  const isOfStream = filters.stream === undefined && filters.conditionGroup === undefined;
  return {
    ...page,
    next: page.hasMore && nextCursor !== null ? PageCursor.of(request, nextCursor) : undefined,
    follow: isOfStream ? StreamCursor.of(filters, followCursor) : undefined,
  };
}

/** A page of a stream that was opened for these filters. */
export function streamPageOf(filters: LogTailFilters, sent: LogPage): LogStreamPage {
  const { nextCursor: _, followCursor, ...page } = sent;
  return { ...page, follow: StreamCursor.of(filters, followCursor) };
}

/** Which way a search goes on through the logs. */
export type Direction = NonNullable<LogQueryRequest['direction']>;

/**
 * The records of a page, oldest first, whichever way round the server sends them; records of one
 * instant are taken to run the way that the contract is read. Their order is that of the server.
 */
export function oldestFirst(
  records: readonly LogRecord[],
  direction: Direction,
): readonly LogRecord[] {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return records;
  const order = compareTimestamps(first.timestamp, last.timestamp);
  const runsBack = direction === 'older' ? !(order < 0) : order > 0;
  return runsBack ? [...records].reverse() : records;
}
