import type { CallOptions } from '../api/client';
import { delay } from '../api/clock';
import { ApiError, type ApiErrorKind, InvalidRequestError } from '../api/errors';
import { networkProblem } from '../api/networkProblem';
import { isOutage, longestWait, nextTry, type RetryRule } from '../api/retry';
import type { ActionContext, TrackedEntry } from './actionRun';
import type { ActionProblem, ActionProgress, PreviewReportingEntry } from './activityEntry';

/** Milliseconds before each look at what became of a request that the server says nothing of. */
const lookUps = [1000, 2000, 4000, 8000, 15_000];

export type Sent<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'failed'; readonly progress: ActionProgress };

/** Somebody did not want to wait, and nothing has been started. */
export const cancelled: ActionProblem = { kind: 'cancelled', message: '' };

/**
 * Sends a request that changes something, in as many tries as its rule allows. The client is left out
 * of the retries, since what an earlier try may have done counts in what the last failure means. Where
 * an answer leaves open whether something runs under the idempotency key (it may be `in progress`),
 * the same request is sent again to find out: it is carried out once, and its answer says so then.
 *
 * @param isAgain whether it may have reached the server before.
 * @throws the reason of `lifetime`. `stop` ends the waits between tries; a request that is on its way is
 *   waited for, since aborting it would only mean not to know what came of it.
 */
export async function sendAction<T>(
  rule: Extract<RetryRule, 'idempotent' | 'unsafe'>,
  send: (options: CallOptions) => Promise<T>,
  { clock, random, lifetime, stop }: Pick<ActionContext, 'clock' | 'random' | 'lifetime' | 'stop'>,
  isAgain = false,
): Promise<Sent<T>> {
  let mayBeThere = isAgain;
  let outages = 0;
  let rateLimits = 0;
  let looks = 0;
  let last: ActionProblem | undefined;

  function stopped(): Sent<T> {
    if (!mayBeThere) return failed({ kind: 'refused', problem: cancelled });
    const problem = last === undefined ? {} : { problem: last };
    return failed({ kind: 'unknown', why: 'interrupted', ...problem });
  }

  for (;;) {
    lifetime.throwIfAborted();
    if (stop.aborted) return stopped();
    try {
      return { kind: 'answered', answer: await send({ signal: lifetime, retries: false }) };
    } catch (error) {
      lifetime.throwIfAborted();
      last = problemOf(error);
      const meaning = failureMeaning(error);
      const isOpen = meaning === 'open' && rule === 'idempotent';
      if (meaning === 'unknown' || isOpen) mayBeThere = true;
      const isRateLimit = error instanceof ApiError && error.status === 429;
      if (isRateLimit) rateLimits++;
      else if (!isOpen) outages++;
      const wait = !(error instanceof ApiError)
        ? undefined
        : isOpen
          ? nextLook(looks++, error, random)
          : nextTry(rule, error, { outages, rateLimits }, random);
      if (wait === undefined) {
        return mayBeThere
          ? failed({ kind: 'unknown', why: 'noAnswer', problem: last })
          : failed({ kind: 'refused', problem: last });
      }
      // The end of either is looked at above.
      await delay(clock, wait, stop).catch(() => undefined);
    }
  }
}

/** Milliseconds, never shorter than the server wants; undefined where it was looked often enough. */
function nextLook(
  looks: number,
  { retryAfter = 0 }: ApiError,
  random: () => number,
): number | undefined {
  const wait = lookUps[looks];
  if (wait === undefined || retryAfter > longestWait) return undefined;
  return Math.max(retryAfter, wait) * (1 + random() / 10);
}

function failed<T>(progress: ActionProgress): Sent<T> {
  return { kind: 'failed', progress };
}

/** Sends the one request, and notes how many reports were tried, and how many of them went well. */
export async function runPreviewReporting(
  tracked: TrackedEntry<PreviewReportingEntry>,
  context: ActionContext,
): Promise<void> {
  const sent = await sendAction(
    'unsafe',
    (options) => context.client.retryPreviewReporting(options),
    context,
  );
  if (sent.kind === 'failed') {
    return tracked.set({ ...tracked.entry, progress: sent.progress });
  }
  const { attempted, succeeded, failed } = sent.answer;
  return tracked.set({
    ...tracked.entry,
    progress: { kind: 'over' },
    ...(attempted === undefined ? {} : { attempted }),
    ...(succeeded === undefined ? {} : { succeeded }),
    ...(failed === undefined ? {} : { failed }),
  });
}

/** Never sent again by itself, and there is nothing to ask for. */
export function resumePreviewReporting(
  tracked: TrackedEntry<PreviewReportingEntry>,
): Promise<void> {
  return tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
}

/**
 * Does something once at a time for each key: whoever asks for it while it is under way gets what comes
 * of that, as somebody does who clicks twice.
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

/** What a failure says of a request that changes something. */
export type FailureMeaning =
  /** It was not carried out. */
  | 'refused'
  /** The server has answered, and not said whether something runs under this idempotency key. */
  | 'open'
  /** It may have been carried out. */
  | 'unknown';

/** Statuses that refuse a request before anything is begun, whatever the code says. */
const refusals = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 429, 431]);

/** Where the connection was never there, nothing can have been sent over it. */
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
      return refusals.has(error.status ?? 0) || saysNothingRan(error.code) ? 'refused' : 'open';
  }
}

/** Whether a code finds fault with the request itself, such as `validation_failed`. */
function saysNothingRan(code: string): boolean {
  const words = code
    .replace(/[a-z](?=[A-Z])/g, '$&_')
    .toLowerCase()
    .split(/[^a-z]+/);
  return (
    words.some((word) => /^(?:invalid|validation|malformed|unsupported)$/.test(word)) &&
    !words.includes('idempotency')
  );
}

/** What is kept of a failure. */
export function problemOf(error: unknown): ActionProblem {
  if (error instanceof ApiError) {
    const { kind, status, code, message, requestId } = error;
    return {
      kind,
      code,
      message,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof InvalidRequestError ? 'invalid' : 'other', message };
}

const kinds: ReadonlySet<string> = new Set<ApiErrorKind>([
  'http',
  'network',
  'timeout',
  'redirect',
  'protocol',
  'signedOut',
]);

/** An error that says what is kept, for whoever puts errors into words. */
export function errorOf(problem: ActionProblem): Error {
  const { kind, code = '', message, status, requestId } = problem;
  return isApiErrorKind(kind)
    ? new ApiError({ kind, code, message, status, requestId })
    : new Error(message);
}

function isApiErrorKind(kind: string): kind is ApiErrorKind {
  return kinds.has(kind);
}
