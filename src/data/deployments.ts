import type { Deployment, Resource } from '../api/types';
import { timeOf } from '../base/timeFormat';
import { isCommit } from '../commits/commitFacts';
import { httpsUrl } from '../connection/connections';
import { type DataContext, nameOfResource } from './labels';
import { mayHaveRun, hasSucceeded, isRunning, meaningOf } from './states';
import { mayBeSameId, shortId } from './targets';

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
  return mayBeSameId(one.targetEnvironment?.id, other.targetEnvironment?.id);
}

/** A commit that runs in an environment. */
export interface DeployedCommit {
  /** In lower case; safe to pass to Git. */
  readonly sha: string;
  /** When it was last deployed, in milliseconds since 1970. */
  readonly at?: number;
  /** The names of the apps and jobs that run it. Untrusted. */
  readonly resources: readonly string[];
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

/** What a preview runs of an app or job. Texts are untrusted. */
export interface PreviewedResource {
  readonly resource: Resource;
  /** The newest deployment of the preview. */
  readonly deployment: Deployment;
  /** Of all that are known: logs name them. */
  readonly deploymentIds: readonly string[];
  /** The URL of its site, https only; undefined before it has one. */
  readonly site: string | undefined;
}

/**
 * The preview of a branch: what it runs of these apps and jobs. What was removed or cancelled last is left out.
 *
 * @param deploymentsOf returns the known ones in any order.
 */
export function previewOf(
  resources: readonly Resource[],
  branches: readonly string[],
  deploymentsOf: (resource: Resource) => readonly Deployment[],
): readonly PreviewedResource[] {
  return resources.flatMap((resource) => {
    const own = newestFirst(deploymentsOf(resource)).filter((one) =>
      branches.some((branch) => isPreviewOf(one, branch)),
    );
    const [deployment] = own;
    if (deployment === undefined || meaningOf(deployment.state) === 'cancelled') return [];
    const deploymentIds = own.flatMap(({ id }) => id ?? []);
    return [{ resource, deployment, deploymentIds, site: siteOf(own.find(mayHaveRun)) }];
  });
}

function siteOf({ hostname }: Pick<Deployment, 'hostname'> = {}): string | undefined {
  const address = hostname?.includes('://') ? hostname : `https://${hostname ?? ''}`;
  return httpsUrl(address);
}
