import * as v from 'valibot';
import { day, hour } from '../../base/clock';
import { listOf, maybe, readStored } from '../../base/storedValue';
import { isUuid, type FollowTarget } from '../../data/targets';
import { mostWorkloads, type LogFilter, workloadFilter } from '../query/filter';
import type { ErrorSearch } from './errorFeed';
import { KindLookup, type ErrorKind, titleOf } from './errorKind';
import type { Condition, LogRecord } from '../../api/types';
import { timeOf } from '../../base/timeFormat';
import type { NameOf } from '../query/print';
import { printSearch, searchSince } from '../query/searchQuery';
import { searchTextOf } from '../record/patterns';

/** The ranges to choose from, in milliseconds. */
export const errorRanges = { '1h': hour, '24h': day, '7d': 7 * day } as const;
export type ErrorRange = keyof typeof errorRanges;

/** The longest name of a workload that is saved, in UTF-16 units. */
const longestName = 200;

/** A workload that was chosen. Its name is untrusted. */
const workload = v.object({
  id: v.custom<string>(isUuid),
  name: v.pipe(
    v.string(),
    v.transform((name) => name.slice(0, longestName)),
  ),
});
export type ChosenWorkload = v.InferOutput<typeof workload>;

/** What the view shows, and in which order. */
const scope = v.object({
  range: v.fallback(v.picklist(['1h', '24h', '7d']), '24h'),
  /** `auto`: those of the open folder if its source is known, otherwise all. */
  workloads: v.fallback(
    v.union([
      v.picklist(['auto', 'folder', 'all']),
      v.pipe(listOf(workload, mostWorkloads), v.minLength(1)),
    ]),
    'auto',
  ),
  /** Undefined: any. */
  environment: maybe(v.picklist(['production', 'preview'])),
  sorting: v.fallback(v.picklist(['newest', 'frequent']), 'newest'),
});
export type ErrorScope = Readonly<v.InferOutput<typeof scope>>;

export const defaultScope: ErrorScope = v.parse(scope, {});

/** What to search for. Undefined: the workloads of the folder are wanted and unknown. */
export function searchOf(
  { range, workloads, environment }: ErrorScope,
  folderApps: readonly string[],
): ErrorSearch | undefined {
  const own = [...new Set(folderApps.filter(isUuid))].sort();
  if (workloads === 'folder' && own.length === 0) return undefined;
  const workloadIds =
    workloads === 'all' ? [] : typeof workloads === 'string' ? own : workloads.map(({ id }) => id);
  return {
    range: errorRanges[range],
    filter: {
      ...(workloadIds.length === 0 ? {} : { workloadIds }),
      ...(environment === undefined ? {} : { environments: [environment] }),
    },
  };
}

/** Whether a filter hides errors that the default shows. */
export function isNarrowed({ workloads, environment }: ErrorScope): boolean {
  return workloads === 'folder' || typeof workloads === 'object' || environment !== undefined;
}

/** The most that is saved: muted kinds, and UTF-16 units of a key. */
const mostMuted = 200;
const longestKey = 3000;

/** What was known when a kind was marked as fixed in the next deployment. */
const fixedMark = v.object({
  /** Deployments that were created after this are newer, in milliseconds since 1970. */
  at: v.number(),
  /** The ids of those that are not. */
  deployments: listOf(v.string()),
});
export type FixedMark = Readonly<v.InferOutput<typeof fixedMark>>;

/** A kind that the user does not want to see. */
const mutedError = v.object({
  /** That of `ErrorKind`. */
  key: v.string(),
  /** Untrusted text of one line. */
  template: v.string(),
  /** Undefined: it is hidden for ever. */
  fixed: v.optional(fixedMark),
});
export type MutedError = Readonly<v.InferOutput<typeof mutedError>>;

/** What is saved for a connection. Plain JSON. */
const memory = v.object({
  scope: v.fallback(scope, defaultScope),
  /** The latest last. */
  muted: v.pipe(
    listOf(mutedError),
    v.transform((muted): readonly MutedError[] => muted.slice(-mostMuted)),
  ),
});
export type ErrorMemory = Readonly<v.InferOutput<typeof memory>>;

/** What is saved at first. */
export const noMemory: ErrorMemory = { scope: defaultScope, muted: [] };

/** Reads what is saved; undefined if it is invalid. */
export function readMemory(saved: unknown): ErrorMemory | undefined {
  return readStored(memory, saved);
}

/**
 * With one more muted kind. If there are too many, those that were muted first are shown again.
 *
 * @param fixed until it comes back in a newer deployment than these. Default: for ever.
 */
export function withMuted(
  memory: ErrorMemory,
  { key, template }: Pick<MutedError, 'key' | 'template'>,
  fixed?: FixedMark,
): ErrorMemory {
  if (key.length > longestKey) return memory;
  const { muted: others } = withoutMuted(memory, key);
  return {
    ...memory,
    muted: [...others, { key, template, ...(fixed && { fixed }) }].slice(-mostMuted),
  };
}

/** Without a muted kind, and without what it was when it was less or more general. */
export function withoutMuted(memory: ErrorMemory, key: string): ErrorMemory {
  const same = new Set(new KindLookup(memory.muted).of(key));
  return { ...memory, muted: memory.muted.filter((one) => !same.has(one)) };
}

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
