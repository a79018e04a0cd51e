import * as v from 'valibot';
import type { Condition, LogRecord, Deployment } from '../../api/types';
import { day, hour } from '../../base/clock';
import { listOf, maybe, readStored } from '../../base/storedValue';
import { timeOf } from '../../base/timeFormat';
import { anyEnvironment, deploymentTime, hasRun, isIn, runsSince } from '../../data/deployments';
import { hasEnded } from '../../data/states';
import { isUuid, type FollowTarget } from '../../data/targets';
import { mostWorkloadIds, type LogFilter, workloadFilter } from '../query/fields';
import { type NameOf, printSearch, searchSince } from '../query/searchQuery';
import { leavesTooMuchOpen, searchTextOf } from '../record/patterns';
import type { ErrorSearch } from './errorFeed';
import { type ErrorKind, type ErrorRun, isKeyOfKind, KindLookup, titleOf } from './errorKind';

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
      v.pipe(listOf(workload, mostWorkloadIds), v.minLength(1)),
    ]),
    'auto',
  ),
  /** Undefined: any. */
  environment: maybe(v.picklist(['production', 'preview'])),
  sorting: v.fallback(v.picklist(['frequent', 'newest']), 'frequent'),
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

/** The most that is saved: muted kinds, and UTF-16 units of a key and of the messages of a kind. */
const mostMuted = 200;
const longestKey = 3000;
const longestMessages = 10_000;

/** What was known when a kind was marked as fixed in the next deployment. */
const storedFixedMark = v.object({
  /** When it was marked, in milliseconds since 1970: what was created or written later is newer. */
  at: v.number(),
  /** By workload, when its newest deployment was created: what was created later is newer. Default: `at`. */
  workloads: v.optional(listOf(v.tuple([v.string(), v.number()]))),
  /** The ids of deployments that are not newer. */
  deployments: listOf(v.string()),
});
type FixedMark = Readonly<v.InferOutput<typeof storedFixedMark>>;

/** A kind that the user does not want to see. */
const mutedError = v.object({
  /** That of `ErrorKind` when it was muted: what became part of it later is not hidden. */
  key: v.pipe(v.string(), v.check(isKeyOfKind)),
  /** What else is hidden. */
  messages: v.optional(listOf(v.pipe(v.string(), v.check(isKeyOfKind)))),
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
 * With one more muted kind, instead of those that it covers. If there are too many, those that were muted first are
 * shown again.
 *
 * @param fixed until it comes back in a newer deployment than these. Default: for ever.
 */
export function withMuted(
  memory: ErrorMemory,
  kind: Pick<ErrorKind, 'key' | 'messages' | 'template'>,
  fixed?: FixedMark,
): ErrorMemory {
  const muted = { ...keysToMute(kind), template: kind.template, ...(fixed && { fixed }) };
  if (muted.key.length > longestKey) return memory;
  const lookup = mutedLookup([muted]);
  const others = memory.muted.filter(({ key }) => lookup.of(key).length === 0);
  return { ...memory, muted: [...others, muted].slice(-mostMuted) };
}

/** Its messages instead of its pattern if that would hide what has nothing in common with it. */
function keysToMute({
  key,
  messages,
}: Pick<ErrorKind, 'key' | 'messages'>): Pick<MutedError, 'key' | 'messages'> {
  const [newest] = messages;
  if (newest === undefined || !leavesTooMuchOpen(key)) return { key };
  let left = longestMessages;
  return { key: newest, messages: messages.slice(1).filter(({ length }) => (left -= length) > 0) };
}

function mutedLookup(muted: readonly MutedError[]): KindLookup<MutedError> {
  return new KindLookup(muted, ({ key, messages = [] }) => [key, ...messages]);
}

/** Without what hides a kind. @param key its key, or that of a muted one. */
export function withoutMuted(memory: ErrorMemory, key: string): ErrorMemory {
  const hiding = new Set(mutedLookup(memory.muted).of(key));
  return { ...memory, muted: memory.muted.filter((one) => !hiding.has(one)) };
}

/** Returns the key of the muted kind that covers what an error says; undefined for none. The latest counts. */
export function mutedKeyOf(
  muted: readonly MutedError[],
): ((message: string) => string | undefined) | undefined {
  if (muted.length === 0) return undefined;
  const lookup = mutedLookup(muted);
  const known = new Map<string, string | undefined>();
  return (message) => {
    if (!known.has(message)) known.set(message, lookup.of(message).at(-1)?.key);
    return known.get(message);
  };
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
export function followOfKind(kind: ErrorKind): FollowTarget {
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
  const workloads = kind.workloads.flatMap(({ id }): [string, number][] => {
    const ended = deploymentsOf(id).filter((one) => isIn(one, anyEnvironment) && hasEnded(one));
    const times = ended.flatMap((one) => deploymentTime(one) ?? []);
    return times.length === 0 ? [] : [[id, Math.min(now, Math.max(...times))]];
  });
  const deployments = kind.deployments.map(({ id }) => id);
  return {
    at: now,
    workloads: workloads.slice(0, mostDeployments),
    deployments: deployments.slice(0, mostDeployments),
  };
}

/**
 * The first errors of a kind that a newer deployment than those of a mark wrote, or may have written: what cannot be
 * known hides nothing. Undefined if there are none.
 */
function cameBackIn(
  { at, workloads = [], deployments }: FixedMark,
  { runs }: ErrorKind,
  deploymentsOf: DeploymentsOf,
): Pick<ErrorRun, 'deploymentId'> | undefined {
  const marked = new Map(workloads);
  const back = runs.flatMap(({ workloadId, deploymentId, isPreview, last }) => {
    const before = marked.get(workloadId) ?? at;
    const known = deploymentsOf(workloadId);
    const own =
      deploymentId === null ? newestAt(known, last) : known.find(({ id }) => id === deploymentId);
    const id = own?.id ?? deploymentId;
    if (isPreview || (own && !isIn(own, anyEnvironment))) return [];
    if (deployments.includes(id ?? '')) return [];
    const time = own && deploymentTime(own);
    const isNewer = time === undefined ? last > at : time > before;
    return isNewer ? [{ deploymentId: id }] : [];
  });
  // The newest is first.
  return back.at(-1);
}

/** The deployment that ran at a time. */
function newestAt(all: readonly Deployment[], time: number): Deployment | undefined {
  const since = (one: Deployment): number => runsSince(one) ?? deploymentTime(one) ?? -Infinity;
  return all
    .filter((one) => isIn(one, anyEnvironment) && hasRun(one, all) && since(one) <= time)
    .sort((a, b) => since(b) - since(a))[0];
}

/** What is hidden of the kinds of errors. */
export interface HiddenKinds {
  readonly shown: readonly ErrorKind[];
  /** What hides the others, by their keys. */
  readonly hidden: ReadonlyMap<string, MutedError>;
  /** What hides something, or would if it occurred. */
  readonly muted: readonly MutedError[];
  /** The ids of the deployments in which kinds came back, by their keys. */
  readonly cameBack: ReadonlyMap<string, string>;
}

/**
 * Applies what is muted: for ever, or until a kind comes back in a newer deployment. A kind is hidden only if
 * everything that it says is muted.
 */
export function hideKinds(
  kinds: readonly ErrorKind[],
  muted: readonly MutedError[],
  deploymentsOf: DeploymentsOf,
): HiddenKinds {
  const lookup = mutedLookup(muted);
  const hidden = new Map<string, MutedError>();
  const over = new Set<MutedError>();
  const cameBack = new Map<string, string>();
  const shown = kinds.filter((kind) => {
    const marks = new Set<MutedError>();
    for (const message of kind.messages) {
      const mark = lookup.of(message).at(-1);
      if (mark === undefined) return true;
      marks.add(mark);
    }
    const ends = [...marks].map(({ fixed }) => fixed && cameBackIn(fixed, kind, deploymentsOf));
    const still = [...marks].find((_, index) => ends[index] === undefined);
    if (still !== undefined) {
      hidden.set(kind.key, still);
      return false;
    }
    for (const mark of marks) over.add(mark);
    const id = ends[0]?.deploymentId ?? undefined;
    if (id !== undefined) cameBack.set(kind.key, id);
    return true;
  });
  return { shown, hidden, muted: muted.filter((one) => !over.has(one)), cameBack };
}
