import type { Deployment, Resource } from '../api/types';
import { atMost, type Clock, second } from '../base/clock';
import { deploymentTime, isIn, newestFirst } from '../data/deployments';
import { hasEnded, stateKey, stateMeaning } from '../data/states';
import type { CacheKey, ListingReader, Store } from '../data/store';
import { isSameId, isUuid } from '../data/targets';

/** An environment of a source. */
export interface EnvironmentTarget {
  readonly sourceId: string;
  readonly environmentId: string;
}

/**
 * The time after which deployments of a resource count as new, by its id, in milliseconds since 1970 by
 * the server's clock. A resource whose deployments were never read has none: that is not the same as
 * a resource that was never deployed, which has 0.
 */
export type Baselines = Readonly<Record<string, number>>;

/** How many resources of an environment are requested at most, to limit the load on the server. */
const maxResources = 50;
/** How long a sync waits before it is sent, in milliseconds. */
const longestLook = 10 * second;
/** How far off what is known of the server's clock may be, in milliseconds. */
const dateTolerance = 10 * second;

/** The ids of the resources of an environment that the store knows. */
export function resourcesOf(store: ListingReader, target: EnvironmentTarget): readonly string[] {
  const isIn = ({ environment }: Resource): boolean =>
    isSameId(environment?.id, target.environmentId);
  const all = store.read('resources', target.sourceId).value?.resources ?? [];
  const ids = all.filter(isIn).map(({ id }) => id);
  return [...new Set(ids.filter(isUuid))].slice(0, maxResources);
}

/** The store keys of an environment: its resources, and the deployments of each. */
export function environmentKeys(
  store: ListingReader,
  target: EnvironmentTarget,
): readonly CacheKey[] {
  return [
    { kind: 'resources', id: target.sourceId },
    ...resourcesOf(store, target).map(
      (resourceId) => ({ kind: 'deployments', id: resourceId }) as const,
    ),
  ];
}

/**
 * Reads when each resource of an environment was last deployed, so that later deployments can be told
 * from earlier ones. Sends new requests and takes at most 10 s. What could not be read in this time is
 * missing, and `completeBaselines` adds it later.
 *
 * @throws the signal's reason.
 */
export async function readLastDeployed(
  store: Store,
  target: EnvironmentTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<Baselines> {
  const resources: CacheKey = { kind: 'resources', id: target.sourceId };
  const found = new Map<string, number>();
  async function refresh(): Promise<void> {
    await store.refresh(resources, 'person');
    if (store.entry(resources).error !== undefined) return;
    await Promise.all(
      resourcesOf(store, target).map(async (resourceId) => {
        await store.refresh({ kind: 'deployments', id: resourceId }, 'awaited');
        const { value, error } = store.read('deployments', resourceId);
        if (error === undefined) found.set(resourceId, latest(value?.deployments ?? []));
      }),
    );
  }
  await atMost(longestLook, refresh(), clock, signal);
  return Object.fromEntries(found);
}

/**
 * Adds the baselines that were not read before a sync, from the first answer after it: what the answer
 * contains is older than the sync if it was created before that was sent, unless it is running.
 *
 * @param sentAt when the sync was sent, in milliseconds since 1970 by the server's clock.
 * @param isRead whether the deployments of a resource were read since then.
 */
export function completeBaselines(
  store: ListingReader,
  target: EnvironmentTarget & { readonly before: Baselines; readonly sentAt: number },
  isRead: (resourceId: string) => boolean,
): Baselines {
  const { before, sentAt } = target;
  const added = resourcesOf(store, target)
    .filter((id) => !Object.hasOwn(before, id) && isRead(id))
    .map((id): [string, number] => {
      const deployments = store.read('deployments', id).value?.deployments ?? [];
      const isOlder = (one: Deployment): boolean =>
        (deploymentTime(one) ?? 0) <= sentAt - dateTolerance &&
        (hasEnded(one) || stateMeaning(one.state) !== 'running');
      return [id, latest(deployments.filter(isOlder))];
    });
  return added.length === 0 ? before : { ...before, ...Object.fromEntries(added) };
}

function latest(deployments: readonly Deployment[]): number {
  return Math.max(0, ...deployments.map((one) => deploymentTime(one) ?? 0));
}

/** The deployments of an environment after `before`, newest first; none of a resource without baseline. */
export function deploymentsSince(
  store: ListingReader,
  target: EnvironmentTarget,
  before: Baselines,
): readonly Deployment[] {
  return newestFirst(
    resourcesOf(store, target).flatMap((id) => deploymentsOf(store, id, target, before)),
  );
}

/** The ids of the apps of an environment without a deployment after `before`. Jobs do not count. */
export function appsWithout(
  store: ListingReader,
  target: EnvironmentTarget,
  before: Baselines,
): readonly string[] {
  const all = store.read('resources', target.sourceId).value?.resources ?? [];
  const others = new Set(
    all
      .filter(({ kind, archivedAt }) => stateKey(kind ?? '') === 'job' || archivedAt !== undefined)
      .map(({ id }) => id),
  );
  return resourcesOf(store, target).filter(
    (id) => !others.has(id) && deploymentsOf(store, id, target, before).length === 0,
  );
}

function deploymentsOf(
  store: ListingReader,
  resourceId: string,
  target: EnvironmentTarget,
  before: Baselines,
): readonly Deployment[] {
  const since = Object.hasOwn(before, resourceId) ? before[resourceId] : undefined;
  if (since === undefined) return [];
  return (store.read('deployments', resourceId).value?.deployments ?? []).filter(
    (one) => (deploymentTime(one) ?? 0) > since && isIn(one, { id: target.environmentId }),
  );
}

/**
 * Whether a sync pauses the automatic deployment of an environment: a control plane that has such a thing does that
 * if the key may not deploy.
 *
 * @param capabilities the permissions of the key; undefined if the control plane does not say them.
 */
export function pausesDeployment(
  store: ListingReader,
  { sourceId, environmentId }: EnvironmentTarget,
  capabilities: readonly string[] | undefined,
): boolean {
  if (capabilities === undefined || capabilities.includes(deployPermission)) return false;
  const { environments = [] } = store.read('environments', sourceId).value ?? {};
  return environments.some(
    ({ id, autoDeployPaused }) => isSameId(id, environmentId) && autoDeployPaused === false,
  );
}

/** The permission to start a deployment, which nothing of the contract needs. */
export const deployPermission = 'deployment.create';

/** An environment that can be selected for a sync. */
export interface SyncChoice {
  readonly environmentId: string;
  readonly name: string | undefined;
  readonly branch: string | undefined;
  /** How many apps and jobs it has. */
  readonly resources: number;
}

/** The environments of a source that can be synced, from what the store knows: also those without resources. */
export function syncChoices(store: ListingReader, sourceId: string): readonly SyncChoice[] {
  const found = new Map<string, SyncChoice>();
  for (const { environment } of store.read('resources', sourceId).value?.resources ?? []) {
    const { id, name, branch, disconnectedAt } = environment ?? {};
    if (!isUuid(id) || disconnectedAt !== undefined) continue;
    const key = id.toLowerCase();
    const resources = (found.get(key)?.resources ?? 0) + 1;
    found.set(key, { environmentId: id, name, branch, resources });
  }
  for (const environment of store.read('environments', sourceId).value?.environments ?? []) {
    const { id, name, branch, disconnectedAt } = environment;
    if (!isUuid(id) || disconnectedAt !== undefined || found.has(id.toLowerCase())) continue;
    found.set(id.toLowerCase(), { environmentId: id, name, branch, resources: 0 });
  }
  return [...found.values()];
}
