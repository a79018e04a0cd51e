/** The usual code of a status: stable, so that a client may go by it in an event of the stream too. */
const codes: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'request_timeout',
  409: 'conflict',
  410: 'cursor_expired',
  413: 'payload_too_large',
  422: 'unprocessable',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
};

export function codeOf(status: number): string {
  return codes[status] ?? `status_${status}`;
}

/** A refusal: thrown by whatever notices, turned into the error object of the API once. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly status: number,
    message = 'This was asked for by a test.',
    readonly code = codeOf(status),
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** There is no answer: the connection ends as Node.js says it by this code. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(readonly code = 'ECONNRESET') {
    super(`There is no answer: ${code}`);
  }
}

/** The body breaks off behind what was sent; a `reset` loses what was not read yet. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';

  constructor(readonly kind: 'reset' | 'cut') {
    super(`The connection was ${kind}.`);
  }
}

/** The error object of the API. */
export function errorObject(requestId: string, code: string, message: string): object {
  return { error: { code, message, requestId } };
}
