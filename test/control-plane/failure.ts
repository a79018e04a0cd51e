import type { FastifyRequest } from 'fastify';

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

/** A refusal: thrown by whoever notices, turned into the error object of the API once. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly status: number,
    message: string,
    readonly code = codeOf(status),
  ) {
    super(message);
  }
}

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly requestId: string;
  };
}

export function errorBody(request: FastifyRequest, code: string, message: string): ErrorBody {
  return { error: { code, message, requestId: request.id } };
}
