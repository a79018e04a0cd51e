import { ApiError, InvalidRequestError, type ApiErrorKind } from '../../api/errors';
import { networkProblem } from '../../api/networkProblem';
import { isOutage } from '../../api/retry';
import type { Problem } from './entries';

/** What a failure says of a request that changes something. */
export type FailureMeaning =
  /** It was not carried out. */
  | 'refused'
  /** It was not carried out, since its idempotency key stands for another one. */
  | 'conflict'
  /** It may have been carried out. */
  | 'unknown';

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
      return error.status === 409 ? 'conflict' : 'refused';
  }
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
