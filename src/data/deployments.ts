import type { Deployment, Resource } from '../api/types';
import { second } from '../base/clock';
import { timeOf } from '../base/timeFormat';
import { isCommit } from '../commits/commitFacts';
import { httpsUrl } from '../connection/connections';
import { type DataContext, nameOfResource } from './labels';
import { hasEnded, hasSucceeded, isRunning, stateMeaning } from './states';
import { isSameId, shortId } from './targets';

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
    .sort((a, b) => (a.time === b.time ? 0 : b.time - a.time))
    .map(({ deployment }) => deployment);
}

/** The first 7 digits of a commit hash; other text as it is. */
export function shortSha(commit: string | undefined): string | undefined {
  return commit !== undefined && /^[\da-f]{40,64}$/i.test(commit) ? commit.slice(0, 7) : commit;
}

/** A branch or tag without its `refs/…/` prefix, unless nothing else is left. */
export function shortRef(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/(?:heads|tags|remotes)\/(?=.*\S)/s, '');
}

/** Where deployments of an app or job take each other's place. Texts are untrusted. */
export interface Place {
  /** Whether it is the preview of a branch, and not an environment. */
  readonly isPreview?: boolean | undefined;
  /** Of an environment; undefined if the control plane names none. */
  readonly id?: string | undefined;
  /** Of an environment. */
  readonly name?: string | undefined;
  /** Of a preview. */
  readonly branch?: string | undefined;
}

/** Every environment, and no preview. */
export const anyEnvironment: Place = {};

/** Whether a deployment went to a place, as far as it says. */
export function isIn(deployment: Deployment, place: Place): boolean {
  const own = placeOf(deployment);
  if (own.isPreview !== (place.isPreview === true)) return false;
  if (own.isPreview) return own.branch === place.branch;
  if (own.id !== undefined && place.id !== undefined) return isSameId(own.id, place.id);
  return own.name === undefined || place.name === undefined || own.name === place.name;
}

function placeOf({
  environment,
  deployableKind,
  gitRef,
  targetEnvironment: { id, name } = {},
}: Deployment): Place & { readonly isPreview: boolean } {
  const isPreview = environment === 'preview' || deployableKind === 'preview';
  return isPreview ? { isPreview, branch: shortRef(gitRef) } : { isPreview, id, name };
}

/** The name of the environment that a deployment went to; of a preview, the word for that. */
export function environmentOf(deployment: Deployment): string | undefined {
  const { isPreview, name } = placeOf(deployment);
  return isPreview ? deployment.environment : (name ?? deployment.environment);
}

/** The environment of an app or job. */
export function placeOfResource({ environment: { id, name } = {} }: Resource): Place {
  return { id, name };
}

/** How much later than the end of a deployment the next one was created, if it did not end that one. In milliseconds. */
const clearlyLater = 10 * second;

/**
 * Whether the code of a deployment has run: it succeeded, or it had ended before the one was created that took its
 * place. What was replaced while it was waiting or being built never ran.
 *
 * @param all the deployments of its app or job, in any order.
 */
export function hasRun(deployment: Deployment, all: readonly Deployment[]): boolean {
  return hasSucceeded(deployment) || (endedBeforeNext(deployment, all) ?? 0) >= clearlyLater;
}

/**
 * Whether nothing says if a deployment has run: it was replaced, and ended so shortly before the next one was created
 * that this one may have ended it.
 *
 * @param all the deployments of its app or job, in any order.
 */
export function mayHaveRun(deployment: Deployment, all: readonly Deployment[]): boolean {
  const before = endedBeforeNext(deployment, all) ?? -1;
  return before >= 0 && before < clearlyLater;
}

/** How long a deployment that was replaced had ended when the next one in its place was created, in milliseconds. */
function endedBeforeNext(deployment: Deployment, all: readonly Deployment[]): number | undefined {
  const [created, end] = [deploymentTime(deployment), timeOf(deployment.finishedAt)];
  if (stateMeaning(deployment.state) !== 'replaced' || created === undefined || end === undefined) {
    return undefined;
  }
  if (deployment.startedAt === undefined) return undefined;
  const later = all
    .filter((one) => one !== deployment && isIn(one, placeOf(deployment)))
    .flatMap((one) => deploymentTime(one) ?? [])
    .filter((time) => time > created);
  return later.length > 0 ? Math.min(...later) - end : undefined;
}

/**
 * Since when a deployment that has run does so, in milliseconds since 1970: since its first record or its end,
 * whichever came first. Undefined if neither is known: when it was created says nothing about that.
 *
 * @param firstRecord when it wrote its first known record.
 */
export function runsSince(
  { finishedAt }: Pick<Deployment, 'finishedAt'>,
  firstRecord?: number,
): number | undefined {
  const times = [timeOf(finishedAt), firstRecord].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether two commit hashes, of which each may be the beginning of one, are those of one commit. */
export function isSameCommit(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || Math.min(a.length, b.length) < 7) return false;
  const [short, long] = [a, b].map((sha) => sha.toLowerCase()).sort((x, y) => x.length - y.length);
  return short !== undefined && long?.startsWith(short) === true;
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
 * Finds a loaded deployment. Its neighbours are the nearest ones of the same environment or preview that
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
    ...sources().map(({ id }) => store.read('resources', id).value?.resources ?? []),
    resourceId === undefined ? [] : [{ id: resourceId }],
  ];
  for (const resources of listings) {
    for (const resource of resources) {
      if (resource.id === undefined) continue;
      const all = store.read('deployments', resource.id).value?.deployments ?? [];
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

/** The deployment in the same place nearest to this one, on one side of it, that has run. */
function neighbour(
  all: readonly Deployment[],
  deployment: Deployment,
  side: 'before' | 'after',
): Deployment | undefined {
  const time = deploymentTime(deployment) ?? NaN;
  let nearest: { readonly deployment: Deployment; readonly distance: number } | undefined;
  for (const one of all) {
    const distance = ((deploymentTime(one) ?? NaN) - time) * (side === 'after' ? 1 : -1);
    if (!(distance > 0) || !isIn(one, placeOf(deployment)) || !hasRun(one, all)) continue;
    if (nearest === undefined || distance < nearest.distance) {
      nearest = { deployment: one, distance };
    }
  }
  return nearest?.deployment;
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
  /** Commits whose deployment has ended since then, in a state that does not say how. */
  readonly unclear: readonly UnclearCommit[];
}

/** A commit, in lower case, and the word that the control plane has for its state. Untrusted. */
export interface UnclearCommit {
  readonly sha: string;
  readonly state: string;
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
  const unclear = new Map<string, string>();
  for (const resource of resources) {
    const deployments = newestFirst(deploymentsOf(resource));
    const live = deployments.findIndex(hasSucceeded);
    // Deployments that started before the successful one are over.
    const later = live < 0 ? deployments : deployments.slice(0, live);
    for (const one of later) {
      if (!isCommit(one.commitSha)) continue;
      const sha = one.commitSha.toLowerCase();
      if (isRunning(one)) coming.add(sha);
      else if (one.state !== undefined && stateMeaning(one.state) === undefined && hasEnded(one)) {
        unclear.set(sha, one.state);
      }
    }
    const deployment = deployments[live];
    if (deployment !== undefined) addCommit(commits, resource, deployment);
  }
  const sorted = [...commits.values()].sort((a, b) => (b.at ?? -Infinity) - (a.at ?? -Infinity));
  return {
    commits: sorted,
    coming: [...coming],
    unclear: [...unclear].map(([sha, state]) => ({ sha, state })),
  };
}

function addCommit(
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
      branches.some((branch) => isIn(one, { isPreview: true, branch })),
    );
    const [deployment] = own;
    if (deployment === undefined || stateMeaning(deployment.state) === 'cancelled') return [];
    const deploymentIds = own.flatMap(({ id }) => id ?? []);
    const ran = own.find((one) => hasRun(one, own));
    return [{ resource, deployment, deploymentIds, site: siteOf(ran?.hostname) }];
  });
}

/** What a URL begins with; not a host with its port. */
const scheme = /^[a-z][a-z\d+.-]*:(?!\d)/i;
/** An IPv6 address, which a URL has in brackets. */
const bareIpv6 = /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i;

/**
 * The URL of the site of a deployment, an app or a job, https only; undefined if there is none to open.
 *
 * @param host as servers write it: a host, with or without `https://`, port and path. The dot at the end of a complete
 *   name is left out, because web servers do not know their site by it; a name with `*` is none.
 */
export function siteOf(host: string | undefined): string | undefined {
  const address = host?.trim();
  if (address === undefined || address.includes('*')) return undefined;
  const authority = bareIpv6.test(address) ? `[${address}]` : address;
  const url = httpsUrl(scheme.test(authority) ? authority : `https://${authority}`);
  return url?.replace(/^(https:\/\/[^/:?#]+)\.(?=[/:?#])/, '$1');
}
