import { day, hour } from '../../api/clock';
import { isObject, membersOf } from '../../api/readLenient';
import { isUuid } from '../../inventory/targets';
import { mostWorkloads } from '../query/filter';
import type { ErrorSearch } from './errorFeed';

/** The ranges to choose from, in milliseconds. */
export const errorRanges = { '1h': hour, '24h': day, '7d': 7 * day } as const;
export type ErrorRange = keyof typeof errorRanges;

/** A workload that was chosen. */
export interface ChosenWorkload {
  readonly id: string;
  /** Untrusted. */
  readonly name: string;
}

/** What the view shows, and in which order. */
export interface ErrorScope {
  readonly range: ErrorRange;
  /** `auto`: those of the open folder if its source is known, otherwise all. */
  readonly workloads: 'auto' | 'folder' | 'all' | readonly ChosenWorkload[];
  /** Undefined: any. */
  readonly environment: 'production' | 'preview' | undefined;
  readonly sorting: 'newest' | 'frequent';
}

export const defaultScope: ErrorScope = {
  range: '24h',
  workloads: 'auto',
  environment: undefined,
  sorting: 'newest',
};

/** The longest name of a workload that is saved, in UTF-16 units. */
const longestName = 200;

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

/** Reads a stored scope; what is not valid has its default. */
export function readScope(saved: unknown): ErrorScope {
  const { range, workloads, environment, sorting } = membersOf(saved);
  return {
    range: range === '1h' || range === '7d' ? range : '24h',
    workloads: readWorkloads(workloads),
    environment:
      environment === 'production' || environment === 'preview' ? environment : undefined,
    sorting: sorting === 'frequent' ? 'frequent' : 'newest',
  };
}

function readWorkloads(saved: unknown): ErrorScope['workloads'] {
  if (saved === 'folder' || saved === 'all') return saved;
  if (!Array.isArray(saved)) return 'auto';
  const chosen = (saved as unknown[]).slice(0, mostWorkloads).flatMap((one) => {
    const { id, name } = membersOf(one);
    return isUuid(id) && typeof name === 'string' ? [{ id, name: name.slice(0, longestName) }] : [];
  });
  return chosen.length === 0 ? 'auto' : chosen;
}

/** A kind that the user does not want to see. */
export interface MutedError {
  /** That of `ErrorKind`. */
  readonly key: string;
  /** Untrusted text of one line. */
  readonly template: string;
}

/** What is saved for a connection. Plain JSON. */
export interface ErrorMemory {
  readonly scope: ErrorScope;
  /** The latest last. */
  readonly muted: readonly MutedError[];
}

/** The most that is saved: muted kinds, and UTF-16 units of a key. */
const mostMuted = 200;
const longestKey = 3000;

/** What is saved at first. */
export const noMemory: ErrorMemory = { scope: defaultScope, muted: [] };

/** Reads what is saved; undefined if it is invalid. */
export function readMemory(saved: unknown): ErrorMemory | undefined {
  if (!isObject(saved)) return undefined;
  const { scope, muted } = membersOf(saved);
  const all: readonly unknown[] = Array.isArray(muted) ? muted : [];
  return {
    scope: readScope(scope),
    muted: all.slice(-mostMuted).flatMap((one) => {
      const { key, template } = membersOf(one);
      return typeof key === 'string' && typeof template === 'string' ? [{ key, template }] : [];
    }),
  };
}

/** With one more muted kind. If there are too many, those that were muted first are shown again. */
export function withMuted(memory: ErrorMemory, { key, template }: MutedError): ErrorMemory {
  if (key.length > longestKey) return memory;
  const others = memory.muted.filter((one) => one.key !== key);
  return { ...memory, muted: [...others, { key, template }].slice(-mostMuted) };
}

/** Without a muted kind. */
export function withoutMuted(memory: ErrorMemory, key: string): ErrorMemory {
  return { ...memory, muted: memory.muted.filter((one) => one.key !== key) };
}
