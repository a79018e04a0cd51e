import { type ActivityEntry, isUnsettled } from '../activity/activityEntry';
import type { EntryKind } from '../activity/entryKind';
import type { Deployment } from '../api/types';
import { dotted, joined, type Texts, type Translate } from '../base/textFormat';
import { shortSha } from '../data/deployments';
import type { DataContext } from '../data/labels';
import { stateMeaning } from '../data/states';
import { stateInWords, workText } from '../data/stateWords';
import { isUuid } from '../data/targets';
import { environmentName } from '../deployed/branch';
import {
  countedApps,
  countedEnvironments,
  durationOf,
  endOfPush,
  hasCome,
  type PushedApp,
  type PushedEnvironment,
  type PushState,
} from '../deployed/push';
import { createKeys, detailLines, makeNode, type NodeStatus, type TreeNode } from '../trees/nodes';
import { deploymentDetails, deploymentTarget } from '../trees/sources/resourceNodes';
import { plain, warning, workStatus, worst } from '../trees/status';
import { type PushEntry, storedPush, type UnseenReason, type WorseKind } from './pushEntry';
import { PushRunner } from './pushRunner';

/** What the watch of a push is started with. */
type PushTarget = Omit<PushEntry, keyof ActivityEntry | 'pushedAt' | 'outcome' | 'health'> & {
  /** Undefined if it was pushed just now. */
  readonly pushedAt?: number | undefined;
};

/** A push, and what becomes of it. */
export const pushKind: EntryKind<PushEntry, PushTarget> = {
  name: 'push',
  schema: storedPush,
  begin: ({ pushedAt, ...target }, at) => ({
    kind: 'push',
    ...target,
    pushedAt: pushedAt ?? at,
    progress: { kind: 'following' },
  }),
  runner: ({ client, store, polling, clock, ...tools }) =>
    new PushRunner(client, store, polling, tools, clock),
  title: ({ sha, branch }, { t }) => t('Push {0} to {1}', shortSha(sha) ?? '', branch),
  resultTitle: ({ sha }, t) => t('Push {0} – result', shortSha(sha) ?? ''),
  words: (entry, context) => dotted([deploymentsText(entry, context), healthText(entry, context)]),
  leftText(why, t) {
    if (why === 'noPolling') return t('deployments cannot be watched');
    return why === 'deadline' ? t('not finished after 20 minutes; no longer watched') : undefined;
  },
  status: statusOfPush,
  target({ sourceId, environments }) {
    const environmentId = environments.find(({ id }) => id)?.id;
    const app = appsOf({ environments }).find(({ deployment }) => isUuid(deployment?.id));
    return {
      sourceId,
      ...(environmentId === undefined ? {} : { environmentId }),
      ...(app && { resourceId: app.resourceId, deploymentId: app.deployment?.id }),
    };
  },
  details: (entry, { t }) =>
    detailLines([
      [t('Source'), `${entry.sourceName} (${entry.sourceId})`],
      [t('Branch'), entry.branch],
      [t('Commit'), entry.sha],
      [t('Commit before'), entry.before],
      [t('Environment'), environmentsText(entry.environments, t)],
      [t('Errors'), entry.health?.kind === 'worse' ? kindsText(entry.health.kinds) : undefined],
    ]),
  children: (entry, context, id) => () => pushedAppNodes(context, id, entry),
  canWatch: () => true,
  hasResult,
  duration: lengthOfPush,
};

/** A state with the look of what each state of a push is. */
const looks: Readonly<Record<PushState, string>> = {
  waiting: 'queued',
  deploying: 'deploying',
  live: 'succeeded',
  failed: 'failed',
  ended: '',
  overtaken: 'superseded',
};

export function appsOf({ environments }: Pick<PushEntry, 'environments'>): readonly PushedApp[] {
  return environments.flatMap(({ apps }) => apps);
}

/** How long a push took, in milliseconds; undefined if that is not known. */
export function lengthOfPush(entry: PushEntry): number | undefined {
  return durationOf(countedApps(appsOf(entry)), entry.pushedAt);
}

/** The names of the environments of a push, in one line. Untrusted. */
export function environmentsText(environments: readonly PushedEnvironment[], t: Translate): string {
  return environments.map((one) => environmentName(one, t)).join(', ');
}

/** The kinds of errors in one line. Untrusted. */
export function kindsText(kinds: readonly WorseKind[]): string {
  return joined(
    kinds.map(({ title }) => title),
    '; ',
  );
}

/** Whether each of its apps has come to an end, also while its errors are looked at. */
export function hasResult(entry: Pick<PushEntry, 'environments'>): boolean {
  return endOfPush(appsOf(entry)) !== undefined;
}

function healthText(entry: PushEntry, { t, counted }: Texts): string | undefined {
  const { health } = entry;
  switch (health?.kind) {
    case undefined:
      return isUnsettled(entry) && hasResult(entry) ? t('looking for new errors') : undefined;
    case 'healthy':
      return t('as healthy as before');
    case 'worse':
      return counted(
        health.kinds.length,
        '{0} kind of error is new or more frequent',
        '{0} kinds of errors are new or more frequent',
      );
    case 'unseen':
      return t('errors not compared: {0}', unseenText(health.why, t));
  }
}

function unseenText(why: UnseenReason, t: Translate): string {
  switch (why) {
    case 'noPermission':
      return t('the API key may not read logs');
    case 'failed':
      return t('the logs could not be read');
    case 'noRecords':
      return t('no log records since then');
    case 'noneBefore':
      return t('no log records before it');
    case 'tooMany':
      return t('too many errors');
    case 'partial':
      return t('the logs are incomplete');
    case 'replaced':
      return t('another deployment took its place too soon');
  }
}

function deploymentsText(entry: PushEntry, { t }: Texts): string {
  const apps = countedApps(appsOf(entry));
  switch (endOfPush(apps)) {
    case 'live':
      return liveText(entry, t);
    case 'failed':
      return t(
        'failed: {0}',
        joined(
          apps.filter(isFailed).map(({ name }) => name),
          ', ',
        ),
      );
    case 'overtaken':
      return t('overtaken by another commit');
    case 'ended':
      return t('ended: {0}', endedText(apps, t));
    case undefined:
      break;
  }
  const live = apps.filter(({ state }) => state === 'live').length;
  const failed = apps.filter(isFailed).length;
  if (apps.every(({ state }) => state === 'waiting')) {
    return entry.progress.kind === 'following' ? t('waiting for deployments') : t('not deployed');
  }
  return joined(
    [t('{0} of {1} live', live, apps.length), failed === 0 ? undefined : t('{0} failed', failed)],
    ', ',
  );
}

/** What has gone live may run no longer: the row stays, and says what was. */
function liveText(entry: PushEntry, t: Translate): string {
  const environments = countedEnvironments(entry.environments, 'live');
  const names = environmentsText(environments, t);
  return appsOf({ environments }).every(isReplaced)
    ? t('replaced in {0}', names)
    : t('went live in {0}', names);
}

/** Whether another deployment had taken the place of an app's when it was read last. */
export function isReplaced({ deployment }: PushedApp): boolean {
  return stateMeaning(deployment?.state) === 'replaced';
}

/** The apps that have ended in a state of its own word, each with that. Untrusted. */
export function endedText(apps: readonly PushedApp[], t: Translate): string {
  return joined(
    apps
      .filter(({ state }) => state === 'ended')
      .map(({ name, deployment }) => joined([name, stateOf(deployment, t)], ': ')),
    ', ',
  );
}

function stateOf(deployment: Deployment | undefined, t: Translate): string | undefined {
  const { state } = deployment ?? {};
  return state === undefined ? undefined : stateInWords(state, t);
}

function isFailed({ state }: PushedApp): boolean {
  return state === 'failed';
}

/** The look of a push: that of what went worst, and under way until all has ended. */
function statusOfPush(entry: PushEntry): NodeStatus {
  const apps = appsOf(entry);
  const end = endOfPush(apps);
  if (entry.health?.kind === 'worse') return warning('');
  if (end !== undefined) return workStatus(looks[end]);
  const shown = countedApps(apps).filter((app) => !hasCome(app.state) || isFailed(app));
  return worst(shown.map(({ state }) => workStatus(looks[state]))) ?? workStatus(looks.waiting);
}

/** The ids of the rows from a push to one of its apps. */
export function pathOfApp({ id }: Pick<PushEntry, 'id'>, resourceId: string): readonly string[] {
  return [`activity ${id}`, `activity ${id}/app ${resourceId}`];
}

/** The apps and jobs of a push, and what became of each. */
function pushedAppNodes(
  context: DataContext,
  parent: string,
  { environments }: PushEntry,
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'app');
  return environments.flatMap((environment) => {
    const name = environments.length > 1 ? environmentName(environment, context.t) : undefined;
    return environment.apps.map((app) => appNode(context, keyOf(app.resourceId), app, name));
  });
}

function appNode(
  context: DataContext,
  id: string,
  app: PushedApp,
  environment: string | undefined,
): TreeNode {
  const { name, state, deployment, resourceId, isUnseen, isRemoved } = app;
  const words = appText(app, context.t);
  const look =
    isRemoved === true
      ? plain('circle-slash', 'disabledForeground')
      : isUnseen === true
        ? plain('eye-closed', 'disabledForeground')
        : undefined;
  return makeNode({
    id,
    kind: deployment === undefined ? 'none' : 'deployment',
    label: name,
    description: dotted([words, failureOf(deployment), environment]),
    status: { ...(look ?? workStatus(looks[state])), words, states: [words] },
    target: {
      ...(deployment === undefined ? {} : deploymentTarget(deployment, name)),
      resourceId,
    },
    record: app,
    ...(deployment === undefined ? {} : { details: () => deploymentDetails(deployment, context) }),
  });
}

function appText(app: PushedApp, t: Translate): string {
  const { state, deployment, isOptional, isUnseen, isRemoved } = app;
  if (isRemoved === true) return t('removed');
  if (isUnseen === true) return t('not visible with this API key');
  switch (state) {
    case 'waiting':
      return isOptional ? t('not deployed') : t('waiting');
    case 'deploying':
      return stateOf(deployment, t) ?? t('deploying');
    case 'live':
      return isReplaced(app) ? t('replaced') : t('went live');
    case 'failed':
      return t('has failed');
    case 'overtaken':
      return t('overtaken');
    case 'ended':
      return workText(deployment?.state, t) ?? t('ended');
  }
}

/** Code and message of a failure as the server says them. Untrusted. */
export function failureOf(deployment: Deployment | undefined): string {
  return joined([deployment?.errorCode, deployment?.errorMessage], ': ');
}
