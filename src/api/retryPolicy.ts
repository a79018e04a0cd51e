import { minute } from '../base/clock';
import { ApiError } from './errors';

/** Whether an operation can be retried after a failure: `x-retry` of the contract. */
export type RetryRule =
  /** Changes nothing, so it can be retried. */
  | 'read'
  /** Runs only once, however often it is sent with the same key and body, so it can be retried. */
  | 'idempotent'
  /** Without a response the outcome is unknown, so it is retried only after a 429. */
  | 'unsafe'
  /** Never retried here: the caller has its own rules. */
  | 'caller';

/**
 * Requests that share a rate limit at least: `x-limit` of the contract. The API document does not show how limits are counted, so the
 * first 429 for logs does not hold back the rest, and reading does not hold back actions.
 */
export type EndpointClass = 'logs' | 'read' | 'action';

/** The number of tries, including the first. */
const maxTries = 3;
/** The number of 429 responses after which a request fails. The caller can abort at any time. */
const maxRateLimits = 10;
/** In milliseconds. If the server asks for a longer wait, the request fails and the caller decides. */
export const longestRetryWait = 10 * minute;

const base = 500;
const cap = 30_000;

/** How often a request has failed, including the last failure. */
interface Failures {
  /** No response, 408 or 5xx. */
  readonly outages: number;
  /** 429. */
  readonly rateLimits: number;
}

/**
 * The back-off in milliseconds after this number of failures in a row (from 1): a random time up to
 * a limit that starts at 500 ms and doubles up to 30 s, so that clients do not all retry at the same
 * time.
 *
 * @param random returns a number from 0 to below 1.
 */
export function backOff(failures: number, random: () => number): number {
  return random() * Math.min(cap, base * 2 ** (failures - 1));
}

/**
 * Milliseconds to wait after this number of failures in a row: the Retry-After of the server plus 0 to
 * 10 %, but at least the back-off, so that a server that sends none is not flooded.
 */
export function retryDelay(
  failures: number,
  retryAfter: number | undefined,
  random: () => number,
): number {
  const asked = (retryAfter ?? 0) * (1 + random() / 10);
  return Math.max(asked, backOff(failures, random));
}

/**
 * Milliseconds until a request may be sent again after `error`, or undefined if it may not.
 *
 * @param failures includes `error`.
 * @param most the longest wait in milliseconds.
 */
export function nextTry(
  rule: RetryRule,
  error: ApiError,
  failures: Failures,
  random: () => number,
  most = longestRetryWait,
): number | undefined {
  if (rule === 'caller') return undefined;
  const rateLimited = error.meaning === 'rateLimited';
  if (!rateLimited && (rule === 'unsafe' || !isOutage(error))) return undefined;
  const count = rateLimited ? failures.rateLimits : failures.outages;
  if (count >= (rateLimited ? maxRateLimits : maxTries)) return undefined;
  const wait = retryDelay(count, error.retryAfter, random);
  return wait > most ? undefined : wait;
}

/** The longest time between polls after failures, unless the server asks for more. In milliseconds. */
const longestPollDelay = 10 * minute;

/**
 * Milliseconds between the end of one poll and the next, which is its only retry: the interval doubles with
 * each failure in a row, up to ten minutes, and is never shorter than Retry-After.
 *
 * @param failures polls that failed in a row.
 * @param error why the last one failed.
 */
export function pollDelay(interval: number, failures: number, error: unknown): number {
  if (failures === 0) return interval;
  const { retryAfter = 0 } = error instanceof ApiError ? error : {};
  return Math.max(interval, retryAfter, Math.min(longestPollDelay, interval * 2 ** failures));
}

/** Whether the server could not be reached or could not respond, which may be temporary. */
export function isOutage({ meaning }: ApiError): boolean {
  return meaning === 'unreachable' || meaning === 'serverFailed';
}
