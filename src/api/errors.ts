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

  constructor(details: ApiErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
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
        return meaningOfStatus(this.status);
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
