import type { Deployment, Operation } from '../api/types';
import { deploymentNodes } from '../trees/sources/deploymentNodes';
import { hasEnded } from '../data/states';
import { detailLines, detailsOf, timeText } from '../trees/details';
import { makeNode, type NodeDetail, type NodeStatus, type TreeNode } from '../trees/nodes';
import type { DataContext } from '../data/dataContext';
import { plain, workStatus, worst } from '../trees/status';
import { dotted } from '../base/textFormat';
import { timeOf } from '../base/timeFormat';
import { type ActivityEntry, isUnsettled } from './activityEntry';
import { type ActivityContext, errorText, problemIn, stateText, titleOf } from './activityText';
import { canSendAgain, canWatchAgain } from './resumePolicy';

/** The rows of the activity, newest first. The rows below a sync are the deployments since then. */
export function activityNodes(
  context: DataContext,
  entries: readonly ActivityEntry[],
): readonly TreeNode[] {
  return entries.map((entry) => activityNode(context, entry));
}

function activityNode(context: DataContext, entry: ActivityEntry): TreeNode {
  const { timeFormat, now } = context;
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
      // Rows are redrawn only when something changes, so `now` can be older than the entry.
      timeFormat.relativeTo(Math.min(entry.at, now())),
      durationText(entry, context),
    ]),
    status: statusOfEntry(entry, context),
    target: {
      activityId: entry.id,
      name: label,
      ...(operationId === undefined ? {} : { id: operationId }),
      ...(entry.kind === 'cleanUp' ? { serverId: entry.serverId } : {}),
      ...(entry.kind === 'sync'
        ? { sourceId: entry.sourceId, environmentId: entry.environmentId }
        : {}),
    },
    tokens: tokensOf(entry),
    record: entry.kind === 'cleanUp' ? entry.operation : entry,
    details: () => detailsOfEntry(entry, context),
    time: () => entry.at,
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

/** Tokens of the context value, which decides what the menu contains. */
function tokensOf(entry: ActivityEntry): readonly string[] {
  const tokens: [string, boolean][] = [
    ['running', isUnsettled(entry)],
    ['canWatch', canWatchAgain(entry)],
    ['canSendAgain', canSendAgain(entry)],
    ['hasResult', entry.progress.kind !== 'sending'],
    ['hasEnvironment', entry.kind === 'sync'],
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
  const { progress, at, endedAt } = entry;
  if (progress.kind !== 'over' || !workOf(entry).every(hasEnded)) return undefined;
  const { startedAt, finishedAt } = (entry.kind === 'cleanUp' ? entry.operation : undefined) ?? {};
  const [start, end] = [timeOf(startedAt), timeOf(finishedAt)];
  if (start !== undefined && end !== undefined)
    return t('took {0}', timeFormat.duration(end - start));
  return endedAt === undefined ? undefined : t('took {0}', timeFormat.duration(endedAt - at));
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
