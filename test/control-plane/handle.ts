import type { LogQueryRequest, LogTailRequest } from '../../src/api/types';
import { reported } from './admission';
import type { Face } from './face';
import { Failure, NoAnswer } from './failure';
import type { Fault } from './faults';
import type { ReceivedRequest } from './journal';
import { fittingCursors } from './logs';
import type { ApiAnswer, ApiRequest, Call, Parts } from './parts';
import { LogStream } from './stream';
import { type Unkindness, unkindly } from './unkind';
import { pause } from './wire';

const json = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Answers each request. What it throws is a missing answer, or an error of its own, which is
 * reported.
 */
export function createHandle(
  parts: Parts,
  face: Face,
): (request: ApiRequest) => Promise<ApiAnswer> {
  const { clock, journal, faults, cursors, on } = parts;

  /** Checks the key and the request; reports everything that is wrong with them. */
  function letIn(request: ApiRequest, received: ReceivedRequest, requestId: string): Call {
    const admitted = face.admit(request, received);
    const { operation, body } = admitted;
    checkLogs(operation, body, received);
    const hasCursor = typeof body === 'object' && body !== null && 'cursor' in body;
    const fault =
      faults.next(operation.id, { hasCursor, url: request.url }) ??
      slowness(operation, parts.unkind);
    return { ...admitted, fault, signal: request.signal, requestId };
  }

  /** Checks what the schema of a log request does not say. */
  function checkLogs({ id }: Call['operation'], body: unknown, received: ReceivedRequest): void {
    if (id !== 'post_logs_query' && id !== 'post_logs_tail') return;
    const { filters, cursor, direction } = body as LogQueryRequest;
    reported(parts, received, () => {
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
    const { status, answer: made } = await face.answer(call);
    const text = JSON.stringify(unkindly(made, parts.unkind));
    return { status, headers: json, body: spoiled(text, fault) };
  }

  return async (request) => {
    const requestId = face.requestIdOf(request);
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
      return {
        status,
        headers: { ...common, ...face.headersOf(request), ...headers },
        body,
        fault: call?.fault,
      };
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
        const { status, headers } = error;
        const fault = call?.fault;
        const body =
          (fault?.kind === 'status' ? fault.body : undefined) ??
          JSON.stringify(unkindly(face.failed(error, requestId, received), parts.unkind));
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
function slowness({ id }: Call['operation'], { latencyMs, drip }: Unkindness): Fault | undefined {
  if (id === 'post_logs_tail' || (latencyMs === undefined && drip === undefined)) return undefined;
  return {
    ...(drip === undefined ? { kind: 'latency' } : { kind: 'trickle', ...drip }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
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
