import type { ControlPlaneClient } from '../api/client';
import { delay, minute } from '../base/clock';
import { ApiError, failedAs } from '../api/errors';
import { isOutage } from '../api/retryPolicy';
import type { CleanupResponse, Operation } from '../api/types';
import { hasEnded } from '../data/states';
import type { ActionContext, TrackedEntry } from './actionRun';
import type { ActionProgress, CleanUpEntry } from './activityEntry';
import { limitSize } from './activityStorage';
import { problemOf, sendAction } from './sendAction';
import { WatchedWork } from './watchedWork';

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
  if (sent.progress.kind === 'unknown') await askAgain(tracked, context);
}

/**
 * Resumes a clean-up: watches its operation if the server accepted it. Otherwise, asks the user whether
 * to send it again.
 */
export async function resumeCleanUp(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  const { progress } = tracked.entry;
  if (progress.kind === 'following') return followCleanUp(tracked, context);
  // What is unknown already keeps its reason.
  if (progress.kind !== 'unknown') {
    await tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
  }
  return askAgain(tracked, context);
}

/** Sends the same request again with its key, after the user confirmed it. */
export async function sendCleanUpAgain(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  await tracked.set({ ...tracked.entry, progress: { kind: 'sending' } });
  // The user may have stopped the try before, not this one.
  return runCleanUp(tracked, { ...context, stop: context.newStop() }, true);
}

async function askAgain(
  tracked: TrackedEntry<CleanUpEntry>,
  context: ActionContext,
): Promise<void> {
  const { ask, lifetime } = context;
  const answer = await ask(tracked.entry, lifetime);
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
  const progress: ActionProgress = hasEnded(operation)
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
      onDidPoll: (operation, isOver) =>
        void tracked.set({
          ...tracked.entry,
          operation: limitSize(operation),
          progress: isOver ? { kind: 'over' } : progress,
        }),
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

interface WatchOptions extends Pick<ActionContext, 'clock' | 'random'> {
  readonly client: Pick<ControlPlaneClient, 'getOperation'>;
  readonly signal: AbortSignal;
  /** Called after each response, including the last. */
  readonly onDidPoll: (operation: Operation, isOver: boolean) => void;
}

/** Why polling ended. */
export type WatchEnd =
  /** The operation has ended. */
  | { readonly kind: 'over' }
  /** The server has no endpoint for operations. */
  | { readonly kind: 'noPolling'; readonly error?: ApiError }
  /** 404 three times within 10 s: the server does not know the operation, so its outcome is unknown. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  /** 410: the server has removed the operation. */
  | { readonly kind: 'expired'; readonly error: ApiError }
  /** It is still running after the maximum time. */
  | { readonly kind: 'deadline' }
  /** Polling cannot succeed any more: no key, no permission, invalid responses. */
  | { readonly kind: 'failed'; readonly error: unknown };

const first = 1000;
const longest = 15_000;
const maxWatch = 30 * minute;
/** The most milliseconds of a poll that count as watched. If it took longer, the machine slept. */
const longestPoll = minute;
/** How many 404 responses in a row end polling, and the milliseconds between them: all within 10 s. */
const maxMissing = 3;
const missingSpacing = 4000;
/** How many invalid responses in a row end polling: they probably come from another server. */
const maxInvalid = 3;

/**
 * Polls an operation until it has ended: after 1 s, then at growing intervals of up to 15 s, each
 * ±20 %, for at most 30 minutes. Continues after temporary failures.
 *
 * @throws only the signal's reason.
 */
export async function watchOperation(
  operationId: string,
  { client, clock, random, signal, onDidPoll }: WatchOptions,
): Promise<WatchEnd> {
  let watched = 0;
  const work = new WatchedWork();
  const jittered = (ms: number): number => ms * (0.8 + 0.4 * random());
  let interval = first;
  let missing = 0;
  let invalid = 0;
  let wasFound = false;
  let wait = jittered(interval);

  function next(): void {
    interval = Math.min(longest, interval * 2);
    wait = jittered(interval);
  }

  /** Returns why a failure ends polling, or undefined to poll again after `wait`. */
  function endOf(error: unknown): WatchEnd | undefined {
    if (!(error instanceof ApiError)) return { kind: 'failed', error };
    const { status, code } = error;
    missing = status === 404 ? missing + 1 : 0;
    invalid = error.kind === 'protocol' ? invalid + 1 : 0;
    if (status === 404) {
      wait = jittered(missingSpacing);
      if (missing < maxMissing) return undefined;
      // A server that has the endpoint sends the error object of the contract.
      const hasEndpoint = wasFound || code !== 'noErrorObject';
      return { kind: hasEndpoint ? 'lost' : 'noPolling', error };
    }
    if (status === 405 || status === 501) return { kind: 'noPolling', error };
    if (status === 410) return { kind: 'expired', error };
    const isInvalid = error.kind === 'protocol' && invalid < maxInvalid;
    if (isOutage(error) || failedAs(error, 'rateLimited') || isInvalid) {
      next();
      return undefined;
    }
    return { kind: 'failed', error };
  }

  for (;;) {
    const left = maxWatch - watched;
    const begin = clock.monotonic();
    const planned = Math.min(wait, left);
    await delay(clock, planned, signal);
    if (wait >= left) return { kind: 'deadline' };
    try {
      const operation = await client.getOperation(operationId, { signal, priority: 'awaited' });
      if (operation === undefined) return { kind: 'noPolling' };
      requireSameOperation(operation, operationId);
      [missing, invalid, wasFound] = [0, 0, true];
      const isOver = work.hasEnded(operation, watched + planned);
      onDidPoll(operation, isOver);
      if (isOver) return { kind: 'over' };
      next();
    } catch (error) {
      signal.throwIfAborted();
      const over = endOf(error);
      if (over !== undefined) return over;
    } finally {
      watched += Math.min(clock.monotonic() - begin, planned + longestPoll);
    }
  }
}

/** @throws ApiError if the response is about another operation or says nothing about its progress. */
function requireSameOperation({ id, ...operation }: Operation, wanted: string): void {
  const isOther = id !== undefined && id.toLowerCase() !== wanted.toLowerCase();
  const { state, phase, finishedAt, deletedAt } = operation;
  const isEmpty = [state, phase, finishedAt, deletedAt].every((one) => one === undefined);
  if (!isOther && !isEmpty) return;
  throw new ApiError({
    kind: 'protocol',
    code: 'wrongSchema',
    message: 'The response is not about this operation.',
  });
}
