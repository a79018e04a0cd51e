import * as v from 'valibot';
import { ApiError, type ApiErrorKind, InvalidRequestError } from '../api/errors';
import { maybe } from '../base/storedValue';

export const storedProblem = v.pipe(
  v.object({
    /** An `ApiErrorKind`, `invalid` if the request was not sent, `cancelled`, or `other`. */
    kind: v.fallback(v.string(), 'other'),
    message: v.fallback(v.string(), ''),
    status: maybe(v.pipe(v.number(), v.finite())),
    code: maybe(v.string()),
    requestId: maybe(v.string()),
    isForReading: maybe(v.literal(true)),
  }),
  v.readonly(),
);

/** Why a request or a poll failed, in the form that is saved. Contains untrusted texts of the server. */
export type ActionProblem = v.InferOutput<typeof storedProblem>;

/** The user or the end of the window cancelled it before anything was sent. */
export const cancelled: ActionProblem = { kind: 'cancelled', message: '' };

/** Converts an error to the form that is saved. */
export function problemOf(error: unknown): ActionProblem {
  if (error instanceof ApiError) {
    const { kind, status, code, message, requestId, isForReading } = error;
    return {
      kind,
      code,
      message,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(isForReading ? { isForReading } : {}),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: error instanceof InvalidRequestError ? 'invalid' : 'other', message };
}

const apiErrorKinds: ReadonlySet<string> = new Set<ApiErrorKind>([
  'http',
  'network',
  'timeout',
  'redirect',
  'protocol',
  'signedOut',
]);

/** Converts a saved problem back to an error, so that it can be described like any other. */
export function errorOf(problem: ActionProblem): Error {
  const { kind, code = '', message, status, requestId, isForReading } = problem;
  return isApiErrorKind(kind)
    ? new ApiError({ kind, code, message, status, requestId, isForReading })
    : new Error(message);
}

function isApiErrorKind(kind: string): kind is ApiErrorKind {
  return apiErrorKinds.has(kind);
}
