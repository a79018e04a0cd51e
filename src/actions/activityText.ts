import type { Deployment } from '../api/types';
import { hasSucceeded, meaningOf } from '../data/states';
import { dotted, type Texts, type Translate } from '../base/textFormat';
import type { DataContext } from '../data/dataContext';
import type {
  ActionProblem,
  ActionProgress,
  ActivityEntry,
  CleanUpEntry,
  UnwatchedReason,
  PreviewReportingEntry,
  SyncEntry,
} from './activityEntry';

export type ActivityContext = Pick<DataContext, 't' | 'counted' | 'timeFormat' | 'now'>;

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
      return kind === 'sync'
        ? t('accepted; deployments cannot be watched')
        : t('accepted; progress cannot be watched');
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
export function errorText(entry: ActivityEntry): string | undefined {
  const problem = problemIn(entry.progress);
  if (problem !== undefined) return problem.message === '' ? problem.code : problem.message;
  if (entry.kind !== 'cleanUp') return undefined;
  const { errorCode, errorMessage } = entry.operation ?? {};
  return errorMessage ?? errorCode;
}

export function problemIn(progress: ActionProgress): ActionProblem | undefined {
  return 'problem' in progress ? progress.problem : undefined;
}
