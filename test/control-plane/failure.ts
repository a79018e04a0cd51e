/** The usual code of a status. Stable, so that a client can rely on it, also in a stream event. */
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

/**
 * An error answer. Thrown where the problem is found; converted to the API's error object in one
 * place.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly status: number,
    message = 'A test asked for this error.',
    readonly code = codes[status] ?? `status_${status}`,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** No answer: the connection fails with this Node.js error code. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(readonly code = 'ECONNRESET') {
    super(`No answer: ${code}`);
  }
}

/** The body breaks off after what was sent; `reset` discards what was not read yet. */
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
