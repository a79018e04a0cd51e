import { Readable } from 'node:stream';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import contract from '../../../src/api/openapi.json';
import type { Permission } from '../../../src/api/types';
import type { Context } from '../context';
import { codeOf, errorBody, Failure } from '../failure';
import type { Key } from '../keys';
import { localizationOf } from '../localization';
import { checkedParameters } from '../validation';
import { faultyBody, pause } from '../wire';

interface Operation {
  readonly operationId: string;
  readonly 'x-permission': string;
  readonly requestBody?: unknown;
}

/** Method, path, permission of every operation: taken from the contract, so that neither can stray. */
const operations = Object.entries(
  contract.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);

/** A request that was let in: its key, and its parameters as the contract wants them. */
export interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly key: Key;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Numbers come as text in a query. */
function queryOf(request: FastifyRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request.query as Record<string, unknown>).map(([name, value]) => [
      name,
      name === 'page' && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** Registers an operation of the contract; its answer gets `localization`, a stream goes as it is. */
export function addOperation(
  app: FastifyInstance,
  operationId: string,
  handle: (call: Call) => object | Promise<object>,
): void {
  const operation = operations.find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  app.route({
    method: operation.method.toUpperCase(),
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operationId, permission: operation['x-permission'] as Permission },
    async handler(request, reply) {
      const { key } = request;
      if (!key) throw new Failure(401, 'A valid API key is needed.');
      if (
        operation.requestBody === undefined &&
        request.body !== undefined &&
        request.body !== null
      ) {
        throw new Failure(400, 'This request takes no body.');
      }
      const idempotencyKey = request.headers['idempotency-key'];
      const parameters = checkedParameters(operationId, {
        ...(request.params as Record<string, unknown>),
        ...queryOf(request),
        ...(operationId === 'post_servers_cleanup_orphans' && idempotencyKey !== undefined
          ? { 'Idempotency-Key': idempotencyKey }
          : {}),
      });
      const answer = await handle({ request, reply, key, parameters });
      return answer instanceof Readable
        ? answer
        : { ...answer, localization: localizationOf(answer) };
    },
  });
}

function authenticate({ keys }: Context, request: FastifyRequest): void {
  const value = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const key = value === undefined ? undefined : keys.find(value);
  if (!key) throw new Failure(401, 'The API key is missing or not valid.');
  request.key = key;
  if (request.received) request.received.key = key.name;
  const { permission } = request.routeOptions.config;
  if (permission !== undefined && !key.permissions.has(permission)) {
    throw new Failure(403, `The API key lacks the permission ${permission}.`);
  }
}

/** Faults that answer in place of the operation, or change what the key may do before it. */
async function applyBefore(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const { fault, key } = request;
  if (!fault) return;
  if (fault.latencyMs !== undefined) await pause(reply.raw, fault.latencyMs);
  const perPage = request.routeOptions.config.operationId === 'post_logs_tail';
  switch (fault.kind) {
    case 'status':
      return fault.accepted ? undefined : sendStatus(request, reply);
    case 'cursorRefused':
      throw new Failure(
        fault.status ?? 410,
        'The cursor is refused.',
        fault.code ?? 'cursor_expired',
      );
    case 'redirect':
      return reply
        .status(fault.status ?? 302)
        .header('location', fault.location)
        .send('');
    case 'html':
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .send('<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>\n');
    case 'noContent':
      return reply.status(204).send();
    case 'accessRevision':
      if (key && !perPage) context.keys.change(key.name);
      return;
    case 'revokeKey':
      if (!key || perPage) return;
      context.keys.revoke(key.name);
      throw new Failure(401, 'The API key was revoked.');
    case 'restart':
      await context.admin.restart(fault.downMs);
      return reply.hijack();
    default:
      return;
  }
}

/** The answer of a `status` fault. */
function statusAnswer(request: FastifyRequest, reply: FastifyReply): string {
  const { fault } = request;
  if (fault?.kind !== 'status') return '';
  reply.status(fault.status).headers({
    'content-type': 'application/json; charset=utf-8',
    ...(fault.status === 429 ? { 'retry-after': '1' } : {}),
    ...fault.headers,
  });
  const { code = codeOf(fault.status), message = 'This was asked for by a test.' } = fault;
  return fault.body ?? JSON.stringify(errorBody(request, code, message));
}

function sendStatus(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.send(statusAnswer(request, reply));
}

/** Faults in what the operation answered. */
async function applyAfter(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { fault } = request;
  if (!fault) return payload;
  if (typeof payload === 'string') {
    if (fault.kind === 'malformedJson')
      return payload.slice(0, -1 - Math.floor(payload.length / 3));
    if (fault.kind === 'wrongSchema') return '{"records":{},"hasMore":"no"}';
  }
  if (fault.kind === 'status' && fault.accepted) return statusAnswer(request, reply);
  return faultyBody(fault, payload, reply.raw);
}

/** What holds for every operation: CORS, keys, permissions, faults, error objects. */
export async function registerApi(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(cors, {
    origin: true,
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: ['Retry-After', 'Date', 'X-Request-Id'],
    maxAge: 600,
  });
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.received) request.received.body = String(body);
    void parseJson(request, String(body), done);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    authenticate(context, request);
    done();
  });
  app.addHook('preHandler', async (request, reply) => {
    const body = request.body;
    const hasCursor = typeof body === 'object' && body !== null && 'cursor' in body;
    const { operationId } = request.routeOptions.config;
    if (operationId !== undefined) {
      request.fault = context.faults.take(operationId, { hasCursor, url: request.url });
    }
    return applyBefore(context, request, reply);
  });
  app.addHook('onSend', (request, reply, payload) => applyAfter(request, reply, payload));
  app.setNotFoundHandler(() => {
    throw new Failure(404, 'There is no such endpoint.');
  });
}
