import { atMost, type Clock } from '../api/clock';
import type { Deployment, Resource } from '../api/types';
import type { ResourceKey } from '../inventory/resourceKeys';
import { deploymentTime, newestFirst } from '../inventory/sources/deployments';
import { keyOf } from '../inventory/stateIcons';
import type { Store } from '../inventory/store';
import { isUuid } from '../inventory/targets';

/** An environment of a source. */
export interface EnvironmentTarget {
  readonly sourceId: string;
  readonly environmentId: string;
}

/**
 * When each resource was last deployed, by id, in milliseconds since 1970 by the server's clock. Null
 * if that could not be read.
 */
export type LastDeployed = Readonly<Record<string, number | null>>;

/** How many resources of an environment are requested at most, to limit the load on the server. */
const maxResources = 50;
/** How long a sync waits before it is sent, in milliseconds. */
const longestLook = 10_000;

/** The ids of the resources of an environment that the store knows. */
export function resourcesOf(store: Store, target: EnvironmentTarget): readonly string[] {
  const wanted = target.environmentId.toLowerCase();
  const isIn = ({ environment }: Resource): boolean => environment?.id?.toLowerCase() === wanted;
  const all = store.resources(target.sourceId).value?.resources ?? [];
  const ids = all.filter(isIn).map(({ id }) => id);
  return [...new Set(ids.filter(isUuid))].slice(0, maxResources);
}

/** The store keys of an environment: its resources, and the deployments of each. */
export function environmentKeys(store: Store, target: EnvironmentTarget): readonly ResourceKey[] {
  return [
    { kind: 'resources', sourceId: target.sourceId },
    ...resourcesOf(store, target).map(
      (resourceId) => ({ kind: 'deployments', resourceId }) as const,
    ),
  ];
}

/**
 * Reads when each resource of an environment was last deployed, so that later deployments can be told
 * from earlier ones. Sends new requests; a resource without a response within 10 s is null. Returns
 * undefined if the resources cannot be listed.
 *
 * @throws the signal's reason.
 */
export async function readLastDeployed(
  store: Store,
  target: EnvironmentTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<LastDeployed | undefined> {
  const resources: ResourceKey = { kind: 'resources', sourceId: target.sourceId };
  const fresh = new Set<string>();
  const listing = { isLoaded: false };
  async function refresh(): Promise<void> {
    await store.refresh(resources);
    listing.isLoaded = store.entry(resources).error === undefined;
    if (!listing.isLoaded) return;
    await Promise.all(
      resourcesOf(store, target).map(async (resourceId) => {
        await store.refresh({ kind: 'deployments', resourceId });
        if (store.deployments(resourceId).error === undefined) fresh.add(resourceId);
      }),
    );
  }
  await atMost(longestLook, refresh(), clock, signal);
  if (!listing.isLoaded) return undefined;
  const times = resourcesOf(store, target).map((id): [string, number | null] => {
    const deployments = store.deployments(id).value?.deployments ?? [];
    return [id, fresh.has(id) ? latest(deployments) : null];
  });
  return Object.fromEntries(times);
}

function latest(deployments: readonly Deployment[]): number {
  return Math.max(0, ...deployments.map((one) => deploymentTime(one) ?? 0));
}

/** The deployments of an environment after `before`, newest first. */
export function deploymentsSince(
  store: Store,
  target: EnvironmentTarget,
  before: LastDeployed,
): readonly Deployment[] {
  return newestFirst(
    resourcesOf(store, target).flatMap((id) => deploymentsOf(store, id, target, before)),
  );
}

/** The ids of the apps of an environment without a deployment after `before`. Jobs do not count. */
export function appsWithout(
  store: Store,
  target: EnvironmentTarget,
  before: LastDeployed,
): readonly string[] {
  const all = store.resources(target.sourceId).value?.resources ?? [];
  const others = new Set(
    all
      .filter(({ kind, archivedAt }) => keyOf(kind ?? '') === 'job' || archivedAt !== undefined)
      .map(({ id }) => id),
  );
  return resourcesOf(store, target).filter(
    (id) => !others.has(id) && deploymentsOf(store, id, target, before).length === 0,
  );
}

function deploymentsOf(
  store: Store,
  resourceId: string,
  target: EnvironmentTarget,
  before: LastDeployed,
): readonly Deployment[] {
  const wanted = target.environmentId.toLowerCase();
  // A resource that did not exist before was created by the sync.
  const since = Object.hasOwn(before, resourceId) ? (before[resourceId] ?? Infinity) : 0;
  return (store.deployments(resourceId).value?.deployments ?? []).filter((one) => {
    const environment = one.targetEnvironment?.id?.toLowerCase();
    return (deploymentTime(one) ?? 0) > since && (environment ?? wanted) === wanted;
  });
}

/** An environment that can be selected for a sync. */
export interface SyncChoice {
  readonly environmentId: string;
  readonly name: string | undefined;
  readonly branch: string | undefined;
  /** How many apps and jobs it has. */
  readonly resources: number;
}

/** The environments of a source that can be synced, from the resources that the store knows. */
export function syncChoices(store: Store, sourceId: string): readonly SyncChoice[] {
  const found = new Map<string, SyncChoice>();
  for (const { environment } of store.resources(sourceId).value?.resources ?? []) {
    const { id, name, branch, disconnectedAt } = environment ?? {};
    if (!isUuid(id) || disconnectedAt !== undefined) continue;
    const key = id.toLowerCase();
    const resources = (found.get(key)?.resources ?? 0) + 1;
    found.set(key, { environmentId: id, name, branch, resources });
  }
  return [...found.values()];
}
