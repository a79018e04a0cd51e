import type { Deployment } from '../api/types';
import { timeOf } from '../base/timeFormat';
import { newestFirst } from '../data/deployments';
import { hasEnded, hasSucceeded, mayHaveRun, meaningOf } from '../data/states';

/** How long the apps of a push are watched, in milliseconds. */
export const longestPush = 20 * 60_000;

/** What became of a pushed commit in one app or job. All but `waiting` and `deploying` are an end. */
export type PushState =
  /** There is no deployment of it yet. */
  | 'waiting'
  | 'deploying'
  | 'live'
  | 'failed'
  /** Its deployment has ended, and its state does not say how. */
  | 'ended'
  /** A newer commit took its place before it was live. */
  | 'overtaken';

export type PushEnd = Exclude<PushState, 'waiting' | 'deploying'>;

/** An app or job that a push should reach, and how far the push has come there. Texts are untrusted. */
export interface PushedApp {
  readonly resourceId: string;
  readonly name: string;
  /** A push does not have to deploy a job: it counts only once it has a deployment. */
  readonly isJob: boolean;
  readonly state: PushState;
  /** The deployment that `state` is about. */
  readonly deployment?: Deployment | undefined;
  /**
   * The ids of deployments of this commit that had ended before the push, as after a force push to a
   * commit that was live once. Undefined until the deployments were read.
   */
  readonly earlier?: readonly string[] | undefined;
}

/** How a commit relates to the pushed one: `unknown` if Git does not have it, or on another line. */
export type CommitAge = 'older' | 'newer' | 'unknown';

export interface PushedCommit {
  /** In lower case. */
  readonly sha: string;
  readonly ageOf: (sha: string) => CommitAge;
  /** Whether a deployment whose state has no known meaning has stayed the same for long enough. */
  readonly isStill: (deployment: Deployment) => boolean;
}

function hasCome(state: PushState): state is PushEnd {
  return state !== 'waiting' && state !== 'deploying';
}

/**
 * An app after its deployments were read. What was live stays so, since a rollback later does not undo
 * it; what failed may be tried again.
 *
 * @param found the deployments of the app in the environment of the push, in any order.
 */
export function readApp(
  app: PushedApp,
  found: readonly Deployment[],
  commit: PushedCommit,
): PushedApp {
  if (app.state === 'live') return app;
  const all = newestFirst(found);
  const isOurs = ({ commitSha }: Deployment): boolean => isSameCommit(commitSha, commit.sha);
  const earlier =
    app.earlier ??
    all
      // Of the newest one, the environment runs the commit.
      .filter((one, at) => at > 0 && isOurs(one) && hasEnded(one))
      .flatMap(({ id }) => (id === undefined ? [] : [id]));
  const ours = all.filter((one) => isOurs(one) && !earlier.includes(one.id ?? ''));
  const [newest] = ours;
  const next = (state: PushState, deployment = newest): PushedApp => ({
    ...app,
    earlier,
    state,
    deployment,
  });

  const live = ours.find(mayHaveRun);
  if (live !== undefined) return next('live', live);
  const newer = newest === undefined ? all : all.slice(0, all.indexOf(newest));
  const isOvertaken = newer.some(
    ({ commitSha }) => commitSha !== undefined && commit.ageOf(commitSha) === 'newer',
  );
  if (newest === undefined) return next(isOvertaken ? 'overtaken' : 'waiting');
  const state = endOf(newest, commit);
  // What was cancelled for a newer commit has not failed.
  if (state !== 'failed' && isOvertaken) return next('overtaken');
  return next(state ?? 'deploying');
}

function endOf(deployment: Deployment, { isStill }: PushedCommit): PushState | undefined {
  const meaning = meaningOf(deployment.state);
  if (meaning === 'failed') return 'failed';
  if (meaning === 'running') return hasEnded(deployment) ? 'ended' : undefined;
  if (meaning !== undefined) return 'ended';
  if (!hasEnded(deployment)) return isStill(deployment) ? 'ended' : undefined;
  return hasSucceeded(deployment) ? 'live' : 'failed';
}

function isSameCommit(one: string | undefined, sha: string): boolean {
  return one !== undefined && one.length >= 7 && sha.startsWith(one.toLowerCase());
}

/** The worst end of its apps; undefined while one of them has none. */
export function endOfPush(apps: readonly PushedApp[]): PushEnd | undefined {
  const states = apps
    .filter(({ isJob, state }) => !isJob || state !== 'waiting')
    .map(({ state }) => state);
  return states.every(hasCome)
    ? (['failed', 'overtaken', 'ended', 'live'] as const).find((end) => states.includes(end))
    : undefined;
}

/** How many milliseconds it took until the last app was live or had failed; undefined if unknown. */
export function durationOf(apps: readonly PushedApp[], pushedAt: number): number | undefined {
  const deployments = apps.flatMap(({ deployment }) => deployment ?? []);
  const ends = deployments.flatMap(({ finishedAt }) => timeOf(finishedAt) ?? []);
  if (ends.length === 0) return undefined;
  const starts = deployments.flatMap(({ createdAt }) => timeOf(createdAt) ?? []);
  // A push that a fetch showed later began with its first deployment.
  return Math.max(...ends) - Math.min(pushedAt, ...starts);
}
