import type { ControlPlaneClient } from '../api/client';
import { type Clock, delay, minute } from '../api/clock';
import { ApiError } from '../api/errors';
import { isOutage, retryDelay } from '../api/retry';
import type { Operation } from '../api/types';
import { hasOperationEnded } from '../inventory/states';

export interface WatchOptions {
  readonly client: Pick<ControlPlaneClient, 'getOperation'>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Waits until one more request fits into what everything that polls may ask. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Told after each answer, the last one included. */
  readonly onDidPoll: (operation: Operation) => void;
}

/** Why an operation is no longer asked for. */
export type WatchEnd =
  /** It has come to its end. */
  | { readonly kind: 'over' }
  /** The server has no endpoint to ask. */
  | { readonly kind: 'noPolling'; readonly error?: ApiError }
  /** 404 three times within 10 s: the server does not know it, which says nothing of what it did. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  /** 410: the server knew it and has removed it. */
  | { readonly kind: 'expired'; readonly error: ApiError }
  /** It goes on for longer than anybody watches. */
  | { readonly kind: 'deadline' }
  /** Asking makes no sense any more: no key, no permission, answers that are none. */
  | { readonly kind: 'failed'; readonly error: unknown };

const first = 1000;
const longest = 15_000;
const maxWatch = 30 * minute;
/** A poll takes no longer; where it seems to, the machine has slept and watched nothing. */
const longestPoll = minute;
/** Tries at a 404, and between them so long that all lie within 10 s. */
const maxMissing = 3;
const missingSpacing = 4000;
/** Answers in a row that are none, after which somebody else must be answering. */
const maxGarbage = 3;

/**
 * Asks for an operation until it has come to its end: after 1 s, then ever more seldom up to 15 s, each
 * ±20 %, never before a `Retry-After`, for 30 minutes that it was watched at most. Failures that may pass are waited out.
 *
 * @throws the signal's reason once it is aborted, and nothing else.
 */
export async function watchOperation(
  operationId: string,
  { client, clock, random, signal, turn, onDidPoll }: WatchOptions,
): Promise<WatchEnd> {
  let watched = 0;
  const jittered = (ms: number): number => ms * (0.8 + 0.4 * random());
  let interval = first;
  let missing = 0;
  let garbage = 0;
  let wasFound = false;
  let wait = jittered(interval);

  function next(): void {
    interval = Math.min(longest, interval * 2);
    wait = jittered(interval);
  }

  /** What a failure means; undefined: it is tried again after `wait`. */
  function endOf(error: unknown): WatchEnd | undefined {
    if (!(error instanceof ApiError)) return { kind: 'failed', error };
    const { status, code } = error;
    missing = status === 404 ? missing + 1 : 0;
    garbage = error.kind === 'protocol' ? garbage + 1 : 0;
    if (status === 404) {
      wait = jittered(missingSpacing);
      if (missing < maxMissing) return undefined;
      // A server that knows the path says so with the error object of the contract.
      const hasEndpoint = wasFound || code !== 'noErrorObject';
      return { kind: hasEndpoint ? 'lost' : 'noPolling', error };
    }
    if (status === 405 || status === 501) return { kind: 'noPolling', error };
    if (status === 410) return { kind: 'expired', error };
    if (status === 429) {
      next();
      wait = Math.max(wait, retryDelay(1, error.retryAfter, random));
      return undefined;
    }
    if (isOutage(error) || (error.kind === 'protocol' && garbage < maxGarbage)) {
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
      await turn(signal);
      const operation = await client.getOperation(operationId, { signal, retries: false });
      if (operation === undefined) return { kind: 'noPolling' };
      refuseOther(operation, operationId);
      [missing, garbage, wasFound] = [0, 0, true];
      onDidPoll(operation);
      if (hasOperationEnded(operation)) return { kind: 'over' };
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

/** @throws ApiError where the answer says nothing of how far this operation is. */
function refuseOther({ id, ...operation }: Operation, wanted: string): void {
  const isOther = id !== undefined && id.toLowerCase() !== wanted.toLowerCase();
  const { state, phase, finishedAt, deletedAt } = operation;
  const isEmpty = [state, phase, finishedAt, deletedAt].every((one) => one === undefined);
  if (!isOther && !isEmpty) return;
  throw new ApiError({
    kind: 'protocol',
    code: 'wrongSchema',
    message: 'The answer is not about this operation.',
  });
}
