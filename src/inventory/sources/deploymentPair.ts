import type { Deployment } from '../../api/types';
import { deploymentTime } from './deploymentNodes';
import type { TreeContext } from '../tree/nodes';
import { nameOfResource } from './resourceNodes';
import { mayHaveRun } from '../states';

/** A deployment and those that ran before and after it. */
export interface DeploymentPair {
  /** Of the app or job. Untrusted. */
  readonly name: string | undefined;
  readonly deployment: Deployment;
  /** When it came to be, in milliseconds since 1970. */
  readonly time: number | undefined;
  /** Undefined where none is known. */
  readonly previous: Deployment | undefined;
  /** What took its place; undefined where it is the last. */
  readonly next: Deployment | undefined;
}

/**
 * Finds a deployment among those that are known. Its neighbours are the nearest that may
 * have run: what failed has no logs of its own worth comparing.
 */
export function deploymentPair(
  { store, sources }: Pick<TreeContext, 'store' | 'sources'>,
  deploymentId: string,
): DeploymentPair | undefined {
  for (const source of sources()) {
    for (const resource of store.resources(source.id).value?.resources ?? []) {
      if (resource.id === undefined) continue;
      const all = store.deployments(resource.id).value?.deployments ?? [];
      const deployment = all.find(({ id }) => id === deploymentId);
      if (deployment === undefined) continue;
      const time = deploymentTime(deployment);
      return {
        name: nameOfResource(resource),
        deployment,
        time,
        previous: neighbour(all, time, 'before'),
        next: neighbour(all, time, 'after'),
      };
    }
  }
  return undefined;
}

/** The deployment nearest to a time that may have run, on one side of it. */
function neighbour(
  all: readonly Deployment[],
  time: number | undefined,
  side: 'before' | 'after',
): Deployment | undefined {
  let nearest: { readonly deployment: Deployment; readonly distance: number } | undefined;
  for (const deployment of all) {
    const distance =
      ((deploymentTime(deployment) ?? NaN) - (time ?? NaN)) * (side === 'after' ? 1 : -1);
    if (!(distance > 0) || !mayHaveRun(deployment)) continue;
    if (nearest === undefined || distance < nearest.distance) nearest = { deployment, distance };
  }
  return nearest?.deployment;
}
