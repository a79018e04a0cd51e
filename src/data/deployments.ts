import type { Deployment, Resource } from '../api/types';
import { timeOf } from '../base/timeFormat';
import { mayHaveRun } from './states';
import type { DataContext } from './dataContext';

/** When it was created, in milliseconds since 1970. */
export function deploymentTime({
  createdAt,
  startedAt,
  updatedAt,
}: Deployment): number | undefined {
  return timeOf(createdAt) ?? timeOf(startedAt) ?? timeOf(updatedAt);
}

/** Those without a time come last, in the given order. */
export function newestFirst(deployments: readonly Deployment[]): Deployment[] {
  return deployments
    .map((deployment) => ({ deployment, time: deploymentTime(deployment) ?? -Infinity }))
    .sort((one, other) => (one.time === other.time ? 0 : other.time - one.time))
    .map(({ deployment }) => deployment);
}

/** The first 7 digits of a commit hash; other text as it is. */
export function shortSha(commit: string | undefined): string | undefined {
  if (commit === undefined || commit === '') return undefined;
  return /^[\da-f]{40,64}$/i.test(commit) ? commit.slice(0, 7) : commit;
}

/** A branch or tag without its `refs/…/` prefix. */
export function shortRef(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/(?:heads|tags|remotes)\//, '');
}

/** Whether a deployment belongs to a preview. */
export function isPreview({ environment, deployableKind }: Deployment): boolean {
  return environment === 'preview' || deployableKind === 'preview';
}

export function isPreviewOf(deployment: Deployment, branch: string): boolean {
  return isPreview(deployment) && shortRef(deployment.gitRef) === branch;
}

/** A deployment and the ones that ran before and after it in the same place. */
export interface DeploymentPair {
  readonly resource: Resource;
  readonly deployment: Deployment;
  /** When it was created, in milliseconds since 1970. */
  readonly time: number | undefined;
  /** Undefined if none is known. */
  readonly previous: Deployment | undefined;
  /** The deployment that replaced it; undefined if it is the last. */
  readonly next: Deployment | undefined;
}

/**
 * Finds a loaded deployment. Its neighbours are the nearest ones of the same environment or preview that may
 * have run: a failed deployment has changed nothing, and has no logs to compare with.
 *
 * @param target a row of the deployment: with its app or job, if that may be of a source that is not loaded.
 */
export function deploymentPair(
  { store, sources }: Pick<DataContext, 'store' | 'sources'>,
  {
    deploymentId,
    resourceId,
  }: { readonly deploymentId?: string | undefined; readonly resourceId?: string | undefined },
): DeploymentPair | undefined {
  const listings = [
    ...sources().map(({ id }) => store.resources(id).value?.resources ?? []),
    resourceId === undefined ? [] : [{ id: resourceId }],
  ];
  for (const resources of listings) {
    for (const resource of resources) {
      if (resource.id === undefined) continue;
      const all = store.deployments(resource.id).value?.deployments ?? [];
      const deployment = all.find(({ id }) => id === deploymentId);
      if (deployment === undefined) continue;
      const time = deploymentTime(deployment);
      return {
        resource,
        deployment,
        time,
        previous: neighbour(all, deployment, 'before'),
        next: neighbour(all, deployment, 'after'),
      };
    }
  }
  return undefined;
}

/** The deployment in the same place nearest to this one, on one side of it, that may have run. */
function neighbour(
  all: readonly Deployment[],
  deployment: Deployment,
  side: 'before' | 'after',
): Deployment | undefined {
  const time = deploymentTime(deployment) ?? NaN;
  let nearest: { readonly deployment: Deployment; readonly distance: number } | undefined;
  for (const one of all) {
    const distance = ((deploymentTime(one) ?? NaN) - time) * (side === 'after' ? 1 : -1);
    if (!(distance > 0) || !mayHaveRun(one) || !isSamePlace(one, deployment)) continue;
    if (nearest === undefined || distance < nearest.distance) {
      nearest = { deployment: one, distance };
    }
  }
  return nearest?.deployment;
}

/** Whether two deployments of an app or job took each other's place, as far as they say. */
function isSamePlace(one: Deployment, other: Deployment): boolean {
  if (isPreview(one) !== isPreview(other)) return false;
  if (isPreview(one)) return shortRef(one.gitRef) === shortRef(other.gitRef);
  const [id, otherId] = [one.targetEnvironment?.id, other.targetEnvironment?.id];
  return id === undefined || otherId === undefined || id.toLowerCase() === otherId.toLowerCase();
}
