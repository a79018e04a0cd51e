import type { ApiError } from './errors';

/** What may be done again after a failure, by operation. */
export type RetryRule =
  /** Changes nothing: any number of tries has the outcome of one. */
  | 'read'
  /** Changes something once, however often it is sent with the same key and the same body. */
  | 'idempotent'
  /** Without an answer its outcome is unknown: only what was surely refused is sent again. */
  | 'unsafe'
  /** Never here: the caller has rules of its own. */
  | 'caller';

/** Who may be retried. */
export const retryRules = {
  queryLogs: 'read',
  openLogStream: 'caller',
  cleanUpOrphans: 'idempotent',
  getOperation: 'read',
  listAlertRules: 'read',
  listResources: 'read',
  listSecrets: 'read',
  listRepositories: 'read',
  listDeployments: 'read',
  syncEnvironment: 'unsafe',
  retryPreviewReporting: 'unsafe',
  listIntegrations: 'read',
} as const satisfies Record<string, RetryRule>;

/**
 * Requests that share a rate limit. The API document does not show how limits are counted, so a 429 for
 * logs does not hold back the rest, and reading does not hold back actions.
 */
export type EndpointClass = 'logs' | 'read' | 'action';

export function endpointClassOf(operation: keyof typeof retryRules): EndpointClass {
  if (operation === 'queryLogs' || operation === 'openLogStream') return 'logs';
  return retryRules[operation] === 'read' ? 'read' : 'action';
}

/** Tries after which a failure is final, the first one included. */
const maxTries = 3;
/**
 * Refusals for the rate after which the last one is final. Each is waited out, so this bounds only a
 * server that never lets a request through; whoever asked may abort at any time.
 */
const maxRateLimits = 10;
/** A longer wait is the caller's decision: nobody looks at a spinner for more than ten minutes. */
export const longestWait = 10 * 60_000;

const base = 500;
const cap = 30_000;

/** How often a request failed so far, the last failure included. */
export interface Failures {
  /** No answer, 408 or 5xx. */
  readonly outages: number;
  /** 429. */
  readonly rateLimits: number;
}

/**
 * Milliseconds before the next try after the `failures`-th failure in a row (from 1): anything up to
 * a bound that starts at 500 ms, doubles, and ends at 30 s, so that many clients do not come back at
 * the same time.
 *
 * @param random from 0 to below 1.
 */
export function backOff(failures: number, random: () => number): number {
  return random() * Math.min(cap, base * 2 ** (failures - 1));
}

/**
 * The milliseconds that a `Retry-After` header asks for, never negative, and undefined where it says
 * nothing that can be understood.
 *
 * @param header seconds or an HTTP date.
 * @param now milliseconds since 1970 on the clock that a date is compared with: the server's own
 *   where it is known, since ours may be wrong.
 */
export function parseRetryAfter(
  header: string | null | undefined,
  now: number,
): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Milliseconds since 1970 of an HTTP date in any of its three forms, undefined for other text. */
export function parseHttpDate(text: string): number | undefined {
  // `Date.parse` alone accepts nearly anything, `-1` for one, and takes the old C form as local time.
  const current = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
  const oldC = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
  if (!current.test(text) && !oldC.test(text)) return undefined;
  const time = Date.parse(oldC.test(text) ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Milliseconds to wait after the `failures`-th failure in a row: what the server asked for and 0 to
 * 10 % more, and never less than the back-off, so that a server that asks for nothing is not flooded.
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
 * Milliseconds until a request may be sent again after `error`, undefined where it may not.
 *
 * @param failures counts `error` already.
 */
export function nextTry(
  rule: RetryRule,
  error: ApiError,
  failures: Failures,
  random: () => number,
): number | undefined {
  if (rule === 'caller') return undefined;
  const rateLimited = error.status === 429;
  if (!rateLimited && (rule === 'unsafe' || !isOutage(error))) return undefined;
  const count = rateLimited ? failures.rateLimits : failures.outages;
  if (count >= (rateLimited ? maxRateLimits : maxTries)) return undefined;
  const wait = retryDelay(count, error.retryAfter, random);
  return wait > longestWait ? undefined : wait;
}

/** Whether the server could not be reached or could not answer, which may pass. */
export function isOutage({ kind, status }: ApiError): boolean {
  if (kind === 'network' || kind === 'timeout') return true;
  return kind === 'http' && status !== undefined && (status === 408 || status >= 500);
}
