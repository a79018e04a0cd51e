import type { ActionProgress } from '../activity/activityEntry';
import { type ActionProblem, cancelled, problemOf } from '../activity/problems';
import type { RunSignals } from '../activity/runner';
import type { CallOptions, Wait } from '../api/client';
import { ApiError, InvalidRequestError, networkProblem } from '../api/errors';
import { isOutage, longestRetryWait, type RetryRule } from '../api/retryPolicy';
import { type Clock, delay } from '../base/clock';

/** Milliseconds before each look-up of a request whose outcome a response leaves open. */
const lookUpDelays = [1000, 2000, 4000, 8000, 15_000];

export type Sent<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'failed'; readonly progress: ActionProgress };

interface Sending extends RunSignals {
  readonly clock: Clock;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Sends a request that changes something. The client retries it as the rule of its operation allows; what
 * its last failure means depends on all tries. If a response leaves open whether a clean-up with this
 * idempotency key is running (it may be in progress), sends the same request again to find out; the server
 * runs it only once.
 *
 * @param isAgain whether it may have reached the server before.
 * @throws the reason of `lifetime`. `stop` ends the waits between tries, but not a running request,
 *   because its outcome would be unknown.
 */
export async function sendAction<T>(
  rule: Extract<RetryRule, 'idempotent' | 'unsafe'>,
  send: (options: CallOptions) => Promise<T>,
  { clock, random, lifetime, stop }: Sending,
  isAgain = false,
): Promise<Sent<T>> {
  let mayHaveArrived = isAgain;
  let last: ActionProblem | undefined;

  function stopped(): Sent<T> {
    if (!mayHaveArrived) return failed({ kind: 'refused', problem: cancelled });
    const problem = last === undefined ? {} : { problem: last };
    return failed({ kind: 'unknown', why: 'stopped', ...problem });
  }

  /** Remembers the failure of a try. Returns whether it leaves open whether the action is running. */
  function remember(error: unknown): boolean {
    last = problemOf(error);
    const meaning = failureMeaning(error);
    // Nothing that was sent with a new key can be what it conflicts with.
    const leavesOpen = meaning === 'open' || (meaning === 'conflict' && mayHaveArrived);
    const isOpen = leavesOpen && rule === 'idempotent';
    if (meaning === 'unknown' || isOpen) mayHaveArrived = true;
    return isOpen;
  }

  const onWait = (wait: Wait | undefined): void => {
    if (wait !== undefined) remember(wait.error);
  };
  for (let lookUps = 0; ; lookUps++) {
    lifetime.throwIfAborted();
    if (stop.aborted) return stopped();
    try {
      const answer = await send({ signal: lifetime, stop, priority: 'person', onWait });
      return { kind: 'answered', answer };
    } catch (error) {
      lifetime.throwIfAborted();
      if (error === stop.reason) return stopped();
      const isOpen = remember(error);
      const wait = isOpen ? nextLookUp(lookUps, error, random) : undefined;
      if (wait === undefined) {
        const problem = problemOf(error);
        return failed(
          mayHaveArrived
            ? { kind: 'unknown', why: 'noAnswer', problem }
            : { kind: 'refused', problem },
        );
      }
      // The start of the loop checks both signals.
      await delay(clock, wait, stop).catch(() => undefined);
    }
  }
}

/** Milliseconds before the next look-up, at least Retry-After. Undefined after the last one. */
function nextLookUp(lookUps: number, error: unknown, random: () => number): number | undefined {
  const { retryAfter = 0 } = error instanceof ApiError ? error : {};
  const wait = lookUpDelays[lookUps];
  if (wait === undefined || retryAfter > longestRetryWait) return undefined;
  return Math.max(retryAfter, wait) * (1 + random() / 10);
}

function failed<T>(progress: ActionProgress): Sent<T> {
  return { kind: 'failed', progress };
}

/**
 * Returns a function that runs something once at a time for each key. A second call with the same key,
 * such as by a double click, gets the result of the first.
 */
export function oneAtATime<T>(): (key: string, act: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, act) => {
    const before = running.get(key);
    if (before !== undefined) return before;
    const now = act().finally(() => running.delete(key));
    running.set(key, now);
    return now;
  };
}

/** What a failure means for a request that changes something. */
export type FailureMeaning =
  /** It did not run. */
  | 'refused'
  /** It did not run, because the server is not in the state for it. An earlier try may have changed that state. */
  | 'conflict'
  /** The response does not say whether a request with this idempotency key is running. */
  | 'open'
  /** It may have run. */
  | 'unknown';

/** Statuses that refuse a request before it runs, with any code. */
const refusals = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 429, 431]);

/** Network problems before a connection was established, so nothing was sent. */
const neverConnected = new Set([
  'refused',
  'dns',
  'certificate',
  'certificateExpired',
  'certificateHost',
]);

export function failureMeaning(error: unknown): FailureMeaning {
  if (error instanceof InvalidRequestError) return 'refused';
  if (!(error instanceof ApiError)) return 'unknown';
  switch (error.kind) {
    case 'signedOut':
      return 'refused';
    case 'network':
      return neverConnected.has(networkProblem(error) ?? '') ? 'refused' : 'unknown';
    case 'timeout':
    case 'redirect':
    case 'protocol':
      return 'unknown';
    case 'http':
      if (isOutage(error)) return 'unknown';
      return refusals.has(error.status ?? 0) ? 'refused' : meaningOfCode(error.code);
  }
}

/** What the code of a 409 or 422 says, such as `validation_failed` or `SNAPSHOT_STALE`. */
function meaningOfCode(code: string): FailureMeaning {
  const words = ` ${code
    .replace(/[a-z](?=[A-Z])/g, '$&_')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')} `;
  if (words.includes(' idempotency ')) return 'open';
  if (/ (?:invalid|validation|malformed|unsupported) /.test(words)) return 'refused';
  return / (?:stale|outdated|conflict|not ready|setup pending) /.test(words) ? 'conflict' : 'open';
}
