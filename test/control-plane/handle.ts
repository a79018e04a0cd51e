import type { LogQueryRequest, LogTailRequest } from '../../src/api/types';
import { checkedBody, checkedParameters, findOperation, type Operation } from './contract';
import { errorObject, Failure, NoAnswer } from './failure';
import type { Fault } from './faults';
import type { ReceivedRequest } from './journal';
import { localizationOf } from './localization';
import { fittingCursors } from './logs';
import type { ApiAnswer, ApiRequest, Call, Parts } from './parts';
import { LogStream } from './stream';
import { type Unkindness, unkindly } from './unkind';
import { pause } from './wire';
import { goesOn, workspaceHandlers } from './workspaceApi';

const maxBody = 262_144;
const json = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Answers each request. What it throws is a missing answer, or an error of its own, which is
 * reported.
 */
export function createHandle(
  parts: Parts,
  newRequestId: () => string,
): (request: ApiRequest) => Promise<ApiAnswer> {
  const { clock, journal, keys, faults, cursors, on } = parts;
  const handlers = workspaceHandlers(parts);

  /** Checks the key and the request; reports everything that is wrong with them. */
  function letIn(request: ApiRequest, received: ReceivedRequest, requestId: string): Call {
    const { method, url, headers, body: text, signal } = request;
    const value = /^Bearer (\S+)$/i.exec(single(headers['authorization']) ?? '')?.[1] ?? '';
    const key = keys.find(value);
    if (!key) {
      if (keys.isForeign(value)) {
        journal.report('foreignKey', 'The key belongs to another control plane.', received);
      }
      throw new Failure(401, 'The API key is missing or not valid.');
    }
    received.key = key.name;
    if (key.forbidden) {
      journal.report('forbiddenKey', `The key ${key.name} must not be used any more.`, received);
    }
    const asked = reported(received, () => findOperation(method, url));
    const { operation } = asked;
    if (operation.id !== 'post_logs_tail') journal.begins(key, received, signal);
    journal.arrives(received);
    const wait = parts.waitOf(key.name);
    if (wait > 0) {
      const seconds = String(Math.ceil(wait / 1000));
      throw new Failure(429, 'Too many requests.', undefined, { 'retry-after': seconds });
    }
    if (!key.permissions.has(operation.permission)) {
      throw new Failure(403, `The API key lacks the permission ${operation.permission}.`);
    }
    if ((text?.length ?? 0) > maxBody) throw new Failure(413, 'The body is too large.');
    const parameters = reported(received, () =>
      checkedParameters(asked, single(headers['idempotency-key'])),
    );
    const contentType = single(headers['content-type']);
    const body = reported(received, () => checkedBody(asked, text, contentType));
    checkLogs(operation, body, received);
    const hasCursor = typeof body === 'object' && body !== null && 'cursor' in body;
    const fault =
      faults.take(operation.id, { hasCursor, url }) ?? slowness(operation, parts.unkind);
    return { key, operation, parameters, body, fault, signal, requestId };
  }

  function reported<Result>(received: ReceivedRequest, check: () => Result): Result {
    try {
      return check();
    } catch (error) {
      if (error instanceof Failure) journal.report('brokenContract', error.message, received);
      throw error;
    }
  }

  /** Checks what the schema of a log request does not say. */
  function checkLogs({ id }: Operation, body: unknown, received: ReceivedRequest): void {
    if (id !== 'post_logs_query' && id !== 'post_logs_tail') return;
    const { filters, cursor, direction } = body as LogQueryRequest;
    reported(received, () => {
      if (Date.parse(filters.from) <= Date.parse(filters.to)) return;
      throw new Failure(400, 'filters.from is after filters.to.');
    });
    if (cursor === undefined) return;
    const kinds = fittingCursors(id === 'post_logs_tail' ? 'tail' : direction);
    const misuse = cursors.misuse(cursor, filters, kinds);
    if (misuse) journal.report(misuse, 'The cursor is not valid for this request.', received);
  }

  /** Answers 403 for objects that a test forbids despite the permissions of the key. */
  function checkForbidden({ parameters, body }: Call): void {
    const { forbiddenIds = [] } = parts.unkind;
    if (forbiddenIds.length === 0) return;
    const text = JSON.stringify([parameters, body]).toLowerCase();
    const id = forbiddenIds.find((one) => text.includes(one.toLowerCase()));
    if (id !== undefined) throw new Failure(403, `No access to ${id}.`);
  }

  async function answer(call: Call): Promise<Pick<ApiAnswer, 'status' | 'headers' | 'body'>> {
    const { operation, fault } = call;
    checkForbidden(call);
    if (operation.id === 'post_logs_tail') {
      await on.connect(call.body as LogTailRequest);
      const stream = new LogStream(parts, call);
      on.open(stream);
      return { status: 200, headers: ofStream, body: stream.body() };
    }
    const handler = handlers[operation.id];
    if (!handler) throw new Error(`No handler for ${operation.id}.`);
    const made = await handler(call);
    const whole = { ...made, localization: localizationOf(made) };
    const text = JSON.stringify(unkindly(whole, parts.unkind));
    const status = goesOn.has(operation.id) ? 202 : 200;
    return { status, headers: json, body: spoiled(text, fault) };
  }

  return async (request) => {
    const requestId = newRequestId();
    const received: ReceivedRequest = {
      at: clock.now(),
      method: request.method,
      url: request.url,
      headers: { ...request.headers },
      key: undefined,
      body: request.body,
      status: undefined,
      isOver: false,
    };
    journal.received(received);
    request.signal.addEventListener('abort', () => (received.isOver = true));
    const common = { 'x-request-id': requestId, date: new Date(clock.now()).toUTCString() };
    let call: Call | undefined;

    function finish({
      status,
      headers,
      body,
    }: Pick<ApiAnswer, 'status' | 'headers' | 'body'>): ApiAnswer {
      if (!request.signal.aborted) received.status = status;
      const retryAfter = headers['retry-after'];
      if (status === 429 && retryAfter !== undefined) journal.refusedForRate(received, retryAfter);
      return { status, headers: { ...common, ...headers }, body, fault: call?.fault };
    }

    try {
      call = letIn(request, received, requestId);
      const { fault } = call;
      if (fault?.latencyMs !== undefined) await pause(clock, fault.latencyMs, request.signal);
      const answered = (await insteadOf(parts, call)) ?? (await answer(call));
      if (fault?.kind === 'status') throw statusFailure(fault);
      return finish(answered);
    } catch (error) {
      if (error instanceof Failure) {
        const { status, code, message, headers } = error;
        const fault = call?.fault;
        const body =
          (fault?.kind === 'status' ? fault.body : undefined) ??
          JSON.stringify(unkindly(errorObject(requestId, code, message), parts.unkind));
        return finish({ status, headers: { ...json, ...headers }, body });
      }
      if (!(error instanceof NoAnswer)) journal.report('mistake', String(error), received);
      throw error;
    }
  };
}

const ofStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** How slow every answer is that is no stream. */
function slowness({ id }: Operation, { latencyMs, drip }: Unkindness): Fault | undefined {
  if (id === 'post_logs_tail' || (latencyMs === undefined && drip === undefined)) return undefined;
  return {
    ...(drip === undefined ? { kind: 'latency' } : { kind: 'trickle', ...drip }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

/** Faults that replace the answer of the operation, or change the permissions of the key first. */
async function insteadOf(
  { keys, restart }: Parts,
  { fault, key }: Call,
): Promise<Pick<ApiAnswer, 'status' | 'headers' | 'body'> | undefined> {
  switch (fault?.kind) {
    case 'status':
      if (!fault.accepted) throw statusFailure(fault);
      return undefined;
    case 'cursorRefused':
      throw new Failure(410, 'The cursor was refused.');
    case 'redirect':
      return { status: 302, headers: { location: fault.location }, body: '' };
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>\n',
      };
    case 'noContent':
      return { status: 204, headers: {}, body: '' };
    case 'accessRevision':
      keys.change(key.name);
      return undefined;
    case 'revokeKey':
      keys.revoke(key.name);
      throw new Failure(401, 'The API key was revoked.');
    case 'restart':
      await restart(fault.downMs);
      throw new NoAnswer();
    default:
      return undefined;
  }
}

function statusFailure(fault: Fault & { kind: 'status' }): Failure {
  const { status, code, message, headers } = fault;
  const usual = status === 429 ? { 'retry-after': '1' } : {};
  return new Failure(status, message, code, { ...usual, ...headers });
}

/** Applies faults of the JSON text to an answer. */
function spoiled(text: string, fault: Fault | undefined): string {
  if (fault?.kind === 'malformedJson') return text.slice(0, text.length / 2);
  if (fault?.kind === 'wrongSchema') return '{"records":{},"hasMore":"no"}';
  return text;
}
