import { isCommit } from '../commits/commitFacts';
import type { Deployment, Resource } from '../api/types';
import { deploymentTime, newestFirst } from './deployments';
import { nameOfResource } from './labels';
import { hasSucceeded, isRunning } from './states';
import { shortId } from './targets';

/** A commit that runs in an environment. */
export interface DeployedCommit {
  /** In lower case; safe to pass to Git. */
  readonly sha: string;
  /** When it was last deployed, in milliseconds since 1970. */
  readonly at?: number;
  /** The names of the apps and jobs that run it. Untrusted. */
  readonly resources: readonly string[];
  /** The ids of their deployments. */
  readonly deploymentIds: readonly string[];
}

/** The commits of an environment. */
export interface Deployed {
  /** The newest first; several if apps and jobs differ. */
  readonly commits: readonly DeployedCommit[];
  /** Commits that are being deployed. */
  readonly coming: readonly string[];
}

/**
 * The commits that these resources run: that of the newest successful deployment of each.
 *
 * @param deploymentsOf returns the deployments that count, in any order; empty while they are unknown.
 */
export function deployedIn(
  resources: readonly Resource[],
  deploymentsOf: (resource: Resource) => readonly Deployment[],
): Deployed {
  const commits = new Map<string, DeployedCommit>();
  const coming = new Set<string>();
  for (const resource of resources) {
    const deployments = newestFirst(deploymentsOf(resource));
    const live = deployments.findIndex(hasSucceeded);
    // Deployments that started before the successful one are over.
    const later = live < 0 ? deployments : deployments.slice(0, live);
    for (const one of later.filter(isRunning)) {
      if (isCommit(one.commitSha)) coming.add(one.commitSha.toLowerCase());
    }
    const deployment = deployments[live];
    if (deployment !== undefined) note(commits, resource, deployment);
  }
  const sorted = [...commits.values()].sort(
    (one, other) => (other.at ?? -Infinity) - (one.at ?? -Infinity),
  );
  return { commits: sorted, coming: [...coming] };
}

function note(
  commits: Map<string, DeployedCommit>,
  resource: Resource,
  deployment: Deployment,
): void {
  if (!isCommit(deployment.commitSha)) return;
  const sha = deployment.commitSha.toLowerCase();
  const before = commits.get(sha);
  const at = deploymentTime(deployment);
  const last = Math.max(before?.at ?? -Infinity, at ?? -Infinity);
  const name =
    nameOfResource(resource) ?? (resource.id === undefined ? undefined : shortId(resource.id));
  commits.set(sha, {
    sha,
    ...(last === -Infinity ? {} : { at: last }),
    resources: [...(before?.resources ?? []), ...(name === undefined ? [] : [name])],
    deploymentIds: [
      ...(before?.deploymentIds ?? []),
      ...(deployment.id === undefined ? [] : [deployment.id]),
    ],
  });
}
