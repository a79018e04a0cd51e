import type { FollowTarget } from '../../data/followTarget';
import type { Condition, LogRecord } from '../../api/types';
import { isUuid } from '../../data/targets';
import { timeOf } from '../../base/timeFormat';
import { type LogFilter, workloadFilter } from '../query/filter';
import type { NameOf } from '../query/print';
import { printSearch, searchSince } from '../query/searchQuery';
import { searchTextOf } from '../record/patterns';
import { type ErrorKind, titleOf } from './errorKind';
import type { ErrorScope } from './errorScope';

/** The most traces in a query: the contract allows so many conditions in a group. */
const mostTraces = 8;
const traceId = /^[0-9a-f]{32}$/;

/** A query that finds the records of a kind, and maybe some more: the API cannot search for templates. */
export function recordsQuery(
  kind: ErrorKind,
  { range, environment }: Pick<ErrorScope, 'range' | 'environment'>,
  nameOf?: NameOf,
): string {
  const environments = environment === undefined ? {} : { environments: [environment] };
  return printSearch(
    { filter: { ...filterOfKind(kind), ...environments }, range: { last: range } },
    nameOf,
  );
}

/** A query for the records of a kind, since the first that is known. */
export function searchForKind(kind: ErrorKind): string {
  return searchSince(filterOfKind(kind), timeOf(kind.first.timestamp));
}

/** A query for the traces of the newest records of a kind; undefined if they have none. */
export function tracesQuery(
  { records }: ErrorKind,
  { range }: Pick<ErrorScope, 'range'>,
): string | undefined {
  const ids = traceIdsOf(records);
  const [only] = ids;
  if (only === undefined) return undefined;
  const conditions = ids
    .slice(0, mostTraces)
    .map((value): Condition => ({ field: 'traceId', operator: 'equals', value }));
  const filter: LogFilter =
    ids.length === 1 ? { traceId: only } : { conditionGroup: { match: 'or', conditions } };
  return printSearch({ filter, range: { last: range } });
}

/** The different traces of records. */
export function traceIdsOf(records: readonly Pick<LogRecord, 'traceId'>[]): readonly string[] {
  const ids = new Set(records.map((record) => record.traceId ?? ''));
  return [...ids].filter((id) => traceId.test(id));
}

/** What to follow to see a kind as it occurs. */
export function followOf(kind: ErrorKind): FollowTarget {
  return { filter: filterOfKind(kind), label: titleOf(kind) };
}

/** Finds the records of a kind, and others of its workloads with the same text: the API searches for one. */
function filterOfKind({ workloads, template, last }: ErrorKind): LogFilter {
  const workloadIds = workloads.map(({ id }) => id).filter(isUuid);
  const text = searchTextOf(template, last);
  return {
    ...workloadFilter(workloadIds),
    severities: ['error', 'fatal'],
    ...(text === undefined ? {} : { search: text }),
  };
}
