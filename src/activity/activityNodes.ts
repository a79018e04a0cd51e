import type { Deployment, Operation } from '../api/types';
import { dotted, type Texts, type Translate } from '../base/textFormat';
import { timeOf } from '../base/timeFormat';
import { shortSha } from '../data/deployments';
import type { DataContext } from '../data/labels';
import { hasEnded, hasSucceeded, meaningOf } from '../data/states';
import {
  detailLines,
  detailsOf,
  timeText,
  makeNode,
  type NodeDetail,
  type NodeStatus,
  type TreeNode,
} from '../trees/nodes';
import { deploymentNodes } from '../trees/sources/resourceNodes';
import { plain, workStatus, worst } from '../trees/status';
import {
  type ActionProblem,
  type ActionProgress,
  type ActivityEntry,
  canSendAgain,
  canWatchAgain,
  type CleanUpEntry,
  isSettling,
  isUnsettled,
  type PreviewReportingEntry,
  type SyncEntry,
  type UnwatchedReason,
} from './activityEntry';
import type { EnvironmentTarget } from '../actions/environmentDeployments';
import {
  environmentsText,
  kindsText,
  lengthOfPush,
  pushedAppNodes,
  pushStatus,
  pushText,
} from '../pushes/pushNodes';

export type ActivityContext = Pick<DataContext, 't' | 'counted' | 'timeFormat'>;

/** The title of an entry, such as `Clean up 3 items on fra-app-1`. Contains untrusted names. */
export function titleOf(entry: ActivityEntry, { t, counted }: Texts): string {
  switch (entry.kind) {
    case 'cleanUp':
      return entry.items.length === 1
        ? t('Clean up {0} on {1}', entry.items[0] ?? '', entry.serverName)
        : counted(
            entry.items.length,
            'Clean up {0} item on {1}',
            'Clean up {0} items on {1}',
            entry.serverName,
          );
    case 'sync':
      return t('Sync {0} of {1}', entry.environmentName, entry.sourceName);
    case 'previewReporting':
      return t('Retry preview reporting');
    case 'push':
      return t('Push {0} to {1}', shortSha(entry.sha) ?? '', entry.branch);
  }
}

/** State and phase from the server, and the progress if these do not say it. */
export function stateText(entry: ActivityEntry, context: ActivityContext): string {
  const { t } = context;
  return dotted([
    progressText(entry, t),
    entry.kind === 'cleanUp' ? operationText(entry, context) : undefined,
    entry.kind === 'sync' ? deploymentText(entry, context) : undefined,
    entry.kind === 'previewReporting' ? countText(entry, t) : undefined,
    entry.kind === 'push' ? pushText(entry, context) : undefined,
  ]);
}

function operationText({ operation, replayed }: CleanUpEntry, { t }: ActivityContext): string {
  const { state, phase, cancelRequestedAt, deletedAt } = operation ?? {};
  return dotted([
    // A state of unknown meaning is named as one, so that it is not taken for a result.
    state === undefined || meaningOf(state) !== undefined ? state : t('state {0}', state),
    phase === state ? undefined : phase,
    cancelRequestedAt === undefined ? undefined : t('cancel requested'),
    deletedAt === undefined ? undefined : t('deleted'),
    replayed === true ? t('replayed') : undefined,
  ]);
}

/** The number of deployments in each state, such as `2 of 3 succeeded, 1 failed`. */
function deploymentText({ deployments }: SyncEntry, { t }: ActivityContext): string | undefined {
  const counts = new Map<string, number>();
  const withResult = (isGood: boolean): readonly Deployment[] =>
    deployments.filter((one) => hasSucceeded(one) === isGood);
  for (const { state } of [...withResult(true), ...withResult(false)]) {
    const words =
      state === undefined
        ? t('unknown')
        : meaningOf(state) === undefined
          ? t('in state {0}', state)
          : state;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const all = deployments.length;
  return [...counts]
    .map(([state, count], index) =>
      index === 0 && count < all
        ? t('{0} of {1} {2}', count, all, state)
        : t('{0} {1}', count, state),
    )
    .join(', ');
}

function countText(entry: PreviewReportingEntry, t: Translate): string {
  const { attempted, succeeded, failed } = entry;
  return dotted([
    attempted === undefined ? undefined : t('{0} attempted', attempted),
    succeeded === undefined ? undefined : t('{0} succeeded', succeeded),
    failed === undefined ? undefined : t('{0} failed', failed),
  ]);
}

/** The progress. Undefined if the state from the server is enough. */
function progressText(entry: ActivityEntry, t: Translate): string | undefined {
  const { progress } = entry;
  switch (progress.kind) {
    case 'preparing':
      return t('checking deployments');
    case 'sending':
      return t('sending');
    case 'following':
      return entry.kind === 'sync' && entry.deployments.length === 0
        ? t('accepted, waiting for deployments')
        : undefined;
    case 'refused':
      return progress.problem.kind === 'cancelled'
        ? t('cancelled, nothing was sent')
        : progress.problem.kind === 'invalid'
          ? t('not sent')
          : t('refused');
    case 'unknown':
      return t('outcome unknown');
    case 'left':
      return leftText(entry, progress.why, t);
    case 'over':
      return undefined;
  }
}

function leftText({ kind }: ActivityEntry, why: UnwatchedReason, t: Translate): string {
  switch (why) {
    case 'stopped':
      return t('no longer watched');
    case 'noPolling':
      if (kind === 'push') return t('deployments cannot be watched');
      return kind === 'sync'
        ? t('accepted; deployments cannot be watched')
        : t('accepted; progress cannot be watched');
    case 'lost':
      return t('outcome unknown: the control plane does not know the operation');
    case 'expired':
      return t('expired: the control plane has removed the operation');
    case 'deadline':
      return kind === 'push'
        ? t('not finished after 20 minutes; no longer watched')
        : t('still running after 30 minutes; no longer watched');
    case 'failed':
      return t('accepted, watching failed');
    case 'nothing':
      return t('accepted, nothing was deployed');
  }
}

/** The error message of the server or of this client. Untrusted. */
export function errorText(entry: ActivityEntry): string | undefined {
  const problem = problemIn(entry.progress);
  if (problem !== undefined) return problem.message === '' ? problem.code : problem.message;
  if (entry.kind !== 'cleanUp') return undefined;
  const { errorCode, errorMessage } = entry.operation ?? {};
  return errorMessage ?? errorCode;
}

function problemIn(progress: ActionProgress): ActionProblem | undefined {
  return 'problem' in progress ? progress.problem : undefined;
}

/**
 * The rows of the activity, newest first. The rows below a sync are the deployments since then, those below a push
 * its apps and jobs.
 */
export function activityNodes(
  context: DataContext,
  entries: readonly ActivityEntry[],
): readonly TreeNode[] {
  return entries.map((entry) => activityNode(context, entry));
}

function activityNode(context: DataContext, entry: ActivityEntry): TreeNode {
  const { timeFormat } = context;
  const label = titleOf(entry, context);
  const id = `activity ${entry.id}`;
  const deployments = entry.kind === 'sync' ? entry.deployments : [];
  const operationId = entry.kind === 'cleanUp' ? entry.operationId : undefined;
  return makeNode({
    id,
    kind: 'activity',
    label,
    description: dotted([
      stateText(entry, context),
      errorText(entry),
      requestedBy(entry, context),
      // Until the first answer, the control plane's clock is not known, and can be ahead.
      timeFormat.relativeTo(Math.min(entry.at, timeFormat.now())),
      durationText(entry, context),
    ]),
    status: statusOfEntry(entry, context),
    target: {
      activityId: entry.id,
      name: label,
      ...(operationId === undefined ? {} : { id: operationId }),
      ...(entry.kind === 'cleanUp' ? { serverId: entry.serverId } : {}),
      ...environmentOf(entry),
    },
    tokens: tokensOf(entry),
    record: entry.kind === 'cleanUp' ? entry.operation : entry,
    details: () => detailsOfEntry(entry, context),
    time: () => entry.at,
    ...(entry.kind === 'push' ? { children: () => pushedAppNodes(context, id, entry) } : {}),
    ...(deployments.length === 0
      ? {}
      : {
          children: () =>
            deploymentNodes(context, id, deployments, {
              branch: undefined,
              environment: entry.kind === 'sync' ? entry.environmentName : undefined,
            }),
        }),
  });
}

/** The environment of a sync, or the first one of a push. */
export function environmentOf(entry: ActivityEntry): Partial<EnvironmentTarget> {
  if (entry.kind !== 'sync' && entry.kind !== 'push') return {};
  const { sourceId } = entry;
  const environmentId =
    entry.kind === 'sync' ? entry.environmentId : entry.environments.find(({ id }) => id)?.id;
  return environmentId === undefined ? { sourceId } : { sourceId, environmentId };
}

/** Tokens of the context value, which decides what the menu contains. */
function tokensOf(entry: ActivityEntry): readonly string[] {
  const tokens: [string, boolean][] = [
    ['running', isUnsettled(entry)],
    ['canWatch', canWatchAgain(entry)],
    ['canSendAgain', canSendAgain(entry)],
    ['hasResult', !['preparing', 'sending'].includes(entry.progress.kind)],
    ['hasEnvironment', environmentOf(entry).environmentId !== undefined],
    ['canRemove', !isUnsettled(entry)],
  ];
  return tokens.filter(([, isSo]) => isSo).map(([token]) => token);
}

/** The icon, colour and words of an entry. The rank says how well it went. */
export function statusOfEntry(entry: ActivityEntry, context: ActivityContext): NodeStatus {
  const words = stateText(entry, context);
  const status = progressStatus(entry);
  const { states } = status;
  return { ...status, words, states: states.length > 0 ? states : words === '' ? [] : [words] };
}

/** The status of the progress, otherwise that of the state on the server. */
function progressStatus(entry: ActivityEntry): NodeStatus {
  switch (entry.progress.kind) {
    case 'preparing':
    case 'sending':
      return { ...plain('cloud-upload', 'charts.blue'), rank: 2 };
    case 'refused':
      return entry.progress.problem.kind === 'cancelled'
        ? plain('circle-slash', 'disabledForeground')
        : { ...plain('error', 'testing.iconFailed'), rank: 4 };
    case 'unknown':
      return { ...plain('question', 'list.warningForeground'), rank: 3 };
    case 'left':
      return unwatchedStatus(entry, entry.progress.why);
    case 'following':
      return serverStatus(entry);
    case 'over':
      return endedStatus(entry);
  }
}

/** An entry that has ended has no spinning icon, even if its state is still a running one. */
function endedStatus(entry: ActivityEntry): NodeStatus {
  const status = serverStatus(entry);
  const isDeleted = entry.kind === 'cleanUp' && entry.operation?.deletedAt !== undefined;
  if (status.rank !== 2 && !(isDeleted && status.rank === 0)) return status;
  const icon = isDeleted ? 'trash' : 'circle-large-outline';
  return { ...status, icon, color: 'disabledForeground', rank: 0 };
}

function unwatchedStatus(entry: ActivityEntry, why: string): NodeStatus {
  switch (why) {
    case 'lost':
    case 'expired':
      return { ...plain('question', 'list.warningForeground'), rank: 3 };
    case 'failed':
    case 'deadline':
      return { ...plain('warning', 'list.warningForeground'), rank: 3 };
    default:
      // Its state is unknown now, so no icon may spin.
      return { ...plain('eye-closed', 'disabledForeground'), states: serverStatus(entry).states };
  }
}

function serverStatus(entry: ActivityEntry): NodeStatus {
  switch (entry.kind) {
    case 'cleanUp': {
      const { state, errorCode, errorMessage } = entry.operation ?? {};
      const status = workStatus(state);
      const hasFailed = (errorCode ?? errorMessage) !== undefined && status.rank < 3;
      if (hasFailed)
        return { ...status, icon: 'warning', color: 'list.warningForeground', rank: 3 };
      return status;
    }
    case 'sync': {
      const statuses = entry.deployments.map(({ state }) => workStatus(state));
      return worst(statuses) ?? { ...plain('sync~spin', 'charts.blue'), rank: 2 };
    }
    case 'push':
      return pushStatus(entry);
    case 'previewReporting':
      return (entry.failed ?? 0) > 0
        ? { ...plain('warning', 'list.warningForeground'), rank: 3 }
        : { ...plain('pass-filled', 'testing.iconPassed'), rank: 1 };
  }
}

function requestedBy(entry: ActivityEntry, { t }: ActivityContext): string | undefined {
  const who = entry.kind === 'cleanUp' ? entry.operation?.requestedBy : undefined;
  return who === undefined ? undefined : t('by {0}', who);
}

/** What the control plane does for an entry. */
function workOf(entry: ActivityEntry): readonly (Deployment | Operation)[] {
  switch (entry.kind) {
    case 'cleanUp':
      return entry.operation === undefined ? [] : [entry.operation];
    case 'sync':
      return entry.deployments;
    case 'previewReporting':
    case 'push':
      return [];
  }
}

/**
 * How long it took, by the server's clock if possible. Undefined while it is running, and if it has
 * only ended because it no longer changed.
 */
function durationText(
  entry: ActivityEntry,
  { t, timeFormat }: ActivityContext,
): string | undefined {
  const took = timeFormat.duration(durationOf(entry));
  return took === undefined ? undefined : t('took {0}', took);
}

/** In milliseconds. Undefined if it has not ended. */
function durationOf(entry: ActivityEntry): number | undefined {
  const { progress, at, endedAt } = entry;
  if (entry.kind === 'push') {
    return progress.kind === 'over' || isSettling(entry) ? lengthOfPush(entry) : undefined;
  }
  if (progress.kind !== 'over' || !workOf(entry).every(hasEnded)) return undefined;
  const { startedAt, finishedAt } = (entry.kind === 'cleanUp' ? entry.operation : undefined) ?? {};
  const [start, end] = [timeOf(startedAt), timeOf(finishedAt)];
  if (start !== undefined && end !== undefined) return end - start;
  return endedAt === undefined ? undefined : endedAt - at;
}

/** All details of an entry, for its tooltip and its document. Values may be untrusted. */
export function detailsOfEntry(
  entry: ActivityEntry,
  context: ActivityContext,
): readonly NodeDetail[] {
  const { t } = context;
  const problem = problemIn(entry.progress);
  return [
    ...detailLines([
      [t('Connection'), entry.connection.name],
      [t('Started here'), timeText(new Date(entry.at).toISOString(), context)],
      [t('Progress'), stateText(entry, context)],
    ]),
    ...targetDetails(entry, context),
    ...detailLines([
      [t('Error'), problem?.message],
      [t('Code'), problem?.code],
      [t('Status'), problem?.status],
      [t('Request ID'), problem?.requestId],
    ]),
  ];
}

function targetDetails(entry: ActivityEntry, context: ActivityContext): readonly NodeDetail[] {
  const { t } = context;
  switch (entry.kind) {
    case 'cleanUp': {
      const { operation = {}, replayed } = entry;
      return [
        ...detailLines([
          [t('Server'), `${entry.serverName} (${entry.serverId})`],
          [t('Items'), entry.items.join(', ')],
          [t('Idempotency key'), entry.idempotencyKey],
          [t('Replayed'), replayed === undefined ? undefined : replayed ? t('yes') : t('no')],
        ]),
        ...detailsOf(
          { ...operation, result: withoutLogs(operation.result) },
          context,
          entry.serverId === operation.serverId ? ['serverId'] : [],
        ),
      ];
    }
    case 'sync':
      return [
        ...detailLines([
          [t('Source'), `${entry.sourceName} (${entry.sourceId})`],
          [t('Environment'), `${entry.environmentName} (${entry.environmentId})`],
        ]),
        ...(entry.sync === undefined ? [] : detailsOf({ sync: entry.sync }, context)),
        ...detailLines([[t('Deployments since'), entry.deployments.length]]),
      ];
    case 'push':
      return detailLines([
        [t('Source'), `${entry.sourceName} (${entry.sourceId})`],
        [t('Branch'), entry.branch],
        [t('Commit'), entry.sha],
        [t('Commit before'), entry.before],
        [t('Environment'), environmentsText(entry.environments, t)],
        [t('Errors'), entry.health?.kind === 'worse' ? kindsText(entry.health.kinds) : undefined],
      ]);
    case 'previewReporting':
      return detailLines([
        [t('Attempted'), entry.attempted],
        [t('Succeeded'), entry.succeeded],
        [t('Failed'), entry.failed],
      ]);
  }
}

/** The document shows the logs separately. */
function withoutLogs(result: object | undefined): object | undefined {
  if (result === undefined) return undefined;
  const { logs: _logs, ...rest } = result as { logs?: unknown };
  return rest;
}
