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
  const isWanted = filterOf(rest);
  return (number) => {
    const time = store.timeAt(number);
    if (time < first || time > last) return false;
    const record = store.at(number);
    return isWanted(record) && (key.sees?.(record) ?? true);
  };
}

/** A cursor whose records were dropped would leave a gap without notice. */
function checkHeld({ store, cursors }: LogParts, at: number): void {
  if (at < store.first) throw cursors.expired('The records at the cursor are no longer kept.');
}

/** @throws 400 if the range is longer than this server allows. */
function checkRange({ unkind }: LogParts, { from, to }: LogTailFilters): void {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds > (unkind.longestRangeSeconds ?? Infinity)) {
    throw new Failure(400, 'The range of the filters is longer than the server allows.');
  }
}

/**
 * One page of a search. Pages with a cursor stay within the snapshot of the first page, so later
 * records neither shift nor extend them; `followCursor` is its end.
 */
function searchLogs(
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

  const isOlder = direction === 'older';
  if (start && !isOlder) checkHeld(parts, start.at);
  const first = isOlder ? low : Math.max(start?.at ?? low, low);
  const above = Math.min(isOlder ? (start?.at ?? end) : end, high);
  const found: number[] = [];
  for (let step = 0; step < above - first && found.length <= limit; step++) {
    const number = isOlder ? above - 1 - step : first + step;
    if (matches(number)) found.push(number);
  }

  const hasMore = found.length > limit;
  if (hasMore) found.pop();
  const last = found.at(-1);
  const at = last === undefined || isOlder ? (last ?? end) : last + 1;
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
  const { unkind, on } = parts;
  await on.query(request);
  checkRange(parts, request.filters);
  const { limit = 50, cursor } = request;
  if (limit > (unkind.largestPage ?? Infinity)) throw new Failure(413, 'The page is too large.');
  const page = searchLogs(parts, key, request, Math.min(limit, unkind.queryPage ?? Infinity));
  if (fault?.kind === 'partial') page.partial = true;
  if (fault?.kind === 'sameCursor') {
    page.nextCursor = cursor ?? page.nextCursor;
    page.hasMore = true;
  }
  return on.page(page, request);
}

/** The position of a stream: follows the log from a cursor, or from now on without one. */
export class Following {
  private at: number;
  private readonly matches: (number: number) => boolean;

  constructor(
    private readonly parts: LogParts,
    private readonly key: Key,
    private readonly filters: LogTailFilters,
    cursor: string | undefined,
  ) {
    const { store, cursors } = parts;
    checkRange(parts, filters);
    this.at =
      cursor === undefined
        ? store.end
        : cursors.read(cursor, key, filters, fittingCursors('tail')).at;
    checkHeld(parts, this.at);
    this.matches = compile(store, key, filters);
  }

  /**
   * The next matching records, at most `limit`, up to the number `end`; examines at most `scan`
   * records, so that a filter with few matches does not block other requests. `behind`: more
   * records to examine.
   */
  next(limit: number, scan: number, end: number): { records: LogRecord[]; behind: boolean } {
    const { store } = this.parts;
    checkHeld(this.parts, this.at);
    const records: LogRecord[] = [];
    const last = Math.min(store.end, end);
    const above = Math.min(last, this.at + scan);
    while (this.at < above && records.length < limit) {
      if (this.matches(this.at)) records.push(store.at(this.at));
      this.at++;
    }
    return { records, behind: this.at < last };
  }

  /** The page of these records; its cursor resumes after everything that `next` has examined. */
  page(records: LogRecord[], at = this.at): LogPage {
    const { cursors, store, clock, unkind } = this.parts;
    const time = clock.now();
    return {
      accessRevision: unkind.streamRevision ? `stream-${accessOf(this.key)}` : accessOf(this.key),
      followCursor: cursors.issue(this.key, this.filters, { kind: 'follow', at, end: at, time }),
      records,
      nextCursor: null,
      hasMore: at < store.end,
      partial: false,
      snapshotAt: new Date(time).toISOString(),
    };
  }

  /** A page of the matching records between two numbers, with the cursor after them. */
  pageOf(from: number, to: number): LogPage {
    const { store } = this.parts;
    const numbers = Array.from({ length: to - from }, (_, index) => from + index);
    return this.page(
      numbers.filter(this.matches).map((number) => store.at(number)),
      to,
    );
  }
}
