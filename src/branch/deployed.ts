import type { Deployment, Resource } from '../api/types';
import { deploymentTime } from '../inventory/sources/deploymentNodes';
import { nameOfResource } from '../inventory/sources/resourceNodes';
import { shortId } from '../inventory/targets';
import { hasSucceeded, isRunning } from '../inventory/states';

/** A commit that runs somewhere. */
export interface DeployedCommit {
  /** In lower case; safe to hand to Git. */
  readonly sha: string;
  /** When it was last deployed, in milliseconds since 1970. */
  readonly at?: number;
  /** The names of the apps and jobs that it runs in. Untrusted. */
  readonly resources: readonly string[];
  /** The ids of their deployments. */
  readonly deploymentIds: readonly string[];
}

/** What an environment runs, as far as is known. */
export interface Deployed {
  /** The newest first; several where apps and jobs differ. */
  readonly commits: readonly DeployedCommit[];
  /** Commits that are being deployed. */
  readonly coming: readonly string[];
}

/**
 * What runs in these resources: of each the newest deployment that took place.
 *
 * @param deploymentsOf those that count, in any order; empty where they are not known.
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
    // What began before the deployment that took place did not get anywhere.
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

/** Those without a time last, as they came. */
function newestFirst(deployments: readonly Deployment[]): Deployment[] {
  return deployments
    .map((deployment) => ({ deployment, time: deploymentTime(deployment) ?? -Infinity }))
    .sort((one, other) => (one.time === other.time ? 0 : other.time - one.time))
    .map(({ deployment }) => deployment);
}

/** Whether a text is the hash of a commit, or its beginning, and nothing that Git takes otherwise. */
function isCommit(text: string | undefined): text is string {
  return text !== undefined && /^[\da-f]{7,64}$/i.test(text);
}
