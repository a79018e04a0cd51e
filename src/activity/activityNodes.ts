import { dotted, type Translate } from '../base/textFormat';
import type { DataContext } from '../data/labels';
import {
  detailLines,
  timeText,
  makeNode,
  type NodeDetail,
  type NodeStatus,
  type TreeNode,
} from '../trees/nodes';
import { plain, warning } from '../trees/status';
import { type ActivityEntry, isUnsettled, type UnwatchedReason } from './activityEntry';
import type { ActivityContext, EntryKinds } from './entryKind';
import type { ActionProblem } from './problems';

/** State and phase from the server, and the progress if these do not say it. */
export function stateText(
  entry: ActivityEntry,
  kinds: EntryKinds,
  context: ActivityContext,
): string {
  return dotted([progressText(entry, kinds, context.t), kinds.of(entry).words(entry, context)]);
}

/** The progress. Undefined if the state from the server is enough. */
function progressText(entry: ActivityEntry, kinds: EntryKinds, t: Translate): string | undefined {
  const { progress } = entry;
  switch (progress.kind) {
    case 'preparing':
      return t('checking deployments');
    case 'sending':
      return t('sending');
    case 'refused':
      return progress.problem.kind === 'cancelled'
        ? t('cancelled, nothing was sent')
        : progress.problem.kind === 'invalid'
          ? t('not sent')
          : t('refused');
    case 'unknown':
      return t('outcome unknown');
    case 'left':
      return kinds.of(entry).leftText?.(progress.why, t) ?? leftText(progress.why, t);
    case 'following':
    case 'over':
      return undefined;
  }
}

function leftText(why: UnwatchedReason, t: Translate): string {
  switch (why) {
    case 'stopped':
      return t('no longer watched');
    case 'noPolling':
      return t('accepted; progress cannot be watched');
    case 'lost':
      return t('outcome unknown: the control plane does not know the operation');
    case 'expired':
      return t('expired: the control plane has removed the operation');
    case 'deadline':
      return t('still running after 30 minutes; no longer watched');
    case 'failed':
      return t('accepted, watching failed');
    case 'nothing':
      return t('accepted, nothing was deployed');
  }
}

/** The error message of the server or of this client. Untrusted. */
export function failureText(entry: ActivityEntry, kinds: EntryKinds): string | undefined {
  const problem = problemIn(entry);
  if (problem !== undefined) return problem.message === '' ? problem.code : problem.message;
  const { errorCode, errorMessage } = kinds.of(entry).operation?.(entry) ?? {};
  return errorMessage ?? errorCode;
}

function problemIn({ progress }: ActivityEntry): ActionProblem | undefined {
  return 'problem' in progress ? progress.problem : undefined;
}

/** The rows of the activity, newest first. */
export function activityNodes(
  context: DataContext,
  kinds: EntryKinds,
  entries: readonly ActivityEntry[],
): readonly TreeNode[] {
  return entries.map((entry) => activityNode(context, kinds, entry));
}

function activityNode(context: DataContext, kinds: EntryKinds, entry: ActivityEntry): TreeNode {
  const { t, timeFormat } = context;
  const kind = kinds.of(entry);
  const label = kind.title(entry, context);
  const id = `activity ${entry.id}`;
  const operation = kind.operation?.(entry);
  const requestedBy = operation?.requestedBy;
  const took = timeFormat.duration(durationOf(entry, kinds));
  const children = kind.children?.(entry, context, id);
  return makeNode({
    id,
    kind: 'activity',
    label,
    description: dotted([
      stateText(entry, kinds, context),
      failureText(entry, kinds),
      requestedBy === undefined ? undefined : t('by {0}', requestedBy),
      // Until the first answer, the control plane's clock is not known, and can be ahead.
      timeFormat.relativeTo(Math.min(entry.at, timeFormat.now())),
      took === undefined ? undefined : t('took {0}', took),
    ]),
    status: statusOfEntry(entry, kinds, context),
    target: { key: entry.id, name: label, ...kind.target(entry) },
    tokens: tokensOf(entry, kinds),
    // A detail says the progress.
    sentence: () => '',
    record: kind.operation === undefined ? entry : operation,
    details: () => detailsOfEntry(entry, kinds, context),
    time: () => entry.at,
    ...(children === undefined ? {} : { children }),
  });
}

/** Tokens of the context value, which decides what the menu contains. */
function tokensOf(entry: ActivityEntry, kinds: EntryKinds): readonly string[] {
  const { environmentId, deploymentId } = kinds.of(entry).target(entry);
  const tokens: [string, boolean][] = [
    ['running', isUnsettled(entry)],
    ['canWatch', kinds.canWatchAgain(entry)],
    ['canSendAgain', kinds.canSendAgain(entry)],
    ['hasResult', !['preparing', 'sending'].includes(entry.progress.kind)],
    ['hasEnvironment', environmentId !== undefined],
    ['hasDeployment', deploymentId !== undefined],
    ['canRemove', !isUnsettled(entry)],
  ];
  return tokens.filter(([, isSo]) => isSo).map(([token]) => token);
}

/** The icon, colour and words of an entry. The rank says how well it went. */
export function statusOfEntry(
  entry: ActivityEntry,
  kinds: EntryKinds,
  context: ActivityContext,
): NodeStatus {
  const words = stateText(entry, kinds, context);
  const status = progressStatus(entry, kinds.of(entry).status(entry));
  const { states } = status;
  return { ...status, words, states: states.length > 0 ? states : words === '' ? [] : [words] };
}

const uncertain: NodeStatus = { ...plain('question', 'list.warningForeground'), rank: 3 };

/**
 * The status of the progress, otherwise that of the state on the server.
 *
 * @param status that of the state on the server.
 */
function progressStatus({ progress }: ActivityEntry, status: NodeStatus): NodeStatus {
  switch (progress.kind) {
    case 'preparing':
    case 'sending':
      return { ...plain('cloud-upload', 'charts.blue'), rank: 2 };
    case 'refused':
      return progress.problem.kind === 'cancelled'
        ? plain('circle-slash', 'disabledForeground')
        : { ...plain('error', 'testing.iconFailed'), rank: 4 };
    case 'unknown':
      return uncertain;
    case 'left':
      if (['lost', 'expired'].includes(progress.why)) return uncertain;
      if (['failed', 'deadline'].includes(progress.why)) return warning('');
      // Its state is unknown now, so no icon may spin.
      return { ...plain('eye-closed', 'disabledForeground'), states: status.states };
    case 'following':
      return status;
    case 'over':
      // What has ended has no spinning icon, even if its state is still a running one.
      return status.rank === 2
        ? { ...status, icon: 'circle-large-outline', color: 'disabledForeground', rank: 0 }
        : status;
  }
}

/**
 * In milliseconds, by the server's clock if possible. Undefined while it is running, and if it has only ended
 * because it no longer changed.
 */
function durationOf(entry: ActivityEntry, kinds: EntryKinds): number | undefined {
  const hasCome = entry.progress.kind === 'over' || kinds.isSettling(entry);
  return hasCome ? kinds.of(entry).duration(entry) : undefined;
}

/** All details of an entry, for its tooltip and its document. Values may be untrusted. */
export function detailsOfEntry(
  entry: ActivityEntry,
  kinds: EntryKinds,
  context: ActivityContext,
): readonly NodeDetail[] {
  const { t } = context;
  const problem = problemIn(entry);
  return [
    ...detailLines([
      [t('Connection'), entry.connection.name],
      [t('Started here'), timeText(new Date(entry.at).toISOString(), context)],
      [t('Progress'), stateText(entry, kinds, context)],
    ]),
    ...kinds.of(entry).details(entry, context),
    ...detailLines([
      [t('Error'), problem?.message],
      [t('Code'), problem?.code],
      [t('Status'), problem?.status],
      [t('Request ID'), problem?.requestId],
    ]),
  ];
}
