import type { Clock } from '../../src/base/clock';
import type { LogQueryRequest, LogRecord, LogTailRequest } from '../../src/api/types';
import { createCore, type CoreOptions } from './core';
import { countTimers } from './countTimers';
import { BrokenOff, NoAnswer } from './failure';
import { sent } from './journal';
import type { ApiAnswer, Hooks, LogStream } from './parts';
import { bytesOf, isBeforeHeaders, over, underFault } from './wire';
import type { ControlPlane } from './server';
import { demoFolder } from './releases';

export { idAt } from './core';
export { Failure, NoAnswer } from './failure';
export { event } from './stream';
export type { LogStream } from './parts';

export interface InMemoryOptions extends CoreOptions {
  /** Only the test moves this clock: nothing happens by itself. */
  readonly clock: Clock;
  /** The base URL, which may have a path (https://control-plane.example). */
  readonly url?: string;
  /** The size of the pieces of a body, in bytes; default: as they were sent. */
  readonly chunk?: () => number;
}

/**
 * The control plane behind a `fetch` of its own: the same core that answers over HTTP, without a
 * socket. All time is that of the injected clock, so a day of stream life passes in a moment.
 *
 * - Pass `fetch` to a client with the base URL `url`, and `key` (or one of `keys`) as its token.
 * - `append` and `admin` are those of every control plane: faults, unkindness, keys, reports.
 * - `on.query`, `on.connect`, `on.page` and `on.open` are called for each log request: they can
 *   change it, wait, or throw a `Failure` (the status of the answer) or `NoAnswer` (no answer).
 * - `open` lists the open streams, each with its controls: send, hold, end, fail, cut, reset.
 */
export interface InMemoryControlPlane extends ControlPlane {
  /** The value of `demo-full`. */
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * The Node.js error code of a failed connection (`ECONNREFUSED`, `ENOTFOUND`); undefined if it is
   * reachable.
   */
  unreachable: string | undefined;
  /** All records that the server keeps, in its order. */
  readonly log: readonly LogRecord[];
  /** Every stream request that arrived; `at` is monotonic time. */
  readonly connects: readonly { readonly at: number; readonly request: LogTailRequest }[];
  /** Every query that arrived. */
  readonly queries: readonly LogQueryRequest[];
  /** The open streams, oldest first. */
  readonly open: readonly LogStream[];
  /** The highest number of streams open at the same time. */
  readonly mostOpen: number;
  /** Timers of the clock that belong to the server, which a test does not count as the client's. */
  readonly liveTimers: number;
  /** A stream cursor after this many records of the log, for the filters of a request. */
  cursor(index: number, filters: LogTailRequest['filters']): string;
  /** How many records precede the position of a cursor. */
  positionOf(cursor: string | undefined): number | undefined;
}

/** A server waits for its reader when this many bytes are in transit. */
const buffered = 65_536;

interface Exchange {
  readonly request: Request;
  /** Aborted when the exchange has ended. */
  readonly controller: AbortController;
  /** Discards what has not been read yet. */
  reset: () => void;
}

export function inMemoryControlPlane(options: InMemoryOptions): InMemoryControlPlane {
  const { chunk, url = 'https://control-plane.example' } = options;
  const clock = countTimers(options.clock);
  let downUntil = -Infinity;
  /** Open exchanges. Held here because a collected request would not receive its abort. */
  const exchanges = new Set<Exchange>();
  const connects: { at: number; request: LogTailRequest }[] = [];
  const queries: LogQueryRequest[] = [];
  let mostOpen = 0;

  async function restart(downMs: number): Promise<void> {
    downUntil = clock.monotonic() + downMs;
    for (const exchange of [...exchanges]) exchange.reset();
    await new Promise<void>((resolve) => clock.setTimer(resolve, downMs));
  }

  const core = createCore(
    { live: false, historyRecords: 0, heartbeatSeconds: 0, ...options, clock },
    restart,
  );
  const { store, admin, world, cursors, streams } = core;
  const key = core.keys.named('demo-full');

  const on: Hooks = { ...core.on };
  core.on.query = (request) => on.query(request);
  core.on.connect = (request) => on.connect(request);
  core.on.page = (page, request) => on.page(page, request);
  core.on.open = (stream) => {
    mostOpen = Math.max(mostOpen, streams.size);
    on.open(stream);
  };

  function note(path: string, text: string | undefined): void {
    const asked = path === '/v1/api/logs/tail' ? 'tail' : path === '/v1/api/logs/query' && 'query';
    if (!asked || text === undefined) return;
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return;
    }
    if (asked === 'query') queries.push(body as LogQueryRequest);
    else connects.push({ at: clock.monotonic(), request: body as LogTailRequest });
  }

  async function answer(exchange: Exchange): Promise<Response> {
    const { request } = exchange;
    if (!request.url.startsWith(`${url}/`)) throw new NoAnswer('ENOTFOUND');
    if (plane.unreachable !== undefined) throw new NoAnswer(plane.unreachable);
    if (clock.monotonic() < downUntil) throw new NoAnswer('ECONNREFUSED');
    const body = request.body === null ? undefined : await request.text();
    const { signal } = exchange.controller;
    // A request aborted before it was sent does not arrive.
    signal.throwIfAborted();
    const path = request.url.slice(url.length);
    note(path, body);
    const answered = await core.handle({
      method: request.method,
      url: path,
      headers: Object.fromEntries(request.headers),
      body,
      signal,
    });
    const { fault, status, headers } = answered;
    if (isBeforeHeaders(fault)) {
      if (fault.kind === 'stall') await over(signal);
      throw new NoAnswer(fault.kind === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET');
    }
    if (status === 204) {
      exchange.controller.abort(sent);
      return new Response(null, { status, headers });
    }
    if (typeof answered.body === 'string' && fault === undefined && chunk === undefined) {
      exchange.controller.abort(sent);
      return new Response(answered.body, { status, headers });
    }
    return new Response(stream(answered, exchange), { status, headers });
  }

  /** The body of an answer: reads ahead as network buffers do, and loses that on a reset. */
  function stream({ body, fault }: ApiAnswer, exchange: Exchange): ReadableStream<Uint8Array> {
    const { controller } = exchange;
    const { signal } = exchange.request;
    if (fault?.kind === 'gzip' || fault?.kind === 'notGzip')
      throw new Error('Only a real connection compresses.');
    const bytes = underFault(bytesOf(body), fault, clock, controller.signal);
    const queue: Uint8Array[] = [];
    let size = 0;
    let ending: { readonly error: unknown } | undefined;
    let wakeReader: (() => void) | undefined;
    let wakeWriter: (() => void) | undefined;

    function end(error: unknown): void {
      if (ending) return;
      ending = { error };
      signal.removeEventListener('abort', onAbort);
      controller.abort(error === undefined ? sent : error);
      wakeReader?.();
      wakeWriter?.();
    }
    function lose(error: unknown): void {
      queue.length = 0;
      end(error);
    }
    const onAbort = (): void => lose(signal.reason);
    exchange.reset = () => lose(broken());
    signal.addEventListener('abort', onAbort);

    async function read(): Promise<void> {
      try {
        for await (const piece of bytes) {
          if (ending) return;
          for (let at = 0; at < piece.length;) {
            const taken = piece.subarray(at, at + (chunk?.() ?? piece.length));
            queue.push(taken);
            size += taken.length;
            at += taken.length;
          }
          wakeReader?.();
          while (size >= buffered && !controller.signal.aborted) {
            await new Promise<void>((resolve) => (wakeWriter = resolve));
          }
        }
        end(undefined);
      } catch (error) {
        if (!(error instanceof BrokenOff)) lose(error);
        else if (error.kind === 'reset') lose(broken());
        else end(broken('UND_ERR_SOCKET'));
      }
    }
    void read();

    return new ReadableStream<Uint8Array>(
      {
        async pull(reader) {
          for (;;) {
            const next = queue.shift();
            if (next) {
              size -= next.length;
              wakeWriter?.();
              reader.enqueue(next);
              return;
            }
            if (ending) {
              if (ending.error === undefined) reader.close();
              else reader.error(ending.error);
              return;
            }
            await new Promise<void>((resolve) => (wakeReader = resolve));
          }
        },
        cancel: () => lose(new Error('The client has gone.')),
      },
      { highWaterMark: 0 },
    );
  }

  const plane: InMemoryControlPlane = {
    url,
    key: key.value,
    get keys() {
      return core.keys.values();
    },
    demoFolder,
    admin,
    world,
    on,
    unreachable: undefined,
    connects,
    queries,
    get log() {
      return Array.from({ length: store.end - store.first }, (_, index) =>
        store.at(store.first + index),
      );
    },
    get open() {
      return [...streams];
    },
    get mostOpen() {
      return mostOpen;
    },
    get liveTimers() {
      return clock.liveTimers;
    },
    fetch(request) {
      const { signal } = request;
      return new Promise((resolve, reject) => {
        const controller = new AbortController();
        const fail = (reason: Error): void => {
          reject(reason);
          controller.abort(reason);
        };
        const exchange: Exchange = { request, controller, reset: () => fail(unanswered()) };
        const onAbort = (): void => fail(signal.reason as Error);
        if (signal.aborted) {
          onAbort();
          return;
        }
        exchanges.add(exchange);
        controller.signal.addEventListener('abort', () => exchanges.delete(exchange));
        signal.addEventListener('abort', onAbort);
        answer(exchange)
          .then(resolve, (error: unknown) =>
            fail(error instanceof NoAnswer ? unanswered(error.code) : (error as Error)),
          )
          .finally(() => signal.removeEventListener('abort', onAbort));
      });
    },
    append: core.append,
    cursor: (index, filters) =>
      cursors.issue(key, filters, { kind: 'follow', at: index, end: index, time: clock.now() }),
    positionOf: (cursor) => (cursor === undefined ? undefined : cursors.at(cursor)),
    close() {
      core.live.setRate(0);
      for (const exchange of [...exchanges]) exchange.reset();
      return Promise.resolve();
    },
  };
  return plane;
}

/** The error of Node.js for a missing answer. */
function unanswered(code = 'ECONNRESET'): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

/** The error of Node.js for a body that broke off. */
function broken(code = 'ECONNRESET'): TypeError {
  return new TypeError('terminated', { cause: Object.assign(new Error(code), { code }) });
}
