import type {
  LogPage,
  LogQueryFilters,
  LogQueryRequest,
  LogRecord,
  LogTailFilters,
} from '../../src/api/types';
import { recordTest } from '../../src/logs/query/matches';
import type { Call, Parts } from './parts';
import type { Position } from './cursors';
import { Failure } from './failure';
import { accessOf, type Key } from './keys';
import type { RecordStore } from './records';

type LogParts = Pick<Parts, 'store' | 'cursors' | 'clock' | 'unkind'>;

/** The kinds of cursors that a request for logs may send. */
export function fittingCursors(direction: LogQueryRequest['direction'] | 'tail') {
  if (direction === 'tail') return ['follow'] as const;
  return direction === 'newer' ? (['newer', 'follow'] as const) : (['older'] as const);
}

/** Whether the record of this number passes the filters and may be seen. */
function compile(
  store: RecordStore,
  key: Key,
  filters: LogQueryFilters,
): (number: number) => boolean {
  const { from, to, ...rest } = filters;
  // The store knows each time as a number: parsing it again for every search would take far longer.
  const first = Date.parse(from);
  const last = Date.parse(to);
  const lower = (ids: string[] = []): string[] => ids.map((id) => id.toLowerCase());
  const passes = recordTest({
    ...rest,
    workloadIds: lower(rest.workloadIds),
    serverIds: lower(rest.serverIds),
    deploymentIds: lower(rest.deploymentIds),
    previewIds: lower(rest.previewIds),
  });
  return (number) => {
    const time = store.timeAt(number);
    if (time < first || time > last) return false;
    const record = store.at(number);
    return (passes?.(record) ?? true) && (key.sees?.(record) ?? true);
  };
}

/** A cursor whose records were dropped would leave a gap that nobody sees. */
function checkHeld({ store, cursors }: LogParts, at: number): void {
  if (at >= store.first) return;
  const message = 'The records at the cursor are no longer held.';
  throw cursors.refusal(410, message, 'cursor_expired');
}

/** @throws 400 where the range runs backwards, or is longer than this server takes. */
function checkRange({ unkind }: LogParts, { from, to }: LogTailFilters): void {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds > (unkind.longestRangeSeconds ?? Infinity)) {
    throw new Failure(400, 'From filters.from to filters.to is more than the server allows.');
  }
}

/**
 * One page of a search. Pages that go on from a cursor stay within the snapshot of the first one, so
 * records that come meanwhile neither shift nor lengthen them; `followCursor` stands at its end.
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
    nextCursor: hasMore ? issue({ kind: direction, at, end, time }) : null,
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
  const most = fault?.kind === 'sparse' ? fault.records : (unkind.queryPage ?? Infinity);
  const page = searchLogs(parts, key, request, Math.min(limit, most));
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

/** Where a stream stands, and how to go on from there. */
export interface Following {
  /**
   * The matching records from here on, at most `limit`, up to the number `end`; looks through at most
   * `scan` records, so that a filter that rarely matches does not hold up all others. `behind`: there
   * is more to look at.
   */
  next(limit: number, scan: number, end: number): { records: LogRecord[]; behind: boolean };
  /** The page of these records; its cursor resumes behind everything that `next` has looked at. */
  page(records: LogRecord[]): LogPage;
  /** A page of the matching records from one number up to another, with the cursor behind them. */
  pageOf(from: number, to: number): LogPage;
}

/** Follows the log from a cursor, or from now on without one. */
export function followLogs(
  parts: LogParts,
  key: Key,
  filters: LogTailFilters,
  cursor: string | undefined,
): Following {
  const { store, cursors, clock } = parts;
  const kinds = fittingCursors('tail');
  checkRange(parts, filters);
  let at = cursor === undefined ? store.end : cursors.read(cursor, key, filters, kinds).at;
  checkHeld(parts, at);
  const matches = compile(store, key, filters);

  const page = (records: LogRecord[], behind: number): LogPage => {
    const time = clock.now();
    const position = { kind: 'follow', at: behind, end: behind, time } as const;
    return {
      accessRevision: accessOf(key),
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
