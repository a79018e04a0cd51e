import { compareNames, dotted, someNames, type Translate } from '../../base/textFormat';
import { operations } from '../../api/generated/operations';
import type { Permission } from '../../api/types';
import { hiddenWithout } from '../listings';
import { addTarget, type Target, shortId } from '../targets';
import type { Discovery, FoundBy, FoundTarget } from './discovery';

/** Something that was found and is not in a list yet. */
export interface OfferedTarget {
  /** The entry for the list. */
  readonly target: Target;
  /** The label in the picker. Untrusted, like all text of a server. */
  readonly name: string;
  /** How it was found, and what it contains. */
  readonly detail: string;
}

/** What a discovery found and the lists do not contain. */
export interface DiscoveryOffer {
  readonly sources: readonly OfferedTarget[];
  readonly servers: readonly OfferedTarget[];
}

interface KnownLists {
  readonly sources: readonly Target[];
  readonly servers: readonly Target[];
}

/**
 * The new finds, by name. Known ones are left out, because removing their tick would look like a way to
 * remove them.
 */
export function discoveryOffer(found: Discovery, known: KnownLists, t: Translate): DiscoveryOffer {
  return {
    sources: offered(found.sources, known.sources, t),
    servers: offered(found.servers, known.servers, t),
  };
}

function offered(
  found: readonly FoundTarget[],
  known: readonly Target[],
  t: Translate,
): readonly OfferedTarget[] {
  const there = new Set(known.map(({ id }) => id));
  return (
    found
      // Leaves out ids that only a known list names.
      .filter(({ id, foundBy }) => !there.has(id) && foundBy.length > 0)
      .map((one) => offeredThing(one, t))
      .sort((a, b) => compareNames(a.name, b.name))
  );
}

function offeredThing({ id, label, foundBy, workloads, environments }: FoundTarget, t: Translate) {
  const workloadNames = someNames(workloads, t);
  const environmentNames = someNames(environments, t);
  const name = label ?? workloadNames ?? environmentNames ?? shortId(id);
  return {
    // Only a configured name is saved, because the names of workloads change.
    target: label === undefined ? { id } : { id, label },
    name,
    detail: dotted([
      t('found by {0}', foundBy.map((by) => foundByText(by, t)).join(', ')),
      workloadNames === name ? undefined : workloadNames,
      environmentNames === name ? undefined : environmentNames,
    ]),
  };
}

/** What an API key cannot do. */
export interface KeyLimit {
  readonly permission: Permission;
  /** What that means, in sentences. */
  readonly meaning: string;
}

/**
 * What the key of a new connection lacks, as far as it was tried.
 *
 * @param found undefined if nothing was looked for.
 */
export function keyLimits(
  found: Pick<Discovery, 'unseen'> | undefined,
  mayReadLogs: boolean,
  t: Translate,
): readonly KeyLimit[] {
  const readLogs = operations.queryLogs.permission;
  const missing = (found?.unseen ?? [])
    .filter(({ why }) => why === 'missing')
    .map(({ permission }) => permission);
  return [...new Set([...(mayReadLogs ? [] : [readLogs]), ...missing])].map((permission) => ({
    permission,
    meaning:
      permission === readLogs
        ? t('Logs cannot be followed, searched or compared, and no errors are shown.')
        : hiddenWithout(permission, t),
  }));
}

export function foundByText(by: FoundBy, t: Translate): string {
  switch (by) {
    case 'logs':
      return t('recent logs');
    case 'alerts':
      return t('alert rules');
    case 'resources':
      return t('apps and jobs');
    case 'deployments':
      return t('deployments');
  }
}

/** The setting with these entries added. */
export function addThings(setting: unknown, things: readonly Target[]): unknown[] {
  return things.reduce<unknown[]>(addTarget, Array.isArray(setting) ? setting : []);
}
