import { isObject, membersOf } from '../base/json';

/** What went wrong with a request or its response. */
export type ApiErrorKind =
  /** The server responded with an error status, or sent an error event in the stream. */
  | 'http'
  /** No response: refused, reset, name not found, certificate, proxy. `cause` has the details. */
  | 'network'
  /** No headers, or no further bytes of a body, within the time-out. */
  | 'timeout'
  /** The server redirected the request. Redirects are refused, so that no other server gets the key. */
  | 'redirect'
  /** The response violates the contract. */
  | 'protocol'
  /** There is no API key for the connection. */
  | 'signedOut';

/** What a failure means for what is done about it and said of it. */
export type ErrorMeaning =
  /** No response, or none in time. */
  | 'unreachable'
  /** The server could not do it now: 408, 5xx. */
  | 'serverFailed'
  /** There is no key. */
  | 'signedOut'
  /** The server does not accept the key: 401. */
  | 'unknownKey'
  | 'missingPermission'
  | 'notFound'
  | 'rateLimited'
  /** Another attempt would fail in the same way. */
  | 'refused'
  /** A redirect, or a response that violates the contract. */
  | 'unexpected';

/** The one table of statuses. */
export function meaningOfStatus(status: number | undefined): ErrorMeaning {
  switch (status) {
    case undefined:
      return 'refused';
    case 401:
      return 'unknownKey';
    case 403:
      return 'missingPermission';
    case 404:
      return 'notFound';
    case 408:
      return 'serverFailed';
    case 429:
      return 'rateLimited';
    default:
      return status >= 500 ? 'serverFailed' : 'refused';
  }
}

/** The one table of codes. The contract has none, so these are the usual words for a status. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^cursor ?invalid$/, 422],
  [/cursor/, 410],
  [/\bunauth|\bcredential|\bapi ?key/, 401],
  [/\bforbidden|\bpermission|\bdenied/, 403],
  [/\bnot ?found/, 404],
  [/\brate ?(?:limit|exceeded)|\btoo ?many\b|\bthrottl/, 429],
  [/^(?:bad|invalid) ?request$/, 400],
  [/^request ?timeout$/, 408],
  [/^conflict$/, 409],
  [/^gone$/, 410],
  [/^payload ?too ?large$/, 413],
  [/^unprocessable(?: ?entity)?$/, 422],
  [/^internal ?(?:server ?)?error$/, 500],
  [/^bad ?gateway$/, 502],
  [/^(?:service ?)?unavailable$/, 503],
  [/^gateway ?timeout$/, 504],
];

/** The status that a code means, such as 404 for `workload_not_found`; undefined if it means none. */
export function statusOfCode(code: string): number | undefined {
  // As words, so that `migrate_failed` does not contain `rate`.
  const words = code
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase();
  return statuses.find(([pattern]) => pattern.test(words))?.[1];
}

interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  /** The HTTP status, if there was one. */
  readonly status?: number | undefined;
  /** The code that the server sent, otherwise one of this client. */
  readonly code: string;
  /** The message that the server sent (untrusted text), otherwise one of this client. */
  readonly message: string;
  readonly requestId?: string | undefined;
  /** How long the server asks to wait, in milliseconds. Never negative. */
  readonly retryAfter?: number | undefined;
  /** Whether it was refused because the key may only read, and the request sends something. */
  readonly isForReading?: boolean | undefined;
  readonly cause?: unknown;
}

/** The failure of a request. Never contains the key, headers or a body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly isForReading: boolean;

  constructor(details: ApiErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.isForReading = details.isForReading === true;
  }

  /** Whether the server refuses the web page that sends the request, whatever the key may do. */
  get refusesOrigin(): boolean {
    const { kind, status, code, message } = this;
    return (
      kind === 'http' &&
      status === 403 &&
      /\borigins?\b/i.test(`${code.replaceAll('_', ' ')} ${message}`)
    );
  }

  get meaning(): ErrorMeaning {
    switch (this.kind) {
      case 'network':
      case 'timeout':
        return 'unreachable';
      case 'redirect':
      case 'protocol':
        return 'unexpected';
      case 'signedOut':
        return 'signedOut';
      case 'http':
        return this.refusesOrigin ? 'refused' : meaningOfStatus(this.status);
    }
  }
}

/** Whether a request failed with one of these meanings. */
export function failedAs(error: unknown, ...meanings: readonly ErrorMeaning[]): error is ApiError {
  return error instanceof ApiError && meanings.includes(error.meaning);
}

/** Whether an error means that what the key showed must not be shown any more. */
export function isAccessLost(error: unknown): error is ApiError {
  return failedAs(error, 'signedOut', 'unknownKey', 'missingPermission');
}

/** A request that was not sent because a value breaks a limit of the contract. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';

  constructor(
    /** The path of the field, such as `filters.workloadIds[2]`. */
    readonly field: string,
    /** What is wrong with the value, such as `is not a UUID`. */
    readonly problem: LocalizableMessage,
    /** The limit that it breaks, such as `at most 500`. */
    readonly limit: LocalizableMessage,
  ) {
    super(`${field} ${inEnglish(problem)} (${inEnglish(limit)})`);
  }
}

/** The abort reason of everything that uses a connection, after a switch or sign-out. */
export class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError';

  constructor() {
    super('The connection ended.');
  }
}

/**
 * A text of this client with placeholders such as `{0}`. The user interface translates it; the English
 * text is the key of the translations.
 */
export interface LocalizableMessage {
  /** In English. */
  readonly message: string;
  readonly args: readonly (string | number)[];
}

/** @param message a literal, so that `npm run generate` and the tests find it for translation. */
export function localizableMessage(
  message: string,
  ...args: readonly (string | number)[]
): LocalizableMessage {
  return { message, args };
}

export function inEnglish({ message, args }: LocalizableMessage): string {
  return message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
}

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
 * @param body undefined if it is not a JSON object.
 * @param answeredAt in milliseconds since 1970, by the server's clock: ours may be wrong by days.
 */
export function httpError(
  response: Response,
  body: unknown,
  key: string,
  answeredAt: number,
): ApiError {
  const { status, headers } = response;
  const error = readServerError(body, key);
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
export function statusOfError(json: unknown): number | undefined {
  if (!isObject(json)) return undefined;
  const error = membersOf(json['error']);
  for (const value of [error['status'], json['status']]) {
    if (typeof value === 'number' && value >= 400 && value <= 599) return value;
  }
  const code = error['code'];
  return typeof code === 'string' ? statusOfCode(code) : undefined;
}

/**
 * Replaces secrets, such as the key that a server or a program quotes, by `***`, also where JSON has escaped
 * them. Remove them before a text is cut: a cut leaves a part of one, which is not found any more.
 *
 * @param secrets the longest first. Empty ones are ignored.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let rest = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    const escaped = JSON.stringify(secret).slice(1, -1);
    for (const form of new Set([secret, escaped, escaped.replaceAll('/', '\\/')])) {
      rest = rest.replaceAll(form, '***');
    }
  }
  return rest;
}

const networkProblems = [
  /** No process listens on the port. */
  'refused',
  /** The host name is unknown. */
  'dns',
  /** What listens on the port does not speak TLS, such as one for http. */
  'noTls',
  /** The connection broke, perhaps after the request was sent. TLS can fail then, too. */
  'reset',
  /** This machine does not trust the certificate. */
  'certificate',
  /** The certificate has expired or is not valid yet. */
  'certificateExpired',
  /** The certificate belongs to another host. */
  'certificateHost',
  /** The proxy refused the request, requires a login (407) or cannot be reached. */
  'proxy',
  /** There is no network. */
  'offline',
  /** The host does not respond. */
  'unreachable',
  /** A browser hides the reason: the server does not allow this origin (CORS), or one of the above. */
  'cors',
  'unknown',
] as const;

/** Why there was no response, as far as it is known. The advice to the user depends on it. */
export type NetworkProblem = (typeof networkProblems)[number];

/** The most specific first, because a text can match several. */
const patterns: readonly (readonly [NetworkProblem, RegExp])[] = [
  ['proxy', /\bproxy|\bproxies|ERR_PROXY|UND_ERR_PRX|ERR_TUNNEL|tunneling|\(407\)/i],
  ['certificateExpired', /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/],
  ['certificateHost', /CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID/],
  [
    'certificate',
    /\bCERT_|_CERT_|_CERT\b|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|ERR_TLS_|self[- ]signed certificate/,
  ],
  ['noTls', /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|wrong version number/],
  ['refused', /ECONNREFUSED|ERR_CONNECTION_REFUSED/],
  ['dns', /ENOTFOUND|EAI_[A-Z]+|ERR_NAME_NOT_RESOLVED/],
  ['offline', /ENETUNREACH|ENETDOWN|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/],
  [
    'unreachable',
    /ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|ERR_(?:CONNECTION_)?TIMED_OUT|ERR_ADDRESS_UNREACHABLE/,
  ],
  [
    'reset',
    /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|ERR_CONNECTION_(?:RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|ERR_SSL_|socket hang up|\bterminated\b|Premature close/,
  ],
  ['cors', /^(?:Failed to fetch|Load failed|NetworkError when attempting)/],
];

/** How many nested errors are examined. */
const maxErrors = 20;

/**
 * Determines from what `fetch` threw why there was no response.
 *
 * @param requestUrl if an error names another host or port, that is a proxy.
 */
export function networkProblemOf(thrown: unknown, requestUrl?: string): NetworkProblem {
  const errors = errorsOf(thrown);
  // Codes first: a message contains the host name, which could be `proxy`.
  const texts = [...errors.map(({ code }) => code), ...errors.map(({ message }) => message)];
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    const found = patterns.find(([, pattern]) => pattern.test(text))?.[0];
    if (found === undefined) continue;
    return hasAddress.has(found) && isForAnotherAddress(errors, requestUrl) ? 'proxy' : found;
  }
  return isHiddenProxyLogin(errors) ? 'proxy' : 'unknown';
}

/** Problems for which the errors name the host or port of the connection. */
const hasAddress: ReadonlySet<NetworkProblem> = new Set(['refused', 'dns', 'unreachable']);

/** Whether all errors that name a port or a host name another one than that of the request. */
function isForAnotherAddress(
  errors: readonly ErrorLike[],
  requestUrl: string | undefined,
): boolean {
  if (requestUrl === undefined) return false;
  const { protocol, hostname, port } = new URL(requestUrl);
  const wanted = Number(port) || (protocol === 'https:' ? 443 : 80);
  const named = errors.flatMap((error) => [
    ...(typeof error.port === 'number' ? [error.port === wanted] : []),
    ...(typeof error.hostname === 'string' ? [error.hostname === hostname] : []),
  ]);
  return named.length > 0 && !named.includes(true);
}

/** Whether the cause was 407: the fetch of Node.js hides that and throws an error with an empty cause. */
function isHiddenProxyLogin([failed, cause, ...others]: readonly ErrorLike[]): boolean {
  return failed?.message === 'fetch failed' && cause?.message === '' && others.length === 0;
}

/** The network problem of an error of the client. Undefined if it is not a network problem. */
export function networkProblem(error: ApiError): NetworkProblem | undefined {
  if (error.status === 407) return 'proxy';
  if (error.kind === 'timeout') return 'unreachable';
  if (error.kind !== 'network') return undefined;
  return networkProblems.find((one) => one === error.code) ?? 'unknown';
}

interface ErrorLike {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
}

/** An error with its causes and the errors of an AggregateError. */
function errorsOf(thrown: unknown): ErrorLike[] {
  const queue: unknown[] = [thrown];
  const errors: ErrorLike[] = [];
  while (queue.length > 0 && errors.length < maxErrors) {
    const error = queue.shift();
    if (!isErrorLike(error)) continue;
    errors.push(error);
    queue.push(error.cause);
    if (Array.isArray(error.errors)) queue.push(...(error.errors as unknown[]));
  }
  return errors;
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null;
}

/**
 * Parses a `Retry-After` header. Returns milliseconds, never negative, or undefined if the header is
 * missing or invalid.
 *
 * @param header seconds or an HTTP date.
 * @param now what a date is compared with, in milliseconds since 1970: the time of the server if it is
 *   known, because ours may be wrong.
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

/** Parses an HTTP date in any of its three forms. Returns milliseconds since 1970, or undefined. */
export function parseHttpDate(text: string): number | undefined {
  // `Date.parse` accepts nearly anything, such as `-1`, and reads the old C form as local time.
  const current = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
  const oldC = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
  if (!current.test(text) && !oldC.test(text)) return undefined;
  const time = Date.parse(oldC.test(text) ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}
