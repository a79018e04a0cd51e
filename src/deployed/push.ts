import type { Deployment, Resource } from '../api/types';
import { minute } from '../base/clock';
import { dotted, joined, type Texts } from '../base/textFormat';
import { timeOf, type TimeFormat } from '../base/timeFormat';
import { cut } from '../base/untrustedText';
import type { CommitAge } from '../commits/commitFacts';
import {
  deploymentTime,
  hasRun,
  isIn,
  isSameCommit,
  mayHaveRun,
  newestFirst,
  type Place,
  shortSha,
} from '../data/deployments';
import { nameOfResource } from '../data/labels';
import { hasEnded, stateKey, stateMeaning } from '../data/states';
import { isSameId, isUuid, shortId } from '../data/targets';
import {
  type BranchEnvironment,
  type BranchWords,
  type CheckedOutBranch,
  environmentName,
} from './branch';

/** How long the apps of a push are watched, in milliseconds. */
export const longestPush = 20 * minute;
/** The most apps and jobs of an environment. */
export const mostAppsOfPush = 50;
/** How much earlier than the push its first deployment may seem to be, in milliseconds. */
const pushTolerance = minute;

/** The ends of a push in one app or job. */
export const pushEnds = [
  'live',
  'failed',
  /** Its deployment has ended in a state that is neither: the state has its own word. */
  'ended',
  /** Another commit took its place before it was live. */
  'overtaken',
] as const;
export type PushEnd = (typeof pushEnds)[number];

/** What became of a pushed commit in one app or job. `waiting`: there is no deployment of it yet. */
export const pushStates = ['waiting', 'deploying', ...pushEnds] as const;
export type PushState = (typeof pushStates)[number];

/** An app or job that a push should reach, and how far the push has come there. Texts are untrusted. */
export interface PushedApp {
  readonly resourceId: string;
  readonly name: string;
  /** Whether a push does not have to deploy it: a job, or an app without automatic deployment. */
  readonly isOptional: boolean;
  readonly state: PushState;
  /** The deployment that `state` is about. */
  readonly deployment?: Deployment | undefined;
  /** Whether its deployments were read. */
  readonly isRead?: boolean | undefined;
  /** Whether its deployments may not be read. */
  readonly isUnseen?: boolean | undefined;
  /** Whether its environment does not have it any more, maybe because of the push. */
  readonly isRemoved?: boolean | undefined;
}

/** An environment that a push should reach, or the preview of its branch. */
export interface PushedEnvironment extends Place {
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
 * it; what failed may be tried again. What was deployed before the push does not count, unless it is this commit
 * that runs.
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
  const next = (state: PushState, deployment?: Deployment): PushedApp => ({
    ...app,
    isRead: true,
    state,
    deployment,
  });
  const isOurs = ({ commitSha }: Deployment): boolean => isSameCommit(commitSha, commit.sha);
  const since = all.filter((one) => isSincePush(one, commit.pushedAt));
  const ours = since.filter(isOurs);
  // What was told in its own word stays so, whatever comes later.
  const isTold = ({ id }: Deployment): boolean =>
    app.state === 'ended' && id !== undefined && id === app.deployment?.id;
  const live = ours.find((one) => hasRun(one, all) && !isTold(one));
  if (live !== undefined) return next('live', live);

  const isUnderWay = (one: Deployment): boolean => endOf(one, commit) === undefined;
  /** Whether one of these took the place of the commit, or may still do so. */
  const mayReplace = (others: readonly Deployment[]): boolean =>
    others.some((one) => !isOurs(one) && (hasRun(one, all) || isUnderWay(one)));
  const isNewer = ({ commitSha }: Deployment): boolean =>
    commitSha !== undefined && commit.ageOf(commitSha) === 'newer';
  const [newest] = ours;
  if (newest === undefined) {
    const current = all.find((one) => hasRun(one, all));
    if (current !== undefined && isOurs(current)) return next('live', current);
    return next(mayReplace(since.filter(isNewer)) ? 'overtaken' : 'waiting');
  }
  const own = ours.find(isUnderWay);
  if (own !== undefined) {
    const hasNewer = createdAfter(own, all).some((one) => isNewer(one) && hasRun(one, all));
    return next(hasNewer ? 'overtaken' : 'deploying', own);
  }
  // Where one of several may have run, it has not failed, and no other is told than that it was replaced.
  const doubtful = ours.find((one) => mayHaveRun(one, all));
  const failed = ours.find((one) => endOf(one, commit) === 'failed');
  if (failed !== undefined && doubtful === undefined) return next('failed', failed);
  // What was cancelled or replaced for another commit has not ended by itself.
  if (mayReplace(createdAfter(newest, all))) return next('overtaken', newest);
  return next('ended', doubtful ?? newest);
}

/** Whether a deployment was created since a push, in milliseconds since 1970 by the server's clock. */
export function isSincePush(deployment: Deployment, pushedAt: number): boolean {
  return (deploymentTime(deployment) ?? -Infinity) >= pushedAt - pushTolerance;
}

/** @param all newest first. */
function createdAfter(deployment: Deployment, all: readonly Deployment[]): readonly Deployment[] {
  return all.slice(0, all.indexOf(deployment));
}

/** How a deployment that has not run has ended; undefined while it may still run. */
function endOf(
  deployment: Deployment,
  { isStill }: Pick<PushedCommit, 'isStill'>,
): 'failed' | 'ended' | undefined {
  const meaning = stateMeaning(deployment.state);
  if (meaning === 'failed') return 'failed';
  const hasCome = hasEnded(deployment) || (meaning === undefined && isStill(deployment));
  if (!hasCome) return undefined;
  const { errorCode = '', errorMessage = '' } = deployment;
  return meaning === undefined && errorCode + errorMessage !== '' ? 'failed' : 'ended';
}

/** The apps and jobs of a push of which it needs an end: one list for its end, names, texts and rows. */
export function countedApps(apps: readonly PushedApp[]): readonly PushedApp[] {
  return apps.filter(
    ({ isOptional, isUnseen, isRemoved, state, isRead, deployment }) =>
      isUnseen !== true &&
      isRemoved !== true &&
      // What the push did not deploy, once that was read: a newer commit may be deployed there instead.
      !(
        isOptional &&
        isRead === true &&
        (state === 'waiting' || (state === 'overtaken' && deployment === undefined))
      ),
  );
}

/** The environments with what counts in them; those where nothing does are left out. */
export function countedEnvironments(
  environments: readonly PushedEnvironment[],
  state?: PushState,
): readonly PushedEnvironment[] {
  return environments
    .map((environment) => ({
      ...environment,
      apps: countedApps(environment.apps).filter(
        (app) => state === undefined || app.state === state,
      ),
    }))
    .filter(({ apps }) => apps.length > 0);
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
  // What ran before was not deployed by it.
  if (ends.length === 0 || Math.max(...ends) < pushedAt) return undefined;
  const starts = deployments.flatMap(({ createdAt }) => timeOf(createdAt) ?? []);
  // A push that a fetch showed later began with its first deployment.
  return Math.max(...ends) - Math.min(pushedAt, ...starts);
}

/** An app or job as a push finds it; undefined if its deployments cannot be requested. */
export function appOf(resource: Resource): PushedApp | undefined {
  const { id, kind, config } = resource;
  if (!isUuid(id)) return undefined;
  const isOptional = stateKey(kind ?? '') === 'job' || config?.autoDeploy === false;
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
    .map(({ id, name, branch, isPreview, resources }) => ({
      id,
      isPreview,
      name,
      ...(isPreview ? { branch } : {}),
      apps: resources.flatMap((one) => appOf(one) ?? []).slice(0, mostAppsOfPush),
    }))
    .filter(({ apps }) => apps.length > 0);
}

/** The newest push, for the status bar. */
export interface ShownPush {
  /** The URI of the repository, as text. */
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
  /** When it was seen, in milliseconds since 1970 by the control plane's clock. */
  readonly at: number;
  readonly environments: readonly PushedEnvironment[];
  readonly isOnItsWay: boolean;
  /** Whether an app has failed, and nobody has seen it. */
  readonly isFailed: boolean;
  /** What became of it. */
  readonly note: string;
}

interface PushContext extends Texts {
  readonly timeFormat: TimeFormat;
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
 * The texts of the status bar item after a push. While it is on its way, the text is such as `production 1/3`, and
 * the rest is in the tooltip.
 *
 * @param words the texts without it.
 */
export function withPush(
  words: BranchWords,
  branch: CheckedOutBranch,
  push: ShownPush,
  { t, timeFormat }: PushContext,
): BranchWords {
  const environments = countedEnvironments(push.environments);
  const shown =
    environments.find(({ apps }) => endOfPush(apps) === undefined) ??
    environments[0] ??
    push.environments[0];
  const apps = environments.flatMap((one) => one.apps);
  const done = apps.filter(({ state }) => hasCome(state)).length;
  const sha = shortSha(push.sha) ?? '';
  const known = branch.environments.find(({ id, name }) =>
    id === undefined ? name === shown?.name : isSameId(shown?.id, id),
  );
  const before = known?.deployed.commits.find((one) => one.sha !== push.sha);
  const { isFailed } = push;
  const pushed = t('Pushed: {0}', dotted([sha, push.note]));
  if (!push.isOnItsWay) return { ...words, isFailed, tooltip: [pushed, ...words.tooltip] };
  const name = cut(shown === undefined ? '' : environmentName(shown, t), maxName);
  const step = apps.every(({ state }) => state === 'waiting')
    ? t('waiting for deployments')
    : t('deploying {0} of {1}', Math.min(done + 1, apps.length), apps.length);
  const way = before === undefined ? sha : `${shortSha(before.sha) ?? ''} → ${sha}`;
  return {
    // Wide enough for a narrow window, and drawn again only when it changes.
    text: joined([name, `${done}/${apps.length}`], ' '),
    label: t('Control plane: {0} goes to {1}, {2}', sha, name, step),
    tooltip: [pushed, dotted([way, step, timeFormat.relativeTo(push.at)]), ...words.tooltip],
    isBusy: true,
    isFailed,
  };
}

/** A deployment that has ended. Texts are untrusted. */
export interface DeploymentEnd {
  readonly deployment: Deployment & { readonly id: string };
  readonly app: string;
  readonly environment: BranchEnvironment;
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
    return environments.flatMap((environment) =>
      environment.resources.flatMap((resource) => {
        const { id = '' } = resource;
        const found = deploymentsOf(id)?.filter((one) => isIn(one, environment));
        if (found === undefined) return [];
        const before = this.ended.get(id);
        const ended = found.filter((one): one is Deployment & { readonly id: string } => {
          return one.id !== undefined && hasEnded(one);
        });
        this.ended.set(id, new Set(ended.map((one) => one.id)));
        return ended
          .filter((one) => before !== undefined && !before.has(one.id))
          .map((deployment) => ({
            deployment,
            app: nameOfResource(resource) ?? shortId(id),
            environment,
          }));
      }),
    );
  }
}
