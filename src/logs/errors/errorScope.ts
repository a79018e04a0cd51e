import * as v from 'valibot';
import type { Condition, LogRecord, Deployment } from '../../api/types';
import { day, hour } from '../../base/clock';
import { listOf, maybe, readStored } from '../../base/storedValue';
import { timeOf } from '../../base/timeFormat';
import { anyEnvironment, deploymentTime, isIn } from '../../data/deployments';
import { hasEnded } from '../../data/states';
import { isUuid, type FollowTarget } from '../../data/targets';
import { mostWorkloads, type LogFilter, workloadFilter } from '../query/fields';
import { type NameOf, printSearch, searchSince } from '../query/searchQuery';
import { searchTextOf } from '../record/patterns';
import type { ErrorSearch } from './errorFeed';
import { KindLookup, type ErrorKind, titleOf } from './errorKind';

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
const storedFixedMark = v.object({
  /** Deployments that were created after this are newer, in milliseconds since 1970. */
  at: v.number(),
  /** The ids of those that are not. */
  deployments: listOf(v.string()),
});
type FixedMark = Readonly<v.InferOutput<typeof storedFixedMark>>;

/** A kind that the user does not want to see. */
const mutedError = v.object({
  /** That of `ErrorKind`. */
  key: v.string(),
  /** Untrusted text of one line. */
  template: v.string(),
  /** Undefined: it is hidden for ever. */
  fixed: v.optional(storedFixedMark),
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

/** Returns the known deployments of a workload, in any order. */
type DeploymentsOf = (workloadId: string) => readonly Deployment[];

/** How many deployments a mark remembers. */
const mostDeployments = 100;

/**
 * What is known when a kind is marked as fixed in the next deployment: those that wrote it or have ended do
 * not count, one that is under way does.
 *
 * @param now milliseconds since 1970, by the clock of the control plane.
 */
export function fixedMark(kind: ErrorKind, deploymentsOf: DeploymentsOf, now: number): FixedMark {
  const ended = kind.workloads.map(({ id }) =>
    deploymentsOf(id).filter((one) => isIn(one, anyEnvironment) && hasEnded(one)),
  );
  const newest = ended.map((all) => Math.max(...all.flatMap((one) => deploymentTime(one) ?? [])));
  const at = Math.min(now, ...newest.filter(Number.isFinite));
  const later = ended
    .flat()
    .filter((one) => (deploymentTime(one) ?? now) > at)
    .flatMap(({ id }) => id ?? []);
  const deployments = [...new Set([...kind.deployments.map(({ id }) => id), ...later])];
  return { at, deployments: deployments.slice(0, mostDeployments) };
}

/** The first deployment after a mark that wrote a kind again; undefined if there is none. */
function cameBackIn(
  { at, deployments }: FixedMark,
  kind: ErrorKind,
  deploymentsOf: DeploymentsOf,
): string | undefined {
  const known = new Map(
    kind.workloads.flatMap(({ id }) => deploymentsOf(id)).map((one) => [one.id, one] as const),
  );
  const isNewer = (id: string): boolean => {
    const deployment = known.get(id);
    if (deployment !== undefined) {
      return isIn(deployment, anyEnvironment) && (deploymentTime(deployment) ?? at) > at;
    }
    // Without a list of deployments, such as without the permission, its records say when it ran.
    const record = kind.records.find(({ deploymentId }) => deploymentId === id);
    if (known.size > 0 || record === undefined) return false;
    return record.previewId === null && Date.parse(record.timestamp) > at;
  };
  // The newest is first.
  return kind.deployments.filter(({ id }) => !deployments.includes(id) && isNewer(id)).at(-1)?.id;
}

/** What is hidden of the kinds of errors. */
export interface HiddenKinds {
  readonly shown: readonly ErrorKind[];
  /** What hides something, or would if it occurred. */
  readonly muted: readonly MutedError[];
  /** The ids of the deployments in which kinds came back, by their keys. */
  readonly cameBack: ReadonlyMap<string, string>;
}

/** Applies what is muted: for ever, or until a kind comes back in a newer deployment. */
export function hideKinds(
  kinds: readonly ErrorKind[],
  muted: readonly MutedError[],
  deploymentsOf: DeploymentsOf,
): HiddenKinds {
  const lookup = new KindLookup(muted);
  const over = new Set<MutedError>();
  const cameBack = new Map<string, string>();
  const shown = kinds.filter((kind) => {
    const marks = lookup.of(kind.key);
    const back = marks.map(({ fixed }) => fixed && cameBackIn(fixed, kind, deploymentsOf));
    const [id] = back;
    if (marks.length === 0) return true;
    if (id === undefined || back.includes(undefined)) return false;
    for (const mark of marks) over.add(mark);
    cameBack.set(kind.key, id);
    return true;
  });
  return { shown, muted: muted.filter((one) => !over.has(one)), cameBack };
}
