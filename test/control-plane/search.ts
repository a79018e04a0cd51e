import type {
  LogPage,
  LogQueryFilters,
  LogQueryRequest,
  LogRecord,
  LogTailFilters,
} from '../../src/api/types';
import { recordTest } from '../../src/logs/query/matches';
import { accessOf, type Cursors, type Position } from './cursors';
import { Failure } from './failure';
import type { Key } from './keys';
import type { RecordStore } from './records';

interface Sources {
  readonly store: RecordStore;
  readonly cursors: Cursors;
  readonly now: () => number;
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
  if (first > last) throw new Failure(400, 'filters.from lies after filters.to.');
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
function checkHeld(store: RecordStore, at: number): void {
  if (at >= store.first) return;
  throw new Failure(410, 'The records at the cursor are no longer held.', 'cursor_expired');
}

/**
 * One page of a search. Pages that go on from a cursor stay within the snapshot of the first one, so
 * records that come meanwhile neither shift nor lengthen them; `followCursor` stands at its end.
 */
export function searchLogs(
  { store, cursors, now }: Sources,
  key: Key,
  { filters, limit = 50, direction = 'older', cursor }: LogQueryRequest,
): LogPage {
  const kinds = direction === 'older' ? (['older'] as const) : (['newer', 'follow'] as const);
  const start = cursor === undefined ? undefined : cursors.read(cursor, key, filters, kinds);
  const fresh = { end: store.end, time: now() };
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
    if (start) checkHeld(store, start.at);
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

/** Where a stream stands, and how to go on from there. */
export interface Following {
  /**
   * The matching records from here on, at most `limit`; looks through at most `scan` records, so that
   * a filter that rarely matches does not hold up everybody else. `behind`: there is more to look at.
   */
  next(limit: number, scan: number): { records: LogRecord[]; behind: boolean };
  /** The page of these records; its cursor resumes behind everything that `next` has looked at. */
  page(key: Key, records: LogRecord[], behind: boolean): LogPage;
}

/** Follows the log from a cursor, or from now on without one. */
export function followLogs(
  { store, cursors, now }: Sources,
  key: Key,
  filters: LogTailFilters,
  cursor: string | undefined,
): Following {
  let at = cursor === undefined ? store.end : cursors.read(cursor, key, filters, ['follow']).at;
  checkHeld(store, at);
  const matches = compile(store, key, filters);
  return {
    next(limit, scan) {
      checkHeld(store, at);
      const records: LogRecord[] = [];
      const above = Math.min(store.end, at + scan);
      while (at < above && records.length < limit) {
        if (matches(at)) records.push(store.at(at));
        at++;
      }
      return { records, behind: at < store.end };
    },
    page(current, records, behind) {
      const time = now();
      const position = { kind: 'follow', at, end: at, time } as const;
      return {
        accessRevision: accessOf(current),
        followCursor: cursors.issue(current, filters, position),
        records,
        nextCursor: null,
        hasMore: behind,
        partial: false,
        snapshotAt: new Date(time).toISOString(),
      };
    },
  };
}
