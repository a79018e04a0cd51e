import type { Clock } from '../../src/api/clock';
import type { LogPage, LogQueryRequest, LogRecord, LogTailRequest } from '../../src/api/types';
import { systemClock } from '../../src/platform/clock';
import { createAdmin, type Admin } from './admin';
import { checkedBody, checkedParameters, findOperation, type Operation } from './contract';
import { createCursors, type Cursors } from './cursors';
import { codeOf, errorText, Failure, NoAnswer } from './failure';
import { createFaults, type Fault, type Faults } from './faults';
import { createGenerator, createLive, type Generator, type Live } from './generator';
import { createJournal, type Journal, type ReceivedRequest } from './journal';
import { createKeys, type Key, type Keys } from './keys';
import { localizationOf } from './localization';
import { fittingCursors, queryLogs } from './logs';
import { createRandom } from './random';
import { createRecordStore, type RecordStore } from './records';
import { openStream, type LogStream } from './stream';
import { unkindly, type Unkindness } from './unkind';
import { pause } from './wire';
import { createWorkspace, workspaceHandlers, type Workspace } from './workspaceApi';
import { createWorld, type World } from './world';

export interface CoreOptions {
  /** What everything made up comes from (1). */
  readonly seed?: number;
  /** Time: of timestamps and the Date header, and all that the server waits for. */
  readonly clock?: Clock;
  /** After how long a stream is closed (300). */
  readonly streamSeconds?: number;
  /** The spacing of the comments in a stream (15); 0 for none. */
  readonly heartbeatSeconds?: number;
  /** The rate of the records that are made up (8). */
  readonly logsPerSecond?: number;
  /** Whether records are made up as time goes by (true). */
  readonly live?: boolean;
  /** How many records of the last day there are at the start (20,000). */
  readonly historyRecords?: number;
  /** How many records are held (1,000,000). */
  readonly maxRecords?: number;
  /** Whether a cursor is bound to `from` and `to` as to every other filter (true). */
  readonly requiresExactRange?: boolean;
  /** How long an operation and each step of a deployment take (4). */
  readonly operationSeconds?: number;
  /** How the server is unkind, until it is told to be otherwise; a reset goes back to this. */
  readonly unkind?: Unkindness;
}

/** A request as any kind of connection hands it on. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | undefined;
  /** Aborted when the exchange is over: with the reason `sent` (journal.ts), or when the client goes. */
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string | Uint8Array>;
  /** What goes wrong; what is left of it is what the connection does with the bytes. */
  readonly fault: Fault | undefined;
  /** Where the body is a log stream. */
  readonly stream: LogStream | undefined;
}

/** A request that was let in. */
export interface Call {
  readonly key: Key;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** As the contract wants it; undefined where there is none. */
  readonly body: unknown;
  readonly fault: Fault | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

export type Handler = (call: Call) => { readonly status?: number; readonly json: object };

/**
 * What a test has to say to each request for logs, once it is known to be good: what it throws is the
 * answer (`Failure`), or that there is none (`NoAnswer`).
 */
export interface Hooks {
  query: (request: LogQueryRequest) => void | Promise<void>;
  connect: (request: LogTailRequest) => void | Promise<void>;
  /** The page as it goes out, of a query or a stream. */
  page: <Page extends LogPage>(page: Page, request: LogQueryRequest | LogTailRequest) => Page;
  /** A stream has opened, and nothing of it was sent yet. */
  open: (stream: LogStream) => void;
}

/** What the parts of the control plane share. */
export interface Parts {
  readonly clock: Clock;
  readonly streamSeconds: number;
  readonly heartbeatSeconds: number;
  readonly world: World;
  readonly keys: Keys;
  readonly store: RecordStore;
  readonly cursors: Cursors;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly generator: Generator;
  readonly live: Live;
  readonly streams: Set<LogStream>;
  readonly unkind: Unkindness;
  readonly unkindAtStart: Unkindness;
  readonly on: Hooks;
  /** Made when it is first asked for. */
  readonly workspace: () => Workspace;
  /** A new UUID. */
  readonly newId: () => string;
  readonly restart: (downMs: number) => Promise<void>;
}

/** A control plane without a connection: what an answer means is here and nowhere else. */
export interface Core {
  readonly admin: Admin;
  readonly world: World;
  readonly keys: Keys;
  readonly store: RecordStore;
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** Open log streams, oldest first. */
  readonly streams: ReadonlySet<LogStream>;
  readonly on: Hooks;
  /** @throws NoAnswer, or a mistake of the control plane itself, which is reported. */
  handle(request: ApiRequest): Promise<ApiAnswer>;
  /** A record of which nothing in particular is known. */
  newRecord(): LogRecord;
  stop(): void;
}

const day = 24 * 60 * 60 * 1000;
const maxBody = 262_144;
const json = { 'content-type': 'application/json; charset=utf-8' };

/** @param restart what an administrator does to the server that this is the core of. */
export function createCore(options: CoreOptions, restart: Parts['restart']): Core {
  const { clock = systemClock, seed = 1, historyRecords = 20_000, operationSeconds = 4 } = options;
  const random = createRandom(seed);
  const ids = random.fork('requests');
  const world = createWorld(random.fork('world'), clock.now());
  const store = createRecordStore(options.maxRecords ?? 1_000_000);
  const generator = createGenerator(world, random.fork('logs'));
  if (historyRecords > 0) {
    store.append(generator.make(historyRecords, world.startedAt - day, world.startedAt));
  }
  let workspace: Workspace | undefined;
  const unkind = { ...options.unkind };
  const parts: Parts = {
    clock,
    world,
    store,
    generator,
    unkind,
    unkindAtStart: options.unkind ?? {},
    streamSeconds: options.streamSeconds ?? 300,
    heartbeatSeconds: options.heartbeatSeconds ?? 15,
    keys: createKeys(random.fork('keys')),
    cursors: createCursors(random.fork('cursors').hex(32), {
      exactRange: options.requiresExactRange ?? true,
      isVague: () => parts.unkind.vagueCursors ?? false,
    }),
    faults: createFaults(),
    journal: createJournal(clock),
    live: createLive(clock, random.fork('live'), (count) => admin.emit(count)),
    streams: new Set(),
    on: {
      query: () => undefined,
      connect: () => undefined,
      page: (page) => page,
      open: () => undefined,
    },
    workspace: () =>
      (workspace ??= createWorkspace(world, random, {
        now: () => clock.now(),
        stepSeconds: operationSeconds,
      })),
    newId: () => ids.uuid(),
    restart,
  };
  const admin: Admin = createAdmin(parts);
  if (options.live ?? true) parts.live.setRate(options.logsPerSecond ?? 8);
  const { keys, cursors, streams, on } = parts;
  const handle = createHandle(parts, () => `req_${ids.hex(12)}`);
  return {
    admin,
    world,
    keys,
    store,
    cursors,
    clock,
    streams,
    on,
    handle,
    newRecord: () => generator.fill({}, clock.now()),
    stop: () => parts.live.setRate(0),
  };
}

function createHandle(parts: Parts, newRequestId: () => string): Core['handle'] {
  const { clock, journal, keys, faults, cursors, on } = parts;
  const handlers = workspaceHandlers(parts);

  /** The key and what is asked for with it; everything that is wrong with that is reported here. */
  function letIn(request: ApiRequest, received: ReceivedRequest, requestId: string): Call {
    const { method, url, headers, body: text, signal } = request;
    const value = /^Bearer (\S+)$/i.exec(single(headers['authorization']) ?? '')?.[1] ?? '';
    const key = keys.find(value);
    if (!key) {
      if (keys.isForeign(value)) {
        journal.report('foreignKey', 'The key is one of another control plane.', received);
      }
      throw new Failure(401, 'The API key is missing or not valid.');
    }
    received.key = key.name;
    if (key.forbidden) {
      journal.report('forbiddenKey', `Nothing may be asked with ${key.name} any more.`, received);
    }
    const asked = reported(received, () => findOperation(method, url));
    const { operation } = asked;
    if (operation.id !== 'post_logs_tail') journal.begins(key, received, signal);
    journal.arrives(key, [operation.id, url], received);
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
    const fault = faults.take(operation.id, { hasCursor, url });
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

  /** What the schema of a request for logs does not say. */
  function checkLogs({ id }: Operation, body: unknown, received: ReceivedRequest): void {
    if (id !== 'post_logs_query' && id !== 'post_logs_tail') return;
    const { filters, cursor, direction } = body as LogQueryRequest;
    if (Date.parse(filters.from) > Date.parse(filters.to)) {
      journal.report('brokenContract', 'filters.from lies after filters.to.', received);
      throw new Failure(400, 'filters.from lies after filters.to.');
    }
    if (cursor === undefined) return;
    const kinds = fittingCursors(id === 'post_logs_tail' ? 'tail' : direction);
    const misuse = cursors.misuse(cursor, filters, kinds);
    if (misuse) journal.report(misuse, 'The cursor does not belong here.', received);
  }

  /** 403 for what a test does not allow of what the key may do. */
  function checkForbidden({ parameters, body }: Call): void {
    const { forbiddenIds = [] } = parts.unkind;
    if (forbiddenIds.length === 0) return;
    const text = JSON.stringify([parameters, body]).toLowerCase();
    const id = forbiddenIds.find((one) => text.includes(one.toLowerCase()));
    if (id !== undefined) throw new Failure(403, `There is no access to ${id}.`);
  }

  async function answer(call: Call): Promise<Pick<ApiAnswer, 'status' | 'body' | 'stream'>> {
    checkForbidden(call);
    if (call.operation.id === 'post_logs_tail') {
      await on.connect(call.body as LogTailRequest);
      const { stream, body } = openStream(parts, call);
      on.open(stream);
      return { status: 200, body, stream };
    }
    const { status = 200, json: made } =
      call.operation.id === 'post_logs_query'
        ? { json: await queryLogs(parts, call) }
        : (handlers[call.operation.id] ?? notServed)(call);
    const whole = { ...made, localization: localizationOf(made) };
    const body = spoiled(JSON.stringify(unkindly(whole, parts.unkind)), call.fault);
    return { status, body, stream: undefined };
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
    const common = {
      'x-request-id': requestId,
      date: new Date(clock.now()).toUTCString(),
    };
    let call: Call | undefined;

    function finish(
      status: number,
      headers: Readonly<Record<string, string>>,
      body: ApiAnswer['body'],
      stream?: LogStream,
    ): ApiAnswer {
      if (!request.signal.aborted) received.status = status;
      const retryAfter = headers['retry-after'];
      if (call && status === 429 && retryAfter !== undefined) {
        const place = call.fault?.path === undefined ? call.operation.id : request.url;
        journal.refusedForRate(call.key, place, retryAfter);
      }
      return { status, headers: { ...common, ...headers }, body, fault: call?.fault, stream };
    }
    const refused = ({ status, code, message, headers }: Failure): ApiAnswer => {
      const error = JSON.parse(errorText(requestId, code, message)) as object;
      const text = JSON.stringify(unkindly(error, parts.unkind));
      return finish(status, { ...json, ...headers }, text);
    };

    try {
      call = letIn(request, received, requestId);
      const { fault } = call;
      if (fault?.latencyMs !== undefined) await pause(clock, fault.latencyMs, request.signal);
      const instead = await insteadOf(parts, call);
      if (instead) return finish(instead.status, instead.headers, instead.body);
      const { status, body, stream } = await answer(call);
      if (fault?.kind === 'status') throw statusFailure(fault);
      return finish(status, stream ? ofStream : json, body, stream);
    } catch (error) {
      const fault = call?.fault;
      if (error instanceof Failure) {
        if (fault?.kind === 'status' && fault.body !== undefined) {
          return finish(error.status, { ...json, ...error.headers }, fault.body);
        }
        return refused(error);
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

function notServed({ operation }: Call): never {
  throw new Error(`Nothing serves ${operation.id}.`);
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

/** Faults that answer in place of the operation, or change what the key may do before it. */
async function insteadOf(
  { keys, restart }: Parts,
  { fault, key, operation }: Call,
): Promise<{ status: number; headers: Record<string, string>; body: string } | undefined> {
  const perPage = operation.id === 'post_logs_tail';
  switch (fault?.kind) {
    case 'status':
      if (!fault.accepted) throw statusFailure(fault);
      return undefined;
    case 'cursorRefused': {
      const { status = 410, code = 'cursor_expired' } = fault;
      throw new Failure(status, 'The cursor is refused.', code);
    }
    case 'redirect':
      return { status: fault.status ?? 302, headers: { location: fault.location }, body: '' };
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><title>Sign in</title><h1>Please sign in to the network</h1>\n',
      };
    case 'noContent':
      return { status: 204, headers: {}, body: '' };
    case 'accessRevision':
      if (!perPage) keys.change(key.name);
      return undefined;
    case 'revokeKey':
      if (perPage) return undefined;
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
  const { status, code = codeOf(status), message, headers } = fault;
  const usual = status === 429 ? { 'retry-after': '1' } : {};
  return new Failure(status, message, code, { ...usual, ...headers });
}

/** The answer of an operation, but for its JSON. */
function spoiled(text: string, fault: Fault | undefined): string {
  if (fault?.kind === 'malformedJson') return text.slice(0, -1 - Math.floor(text.length / 3));
  if (fault?.kind === 'wrongSchema') return '{"records":{},"hasMore":"no"}';
  return text;
}
