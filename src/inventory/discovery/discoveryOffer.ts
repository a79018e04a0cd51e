import { dotted, someNames, type Translate } from '../../text/textFormat';
import { addTarget, type Target, shortId } from '../targets';
import type { Discovery } from './discovery';
import type { FoundBy, FoundTarget } from './discoveryIndex';

/** Something that was found and is in no list yet. */
export interface OfferedTarget {
  /** What the lists keep of it. */
  readonly target: Target;
  /** What a person knows it by; untrusted like all text of a server. */
  readonly name: string;
  /** What it was found by, and what runs there or comes from there. */
  readonly detail: string;
}

/** What a discovery has to offer beyond what is known. */
export interface DiscoveryOffer {
  readonly sources: readonly OfferedTarget[];
  readonly servers: readonly OfferedTarget[];
}

export interface KnownLists {
  readonly sources: readonly Target[];
  readonly servers: readonly Target[];
}

/**
 * What was found and is not known yet, by name. What is known is left out: taking its tick away would
 * look like a way to remove it.
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
      // What only a list had named before was found by nothing.
      .filter(({ id, foundBy }) => !there.has(id) && foundBy.length > 0)
      .map((one) => offeredThing(one, t))
      .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
  );
}

function offeredThing({ id, label, foundBy, workloads, environments }: FoundTarget, t: Translate) {
  const workloadNames = someNames(workloads, t);
  const environmentNames = someNames(environments, t);
  const name = label ?? workloadNames ?? environmentNames ?? shortId(id);
  return {
    // Only a name that somebody gave it is kept: names of what runs there change by themselves.
    target: label === undefined ? { id } : { id, label },
    name,
    detail: dotted([
      t('found by {0}', foundBy.map((by) => foundByText(by, t)).join(', ')),
      workloadNames === name ? undefined : workloadNames,
      environmentNames === name ? undefined : environmentNames,
    ]),
  };
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

/** A list of the settings with these things added. */
export function addThings(setting: unknown, things: readonly Target[]): unknown[] {
  return things.reduce<unknown[]>(addTarget, Array.isArray(setting) ? setting : []);
}
