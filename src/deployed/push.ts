import type { Deployment, Resource } from '../api/types';
import { minute } from '../base/clock';
import { dotted, joined, type Texts } from '../base/textFormat';
import { timeOf, type TimeFormat } from '../base/timeFormat';
import { cut } from '../base/untrustedText';
import type { CommitAge } from '../commits/commitFacts';
import { deploymentTime, newestFirst, shortSha } from '../data/deployments';
import { nameOfResource } from '../data/labels';
import { hasEnded, hasSucceeded, keyOf, mayHaveRun, meaningOf } from '../data/states';
import { isSameId, isUuid, shortId } from '../data/targets';
import type { CheckedOutBranch, BranchEnvironment, BranchWords } from './branch';

/** How long the apps of a push are watched, in milliseconds. */
export const longestPush = 20 * minute;
/** The most apps and jobs of an environment. */
export const mostApps = 50;
/** How much earlier than the push its first deployment may seem to be, in milliseconds. */
const clockTolerance = minute;

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

type PushEnd = Exclude<PushState, 'waiting' | 'deploying'>;

/** An app or job that a push should reach, and how far the push has come there. Texts are untrusted. */
export interface PushedApp {
  readonly resourceId: string;
  readonly name: string;
  /**
   * Whether a push does not have to deploy it: a job, or an app without automatic deployment. Without a
   * deployment it does not count, once its deployments were read.
   */
  readonly isOptional: boolean;
  readonly state: PushState;
  /** The deployment that `state` is about. */
  readonly deployment?: Deployment | undefined;
  /**
   * The ids of deployments of this commit from before the push, as after a force push to a commit that was live
   * once. Undefined until the deployments were read.
   */
  readonly earlier?: readonly string[] | undefined;
  /** Whether its deployments may not be read, so that it does not count. */
  readonly isUnseen?: boolean | undefined;
}

/** An environment that a push should reach, or the preview of its branch. Texts are untrusted. */
export interface PushedEnvironment {
  /** Undefined if the control plane names none. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly isPreview: boolean;
  readonly apps: readonly PushedApp[];
}

interface PushedCommit {
  /** In lower case. */
  readonly sha: string;
  /** In milliseconds since 1970, by the server's clock. */
  readonly pushedAt: number;
  readonly ageOf: (sha: string) => CommitAge;
  /** Whether a deployment whose state has no known meaning has stayed the same for long enough. */
  readonly isStill: (deployment: Deployment) => boolean;
}

export function hasCome(state: PushState): state is PushEnd {
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
      .filter((one) => (deploymentTime(one) ?? 0) < commit.pushedAt - clockTolerance)
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

/** Those of which a push needs an end. */
export function countedApps(apps: readonly PushedApp[]): readonly PushedApp[] {
  return apps.filter(
    ({ isOptional, isUnseen, state, earlier }) =>
      isUnseen !== true && !(isOptional && state === 'waiting' && earlier !== undefined),
  );
}

/** The worst end of its apps; undefined while one of them has none. */
export function endOfPush(apps: readonly PushedApp[]): PushEnd | undefined {
  const states = countedApps(apps).map(({ state }) => state);
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

/** An app or job as a push finds it; undefined if its deployments cannot be requested. */
export function appOf(resource: Resource): PushedApp | undefined {
  const { id, kind, config } = resource;
  if (!isUuid(id)) return undefined;
  const isOptional = keyOf(kind ?? '') === 'job' || config?.autoDeploy === false;
  return {
    resourceId: id,
    name: nameOfResource(resource) ?? shortId(id),
    isOptional,
    state: 'waiting',
  };
}

/** The environments that a push of a branch should reach; none if the branch is not deployed. */
export function environmentsOfPush({
  relation,
  environments,
}: Pick<CheckedOutBranch, 'relation' | 'environments'>): readonly PushedEnvironment[] {
  if (relation === 'other') return [];
  return environments
    .filter(({ isDisconnected }) => !isDisconnected)
    .map(({ id, name, resources }) => ({
      id,
      name: name ?? (id === undefined ? '' : shortId(id)),
      isPreview: relation === 'preview',
      apps: resources.flatMap((one) => appOf(one) ?? []).slice(0, mostApps),
    }))
    .filter(({ apps }) => apps.length > 0);
}

/** The newest push, for the status bar. */
export interface ShownPush {
  /** The URI of the repository, as text. */
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
  /** When it was pushed, in wall-clock milliseconds of this machine. */
  readonly at: number;
  readonly environments: readonly PushedEnvironment[];
  readonly isOnItsWay: boolean;
  /** What became of it. */
  readonly note: string;
}

interface PushContext extends Texts {
  readonly timeFormat: TimeFormat;
  /** In wall-clock milliseconds. */
  readonly now: number;
}

/** The longest name in the status bar. */
const maxName = 30;

/** Whether a push goes to the branch that the status bar shows. */
export function isPushOf(
  push: ShownPush | undefined,
  { head }: CheckedOutBranch,
  repository: string | undefined,
): push is ShownPush {
  return push !== undefined && push.repository === repository && push.branch === head.branch;
}

/**
 * The texts of the status bar item after a push. While it is on its way, these are such as
 * `production a1b2c3d → 9f8e7d6 · deploying 1 of 3 · 1 min 20 sec`.
 *
 * @param words the texts without it.
 */
export function withPush(
  words: BranchWords,
  branch: CheckedOutBranch,
  push: ShownPush,
  { t, timeFormat, now }: PushContext,
): BranchWords {
  const environment = push.environments.find(({ apps }) => endOfPush(apps) === undefined);
  const shown = environment ?? push.environments[0];
  const apps = countedApps(push.environments.flatMap((one) => one.apps));
  const done = apps.filter(({ state }) => hasCome(state)).length;
  const sha = shortSha(push.sha) ?? '';
  const known = branch.environments.find(({ id, name }) =>
    id === undefined ? name === shown?.name : isSameId(shown?.id, id),
  );
  const before = known?.deployed.commits.find((one) => one.sha !== push.sha);
  const tooltip = [t('Pushed: {0}', dotted([sha, push.note])), ...words.tooltip];
  if (!push.isOnItsWay) return { ...words, tooltip };
  const name = cut(shown?.name ?? '', maxName);
  const step = apps.every(({ state }) => state === 'waiting')
    ? t('waiting for deployments')
    : t('deploying {0} of {1}', Math.min(done + 1, apps.length), apps.length);
  const way = before === undefined ? sha : `${shortSha(before.sha) ?? ''} → ${sha}`;
  return {
    text: dotted([joined([name, way], ' '), step, timeFormat.duration(now - push.at)]),
    // Without the time, which a screen reader would read every second.
    label: t('Control plane: {0} goes to {1}, {2}', sha, name, step),
    tooltip,
    isBusy: true,
  };
}

/** A deployment that has ended. Texts are untrusted. */
export interface DeploymentEnd {
  readonly deployment: Deployment & { readonly id: string };
  readonly app: string;
  readonly environment: string;
}

/** Finds the deployments that ended between two looks. */
export class DeploymentEnds {
  /** By resource, the deployments that had ended at the last look. */
  private readonly ended = new Map<string, ReadonlySet<string>>();

  /**
   * @param deploymentsOf returns undefined while they are unknown: what is there at the first look is no news.
   */
  look(
    environments: readonly BranchEnvironment[],
    deploymentsOf: (resourceId: string) => readonly Deployment[] | undefined,
  ): readonly DeploymentEnd[] {
    return environments.flatMap(({ name = '', resources }) =>
      resources.flatMap((resource) => {
        const { id = '' } = resource;
        const found = deploymentsOf(id);
        if (found === undefined) return [];
        const before = this.ended.get(id);
        const ended = found.filter((one): one is Deployment & { readonly id: string } => {
          return one.id !== undefined && hasEnded(one);
        });
        this.ended.set(id, new Set(ended.map((one) => one.id)));
        return ended
          .filter((one) => before !== undefined && !before.has(one.id))
          .map((deployment) => ({
            ...{ deployment, app: nameOfResource(resource) ?? '', environment: name },
          }));
      }),
    );
  }
}
