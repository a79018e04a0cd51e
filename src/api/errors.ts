/** What went wrong on the way to an answer or in it. */
export type ApiErrorKind =
  /** The server answered with an error status, or sent an error as an event of the stream. */
  | 'http'
  /** No answer: refused, reset, name not found, certificate, proxy. `cause` knows more. */
  | 'network'
  /** No headers within the time-out. */
  | 'timeout'
  /** The server wanted to send us elsewhere, which is refused so that the key stays here. */
  | 'redirect'
  /** The answer is not what the contract says. */
  | 'protocol'
  /** There is no API key for the connection. */
  | 'signedOut';

export interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** The server's own code, else one of this client. */
  readonly code: string;
  /** The server's own message (untrusted text), else one of this client. */
  readonly message: string;
  readonly requestId?: string | undefined;
  /** Milliseconds that the server wants us to wait, never negative. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Every failure of a request. Never holds the key, headers or a body. */
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
}

/** A request that was not sent, since a value breaks a limit of the contract. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';

  constructor(
    /** The field as a user would write it, such as `filters.workloadIds[2]`. */
    readonly field: string,
    /** What is wrong with the value, such as `is not a UUID`. */
    readonly problem: LocalizableMessage,
    /** The limit that it breaks, such as `1 to 500`. */
    readonly limit: LocalizableMessage,
  ) {
    super(`${field} ${inEnglish(problem)} (${inEnglish(limit)})`);
  }
}

/** The reason why whatever ran for a connection has ended. */
export class ConnectionLeftError extends Error {
  override readonly name = 'ConnectionLeftError';

  constructor() {
    super('The connection was left.');
  }
}

/**
 * A text of this client with placeholders `{0}`, put into the language of the person by the layers
 * above: they know it, and translations are found by the text.
 */
export interface LocalizableMessage {
  /** In English. */
  readonly message: string;
  readonly args: readonly (string | number)[];
}

/** @param message written out, so that it can be found for translation. */
export function localizableMessage(
  message: string,
  ...args: readonly (string | number)[]
): LocalizableMessage {
  return { message, args };
}

export function inEnglish({ message, args }: LocalizableMessage): string {
  return message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
}
