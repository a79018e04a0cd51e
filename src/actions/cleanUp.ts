import { hour } from '../api/clock';
import type { CleanupResponse } from '../api/types';
import { hasOperationEnded } from '../inventory/states';
import type { CleanUpEntry, Progress } from './entries';
import { problemOf } from './problems';
import { bounded } from './readEntry';
import type { RunContext, Tracked } from './run';
import { sendAction } from './sendAction';
import { watchOperation } from './watchOperation';

/** What a person wants done with a clean-up whose outcome is unknown; undefined: was not answered. */
export type UnknownAnswer = 'send' | 'leave' | undefined;

export interface CleanUpContext extends RunContext {
  /** Asks whether the same request, with the same key, is to be sent again. */
  readonly ask: (entry: CleanUpEntry) => Promise<UnknownAnswer>;
  /** Waits until one more request fits into what everything that polls may ask. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Whether the server is known to have no endpoint for polling; set once that is found out. */
  readonly polling: { isOff: boolean };
}

/** The server may have forgotten an idempotency key after this long: nothing says for how long it knows one. */
const keyLife = 24 * hour;

/** Whether sending a clean-up again could start a second one, since its key is old. */
export function mayBeForgotten({ at }: CleanUpEntry, now: number): boolean {
  return now - at > keyLife || now < at;
}

/** Whether the same request may be sent again, once a person has said so. */
export function canSendAgain({ progress }: CleanUpEntry): boolean {
  return progress.kind === 'unknown';
}

/**
 * Sends a clean-up that is stored, and watches what becomes of it. Where no answer comes it asks, and
 * sends the same again only if that is wanted.
 *
 * @param isAgain whether it may have reached the server before.
 * @throws the reason of `lifetime`.
 */
export async function runCleanUp(
  tracked: Tracked<CleanUpEntry>,
  context: CleanUpContext,
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
 * Goes on where a window, a connection or a person left off: watches what is known to be accepted, and
 * asks before it sends again what may be.
 */
export async function resumeCleanUp(
  tracked: Tracked<CleanUpEntry>,
  context: CleanUpContext,
): Promise<void> {
  if (tracked.entry.progress.kind === 'following') return followCleanUp(tracked, context);
  await tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
  return askAgain(tracked, context);
}

async function askAgain(tracked: Tracked<CleanUpEntry>, context: CleanUpContext): Promise<void> {
  const answer = await context.ask(tracked.entry);
  context.lifetime.throwIfAborted();
  const { progress } = tracked.entry;
  if (progress.kind !== 'unknown') return;
  if (answer === 'send') {
    await tracked.set({ ...tracked.entry, progress: { kind: 'sending' } });
    return runCleanUp(tracked, context, true);
  }
  // Whoever has not answered is asked again after the next start.
  if (answer === 'leave' && progress.why !== 'noAnswer') {
    await tracked.set({ ...tracked.entry, progress: { ...progress, why: 'noAnswer' } });
  }
}

async function accept(tracked: Tracked<CleanUpEntry>, answer: CleanupResponse): Promise<void> {
  const operation = bounded(answer.operation ?? {});
  const { id } = operation;
  const progress: Progress = hasOperationEnded(operation)
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

/** Watches an operation that is followed, by its id. */
async function followCleanUp(
  tracked: Tracked<CleanUpEntry>,
  context: CleanUpContext,
): Promise<void> {
  const { progress, operationId } = tracked.entry;
  if (progress.kind !== 'following') return;
  const leave = (end: Progress): Promise<void> => tracked.set({ ...tracked.entry, progress: end });
  if (context.polling.isOff || operationId === undefined) {
    return leave({ kind: 'left', why: 'noPolling' });
  }
  const { lifetime, stop } = context;
  try {
    const end = await watchOperation(operationId, {
      ...context,
      signal: stop,
      onDidPoll: (polled) => {
        const operation = bounded(polled);
        const over = hasOperationEnded(operation) ? { kind: 'over' as const } : progress;
        void tracked.set({ ...tracked.entry, operation, progress: over });
      },
    });
    if (end.kind === 'over') return;
    if (end.kind === 'noPolling') context.polling.isOff = true;
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
