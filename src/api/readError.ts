import { ApiError, statusOfCode } from './errors';
import { isObject, membersOf, parseJson } from '../base/json';
import { networkProblemOf } from './networkProblem';
import { parseRetryAfter } from './retryPolicy';
import { withoutSecrets } from './secrets';

/** The longest texts of the server in an error, in UTF-16 units. */
const maxMessage = 2000;
const maxCode = 200;

/** The error object of a response: untrusted texts of bounded length. */
interface ServerError {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
}

/**
 * Reads the texts of an error object. Members that are missing or not text are undefined.
 *
 * @param key is removed, because a server may quote the request.
 */
export function readServerError(json: unknown, key: string): ServerError {
  const error = membersOf(membersOf(json)['error']);
  const text = (value: unknown, limit: number): string | undefined => {
    if (typeof value !== 'string' || value === '') return undefined;
    const safe = withoutSecrets(value, [key]);
    return safe.length <= limit ? safe : `${safe.slice(0, limit)}…`;
  };
  return {
    code: text(error['code'], maxCode),
    message: text(error['message'], maxMessage),
    requestId: text(error['requestId'], maxCode),
  };
}

/**
 * The error for a response with an error status.
 *
 * @param answeredAt in milliseconds since 1970, by the server's clock: ours may be wrong by days.
 */
export function httpError(
  response: Response,
  body: string,
  key: string,
  answeredAt: number,
): ApiError {
  const { status, headers } = response;
  const error = readServerError(parseJson(body), key);
  return new ApiError({
    kind: 'http',
    status,
    code: error.code ?? 'noErrorObject',
    message: error.message ?? `The server responded with status ${status} and no message.`,
    requestId: error.requestId,
    retryAfter: parseRetryAfter(headers.get('retry-after'), answeredAt),
  });
}

/**
 * The error for what `fetch` or the reading of a body threw. Its code is a `NetworkProblem`.
 *
 * @param requestUrl tells a server from a proxy.
 */
export function networkError(cause: unknown, requestUrl?: string): ApiError {
  const problem = networkProblemOf(cause, requestUrl);
  const message = `No complete response from the server: ${problem}.`;
  return new ApiError({ kind: 'network', code: problem, message, cause });
}

/** The error for a response that violates the contract. */
export function protocolError(
  code: 'emptyAnswer' | 'notJson' | 'notEventStream' | 'wrongSchema' | 'tooLarge',
  message: string,
  status?: number,
): ApiError {
  return new ApiError({ kind: 'protocol', code, message, status });
}

/** The HTTP status of an error object: its `status`, or the one that its code means. */
export function statusOf(json: unknown): number | undefined {
  if (!isObject(json)) return undefined;
  const error = membersOf(json['error']);
  for (const value of [error['status'], json['status']]) {
    if (typeof value === 'number' && value >= 400 && value <= 599) return value;
  }
  const code = error['code'];
  return typeof code === 'string' ? statusOfCode(code) : undefined;
}
