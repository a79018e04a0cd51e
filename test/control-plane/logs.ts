import type {
  LogPage,
  LogQueryFilters,
  LogQueryRequest,
  LogRecord,
  LogTailFilters,
} from '../../src/api/types';
import type { Call, Parts } from './parts';
import type { Position } from './cursors';
import { Failure } from './failure';
import { filterOf } from './filter';
import { accessOf, type Key } from './keys';
import type { RecordStore } from './records';

type LogParts = Pick<Parts, 'store' | 'cursors' | 'clock' | 'unkind'>;

/** The kinds of cursors that a log request may send. */
export function fittingCursors(direction: LogQueryRequest['direction'] | 'tail') {
  if (direction === 'tail') return ['follow'] as const;
  return direction === 'newer' ? (['newer', 'follow'] as const) : (['older'] as const);
}

/** Whether the record of this number matches the filters and may be seen. */
function compile(
  store: RecordStore,
  key: Key,
  filters: LogQueryFilters,
): (number: number) => boolean {
  const { from, to, ...rest } = filters;
  // The store keeps each time as a number: parsing it for every search would be far slower.
  const first = Date.parse(from);
  const last = Date.parse(to);
  const passes = filterOf(rest);
  return (number) => {
    const time = store.timeAt(number);
    if (time < first || time > last) return false;
    const record = store.at(number);
    return passes(record) && (key.sees?.(record) ?? true);
  };
}

/** A cursor whose records were dropped would leave a gap without notice. */
function checkHeld({ store, cursors }: LogParts, at: number): void {
  if (at >= store.first) return;
  const message = 'The records at the cursor are no longer kept.';
  throw cursors.refusal(410, message, 'cursor_expired');
}

/** @throws 400 if the range runs backwards, or is longer than this server allows. */
function checkRange({ unkind }: LogParts, { from, to }: LogTailFilters): void {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds > (unkind.longestRangeSeconds ?? Infinity)) {
    throw new Failure(
      400,
      'The time from filters.from to filters.to is longer than the server allows.',
    );
  }
}

/**
 * One page of a search. Pages with a cursor stay within the snapshot of the first page, so later
 * records neither shift nor extend them; `followCursor` is its end.
 */
export function searchLogs(
  parts: LogParts,
  key: Key,
  { filters, direction = 'older', cursor }: LogQueryRequest,
  limit: number,
): LogPage {
  const { store, cursors, clock, unkind } = parts;
  const kinds = fittingCursors(direction).filter(
    (kind) => kind !== 'follow' || !unkind.refusesFollowCursors,
  );
  const start = cursor === undefined ? undefined : cursors.read(cursor, key, filters, kinds);
  const fresh = { end: store.end, time: clock.now() };
  const { end, time } = start === undefined || start.kind === 'follow' ? fresh : start;
  const matches = compile(store, key, filters);
  const [low, high] = store.between(Date.parse(filters.from), Date.parse(filters.to));

  const found: number[] = [];
  if (direction === 'older') {
    const above = Math.min(start?.at ?? end, high);
    for (let number = above - 1; number >= low && found.length <= limit; number--) {
      if (matches(number)) found.push(number);
    }
  } else {
    if (start) checkHeld(parts, start.at);
    const above = Math.min(end, high);
    for (
      let number = Math.max(start?.at ?? low, low);
      number < above && found.length <= limit;
      number++
    ) {
      if (matches(number)) found.push(number);
    }
  }

  const hasMore = found.length > limit;
  if (hasMore) found.pop();
  const last = found.at(-1);
  const at = last === undefined || direction === 'older' ? (last ?? end) : last + 1;
  const issue = (position: Position): string => cursors.issue(key, filters, position);
  return {
    accessRevision: accessOf(key),
    followCursor: issue({ kind: 'follow', at: end, end, time }),
    records: found.map((number) => store.at(number)),
    nextCursor: hasMore && !unkind.noNextCursor ? issue({ kind: direction, at, end, time }) : null,
    hasMore,
    partial: false,
    snapshotAt: new Date(time).toISOString(),
  };
}

/** Answers `post_logs_query`. */
export async function queryLogs(parts: Parts, { key, body, fault }: Call): Promise<object> {
  const request = body as LogQueryRequest;
  const { unkind, journal, on } = parts;
  await on.query(request);
  checkRange(parts, request.filters);
  const { limit = 50 } = request;
  if (limit > (unkind.largestPage ?? Infinity)) throw new Failure(413, 'The page is too large.');
  const page = searchLogs(parts, key, request, Math.min(limit, unkind.queryPage ?? Infinity));
  journal.gave(page.records);
  switch (fault?.kind) {
    case 'partial':
      return on.page({ ...page, partial: true }, request);
    case 'sameCursor':
      return on.page(
        { ...page, nextCursor: request.cursor ?? page.nextCursor, hasMore: true },
        request,
      );
    default:
      return on.page(page, request);
  }
}

/** The position of a stream. */
export interface Following {
  /**
   * The next matching records, at most `limit`, up to the number `end`; examines at most `scan`
   * records, so that a filter with few matches does not block other requests. `behind`: more
   * records to examine.
   */
  next(limit: number, scan: number, end: number): { records: LogRecord[]; behind: boolean };
  /** The page of these records; its cursor resumes after everything that `next` has examined. */
  page(records: LogRecord[]): LogPage;
  /** A page of the matching records between two numbers, with the cursor after them. */
  pageOf(from: number, to: number): LogPage;
}

/** Follows the log from a cursor, or from now on without one. */
export function followLogs(
  parts: LogParts,
  key: Key,
  filters: LogTailFilters,
  cursor: string | undefined,
): Following {
  const { store, cursors, clock, unkind } = parts;
  const kinds = fittingCursors('tail');
  checkRange(parts, filters);
  let at = cursor === undefined ? store.end : cursors.read(cursor, key, filters, kinds).at;
  checkHeld(parts, at);
  const matches = compile(store, key, filters);

  const page = (records: LogRecord[], behind: number): LogPage => {
    const time = clock.now();
    const position = { kind: 'follow', at: behind, end: behind, time } as const;
    return {
      accessRevision: unkind.streamRevision ? `stream-${accessOf(key)}` : accessOf(key),
      followCursor: cursors.issue(key, filters, position),
      records,
      nextCursor: null,
      hasMore: behind < store.end,
      partial: false,
      snapshotAt: new Date(time).toISOString(),
    };
  };

  return {
    next(limit, scan, end) {
      checkHeld(parts, at);
      const records: LogRecord[] = [];
      const last = Math.min(store.end, end);
      const above = Math.min(last, at + scan);
      while (at < above && records.length < limit) {
        if (matches(at)) records.push(store.at(at));
        at++;
      }
      return { records, behind: at < last };
    },
    page: (records) => page(records, at),
    pageOf(from, to) {
      const records: LogRecord[] = [];
      for (let number = from; number < to; number++) {
        if (matches(number)) records.push(store.at(number));
      }
      return page(records, to);
    },
  };
}
