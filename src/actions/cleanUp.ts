import type { CleanupResponse } from '../api/types';
import { hasOperationEnded } from '../inventory/states';
import type { ActionContext, TrackedEntry } from './actionRun';
import type { ActionProgress, CleanUpEntry } from './activityEntry';
import { limitSize } from './activityStorage';
import { problemOf, sendAction } from './sendAction';
import { watchOperation } from './watchOperation';

/**
 * Sends a saved clean-up and watches its operation. If there is no response, asks the user whether to
 * send the same request again.
 *
 * @param isAgain whether it may have reached the server before.
 * @throws the reason of `lifetime`.
 */
export async function runCleanUp(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
  isAgain = false,
): Promise<void> {
  const { serverId, items, idempotencyKey } = tracked.entry;
  const sent = await sendAction(
    'idempotent',
    (options) => context.client.cleanUpOrphans({ serverId, items, idempotencyKey }, options),
    context,
    isAgain,
  );
  if (sent.kind === 'answered') {
    await accept(tracked, sent.answer);
    await followCleanUp(tracked, context);
    return;
  }
  await tracked.set({ ...tracked.entry, progress: sent.progress });
  const { progress } = sent;
  if (progress.kind === 'unknown' && progress.why === 'noAnswer') await askAgain(tracked, context);
}

/**
 * Resumes a clean-up: watches its operation if the server accepted it. Otherwise, asks the user whether
 * to send it again.
 */
export async function resumeCleanUp(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  if (tracked.entry.progress.kind === 'following') return followCleanUp(tracked, context);
  await tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
  return askAgain(tracked, context);
}

/** Sends the same request again with its key, after the user confirmed it. */
export async function sendCleanUpAgain(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  await tracked.set({ ...tracked.entry, progress: { kind: 'sending' } });
  return runCleanUp(tracked, context, true);
}

async function askAgain(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  const { ask, lifetime } = context;
  const answer = await ask(tracked.entry, lifetime);
  lifetime.throwIfAborted();
  const { progress } = tracked.entry;
  if (progress.kind !== 'unknown') return;
  if (answer === 'send') return sendCleanUpAgain(tracked, context);
  // If the question is dismissed, it is asked again after the next start.
  if (answer === 'leave' && progress.why !== 'noAnswer') {
    await tracked.set({ ...tracked.entry, progress: { ...progress, why: 'noAnswer' } });
  }
}

async function accept(tracked: TrackedEntry<CleanUpEntry>, answer: CleanupResponse): Promise<void> {
  const operation = limitSize(answer.operation ?? {});
  const { id } = operation;
  const progress: ActionProgress = hasOperationEnded(operation)
    ? { kind: 'over' }
    : id === undefined || id === ''
      ? { kind: 'left', why: 'noPolling' }
      : { kind: 'following' };
  await tracked.set({
    ...tracked.entry,
    progress,
    operation,
    ...(id === undefined ? {} : { operationId: id }),
    ...(answer.replayed === undefined ? {} : { replayed: answer.replayed }),
  });
}

/** Watches the operation of an accepted clean-up. */
async function followCleanUp(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  const { progress, operationId } = tracked.entry;
  if (progress.kind !== 'following') return;
  const leave = (end: ActionProgress): Promise<void> =>
    tracked.set({ ...tracked.entry, progress: end });
  const { operations, lifetime, stop } = context;
  if (operations.isPollingOff || operationId === undefined) {
    return leave({ kind: 'left', why: 'noPolling' });
  }
  try {
    const end = await watchOperation(operationId, {
      ...context,
      signal: stop,
      onDidPoll: (polled) => {
        const operation = limitSize(polled);
        const over = hasOperationEnded(operation) ? { kind: 'over' as const } : progress;
        void tracked.set({ ...tracked.entry, operation, progress: over });
      },
    });
    if (end.kind === 'over') return;
    if (end.kind === 'noPolling') operations.isPollingOff = true;
    const hasProblem = 'error' in end && end.error !== undefined && end.kind !== 'noPolling';
    await leave({
      kind: 'left',
      why: end.kind,
      ...(hasProblem ? { problem: problemOf(end.error) } : {}),
    });
  } catch (error) {
    lifetime.throwIfAborted();
    if (!stop.aborted) throw error;
    await leave({ kind: 'left', why: 'stopped' });
  }
}
