import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { Clock } from '../../src/base/clock';
import { isLoopbackHost } from '../host/loopbackHost';
import type { Admin } from './admin';
import { createCore, type Core, type CoreOptions } from './core';
import { BrokenOff, errorObject, NoAnswer } from './failure';
import type { Fault } from './faults';
import { createIngest } from './ingest';
import { sent } from './journal';
import { createRandom } from './random';
import { demoFolder } from './releases';
import type { ApiAnswer, Hooks } from './parts';
import { bytesOf, isBeforeHeaders, over, underFault } from './wire';
import type { World } from './world';

export { idAt } from './core';
export type { Admin } from './admin';
export type { Fault } from './faults';
export type { ReceivedRequest, Report, ReportKind } from './journal';
export type { Unkindness } from './unkind';
export type { World } from './world';

export interface ControlPlaneOptions extends CoreOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /**
   * Log files to follow. There is then no history, and nothing is generated unless `live` is set.
   */
  readonly ingest?: readonly string[];
  /** The names, such as that of a proxy in front of it, that it answers under besides those of loopback. */
  readonly hosts?: readonly string[];
}

/** A control plane on loopback, in this process. */
export interface ControlPlane {
  /** The base URL; the API is below `/v1/api`. */
  readonly url: string;
  /**
   * The current API keys by name: `demo-full`, `demo-readonly`, `demo-logs`, `demo-none` and
   * others.
   */
  readonly keys: Readonly<Record<string, string>>;
  /** The folder with the source files that stack traces in the logs name. */
  readonly demoFolder: string;
  readonly world: World;
  readonly admin: Admin;
  readonly on: Hooks;
  /** Adds records that are easy to tell apart: ten milliseconds apart, with the ids of `idAt`. */
  readonly append: Core['append'];
  /** Closes every connection and stops. */
  close(): Promise<void>;
}

/** A control plane that any page on this machine can reach. */
export interface ControlPlaneServer extends ControlPlane {
  /** Lets the pages of an origin send requests (CORS), which no page may otherwise. */
  allowOrigin(origin: string): void;
}

/**
 * Starts a control plane that follows the API strictly. Options say what can be set. Any web page can reach its port,
 * so its keys are random, and it answers neither pages of other origins nor under another name than that of loopback.
 */
export async function startControlPlane(
  options: ControlPlaneOptions = {},
): Promise<ControlPlaneServer> {
  const { ingest = [], hosts = [], port = 0, seed = 1 } = options;
  const ingested = ingest.length > 0 ? { live: false, historyRecords: 0 } : {};
  const server = createServer();
  server.keepAliveTimeout = 72_000;
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const portNow = (): number => (server.address() as AddressInfo).port;

  /** Stops the HTTP server and starts it again; keeps everything else. */
  async function restart(downMs: number): Promise<void> {
    const port = portNow();
    await stop();
    await delay(downMs);
    await listen(port);
  }

  const newSecret = (): string => randomBytes(12).toString('hex');
  const core = createCore({ graceMs: 250, newSecret, ...ingested, ...options }, restart);
  const { admin, world, on, append } = core;
  const origins = new Set<string>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { origin, host = '' } = request.headers;
    const isRefused =
      origin !== undefined && (core.unkind.noOtherOrigins === true || !origins.has(origin));
    if (!(isLoopbackHost(request) || hosts.includes(host)) || (isRefused && !core.answersPages)) {
      response.writeHead(403).end();
      return;
    }
    if (origin !== undefined && !isRefused) allowOrigin(origin, response);
    const isAdmin = request.url?.startsWith(adminPath) ?? false;
    const answered = isAdmin
      ? answerAdmin(admin, request, response)
      : answer(core, request, response);
    // An answer that fails here has failed for the client too; our own errors were reported.
    answered.catch(() => response.destroy());
  });

  await listen(port);
  const ingestion =
    ingest.length > 0
      ? createIngest(ingest, createRandom(seed).fork('ingest'), (one) => admin.emit([one]))
      : undefined;
  async function close(): Promise<void> {
    core.stopLive();
    await ingestion?.stop();
    await stop();
  }
  try {
    // Twice, since the last entry of a file is held back until a poll finds nothing new.
    await ingestion?.poll();
    await ingestion?.poll();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${portNow()}`,
    get keys() {
      return core.keys.values();
    },
    demoFolder,
    world,
    admin,
    on,
    append,
    close,
    allowOrigin: (origin) => void origins.add(origin),
  };
}

async function answer(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = new AbortController();
  response.once('close', () =>
    exchange.abort(response.writableFinished ? sent : new Error('The client has gone.')),
  );
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const body = await text(request);
  try {
    const answered = await core.handle({
      method: request.method ?? '',
      url: request.url ?? '',
      address: request.socket.remoteAddress ?? '',
      headers: request.headers,
      body: body === '' ? undefined : body,
      signal: exchange.signal,
    });
    await send(answered, response, core.clock, exchange.signal);
  } catch (error) {
    if (error instanceof BrokenOff) await breakOff(error.kind, response);
    else if (error instanceof NoAnswer) await breakOff('reset', response);
    else if (response.headersSent) response.destroy();
    else response.writeHead(500).end(JSON.stringify(errorObject('', 'mistake', String(error))));
  }
}

async function send(
  { status, headers, body, fault }: ApiAnswer,
  response: ServerResponse,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (isBeforeHeaders(fault)) {
    if (fault.kind === 'stall') await over(signal);
    else await breakOff(fault.kind, response);
    return;
  }
  const isGzip = fault?.kind === 'gzip' || fault?.kind === 'notGzip';
  response.writeHead(status, { ...headers, ...(isGzip ? { 'content-encoding': 'gzip' } : {}) });
  if (typeof body === 'string' && fault === undefined) {
    response.end(body);
    return;
  }
  // Otherwise the client would wait for its headers until the first record.
  response.flushHeaders();
  const bytes = fault?.kind === 'gzip' ? gzipped(body, fault) : bytesOf(body);
  const onTheWire: Fault | undefined =
    fault?.kind === 'gzip' && fault.afterBytes !== undefined
      ? { kind: fault.then ?? 'cut', afterBytes: fault.afterBytes }
      : fault;
  for await (const chunk of underFault(bytes, onTheWire, clock, signal)) {
    if (response.destroyed) return;
    // Makes the next page only when there is room for it: slow readers slow a stream down.
    if (!response.write(chunk)) await room(response);
  }
  response.end();
}

/** Allows requests of pages of an origin (CORS). */
function allowOrigin(origin: string, response: ServerResponse): void {
  const headers = {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
    'access-control-expose-headers': 'Retry-After, Date, X-Request-Id',
    'access-control-max-age': '600',
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

const adminPath = '/_admin/';

/**
 * `POST /_admin/<method>` with an array of arguments calls a method of `Admin`, for _Push a Change_ of
 * the demo. Not part of the API: no CORS, and refused for web pages.
 */
async function answerAdmin(
  admin: Admin,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const called: unknown = Reflect.get(admin, request.url?.slice(adminPath.length) ?? '');
  const args = JSON.parse(await text(request)) as unknown[];
  if (request.headers.origin !== undefined || typeof called !== 'function') {
    response.writeHead(403).end();
    return;
  }
  await Reflect.apply(called, admin, args);
  response.writeHead(204).end();
}

function room(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      response.off('drain', over).off('close', over);
      resolve();
    };
    response.on('drain', over).on('close', over);
  });
}

async function breakOff(kind: 'reset' | 'cut', response: ServerResponse): Promise<void> {
  // Until Node.js has handed over everything that was written.
  do await nextTurn();
  while (response.socket && !response.socket.destroyed && response.socket.writableLength > 0);
  // A client that gets bytes and RST together may take that for a normal end.
  if (kind === 'reset') await delay(5);
  if (!response.socket) return;
  // `resetAndDestroy` first ends the connection normally, which the client sees; with this internal
  // member of Node.js, destroying sends only RST.
  if (kind === 'reset') Reflect.set(response.socket, 'resetAndClosing', true);
  response.socket.destroy();
}

function gzipped(
  body: ApiAnswer['body'],
  { flushed }: Fault & { kind: 'gzip' },
): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ flush: flushed ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH });
  return Readable.from(bytesOf(body), { objectMode: false }).pipe(gzip) as AsyncIterable<Buffer>;
}
