import { ApiError, InvalidRequestError, type ApiErrorKind } from '../api/errors';
import { networkProblem } from '../api/networkProblem';
import { isOutage } from '../api/retry';
import type { Problem } from './entries';

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
export function problemOf(error: unknown): Problem {
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
export function errorOf(problem: Problem): Error {
  const { kind, code = '', message, status, requestId } = problem;
  return isApiErrorKind(kind)
    ? new ApiError({ kind, code, message, status, requestId })
    : new Error(message);
}

function isApiErrorKind(kind: string): kind is ApiErrorKind {
  return kinds.has(kind);
}
