import { readLenient } from '../api/readLenient';
import type { Deployment } from '../api/types';
import { membersOf } from '../base/json';
import { cut } from '../base/untrustedText';
import type { ActivityEntry } from './activityEntry';

/**
 * The storage of entries, which all windows share: files (`src/vscode/jsonFiles.ts`). Each entry is a record of its
 * own, so that windows that write at the same time lose none.
 */
export interface ActivityStorage {
  /** Returns all readable records. Never rejects. */
  readAll(): Promise<readonly unknown[]>;
  /** Returns undefined if there is no record or it cannot be read. Never rejects. */
  read(id: string): Promise<unknown>;
  /**
   * Resolves when the entry would survive a crash of this window.
   *
   * @throws if it cannot be saved.
   */
  write(id: string, entry: ActivityEntry): Promise<void>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}

/** How many deployments an entry has at most: the newest. */
export const maxDeployments = 50;

/** Reads the deployments of an entry, whatever was stored. */
export function readDeployments(value: unknown): readonly Deployment[] {
  const { deployments = [] } = readLenient('DeploymentListing', { deployments: value }).value;
  return deployments.slice(0, maxDeployments).map((one) => limitSize(one));
}

/** Deeper than any schema of the contract. */
const maxDepth = 8;
/** The number of members and items on all levels. */
const maxMembers = 200;
/** In UTF-16 units. */
const maxText = 2000;
/** For `logs`, the output of an action, in UTF-16 units. */
const maxLogs = 200_000;

/**
 * Copies a response and limits its size so that it can be saved: cuts long texts with a `…`, and leaves
 * out members that are too deep or too many.
 */
export function limitSize<T extends object>(value: T): T {
  let members = 0;

  function copy(one: unknown, name: string, depth: number): unknown {
    if (typeof one === 'string') return cut(one, name === 'logs' ? maxLogs : maxText);
    if (typeof one !== 'object' || one === null) return one;
    if (depth >= maxDepth) return undefined;
    if (Array.isArray(one)) {
      const items: readonly unknown[] = one;
      return items.filter(() => ++members <= maxMembers).map((item) => copy(item, '', depth + 1));
    }
    const entries = Object.entries(one)
      .filter(() => ++members <= maxMembers)
      .map(([key, inner]): [string, unknown] => [key, copy(inner, key, depth + 1)])
      .filter(([, inner]) => inner !== undefined);
    // Uses entries because an assignment to a member `__proto__` would set the prototype.
    return Object.fromEntries(entries);
  }

  const copied = copy(value, '', 0);
  // The copy still has the type, because leniently read members may be missing.
  return membersOf(copied) as T;
}
