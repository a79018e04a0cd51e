import type { Clock } from '../../src/base/clock';
import type { LogQueryRequest, LogRecord, LogTailRequest } from '../../src/api/types';
import { createCore, type CoreOptions } from './core';
import { countTimers } from './countTimers';
import { BrokenOff, NoAnswer } from './failure';
import { sent } from './journal';
import type { ApiAnswer } from './parts';
import type { LogStream } from './stream';
import { bytesOf, isBeforeHeaders, over, underFault } from './wire';
import type { ControlPlane } from './server';
import { demoFolder } from './releases';

export { idAt } from './core';
export { Failure, NoAnswer } from './failure';
export { event, type LogStream } from './stream';

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
  /** Ends it at once, and discards what has not been read yet; the default is a reset. */
  lose: (reason?: Error) => void;
}

export function inMemoryControlPlane(options: InMemoryOptions): InMemoryControlPlane {
  const { chunk, url = 'https://control-plane.example' } = options;
  const clock = countTimers(options.clock);
  let downUntil = -Infinity;
  /** Open exchanges. Held here because a collected request would not receive its abort. */
  const exchanges = new Set<Exchange>();
  const connects: { at: number; request: LogTailRequest }[] = [];
  const queries: LogQueryRequest[] = [];

  async function restart(downMs: number): Promise<void> {
    downUntil = clock.monotonic() + downMs;
    for (const exchange of [...exchanges]) exchange.lose();
    await new Promise<void>((resolve) => clock.setTimer(resolve, downMs));
  }

  const core = createCore({ live: false, historyRecords: 0, ...options, clock }, restart);
  const { store, admin, world, cursors, streams, journal, on, append } = core;
  const key = core.keys.named('demo-full');

  function log(path: string, text = ''): void {
    if (!path.startsWith('/v1/api/logs/')) return;
    let request: unknown;
    try {
      request = JSON.parse(text);
    } catch {
      return;
    }
    if (path.endsWith('/query')) queries.push(request as LogQueryRequest);
    else connects.push({ at: clock.monotonic(), request: request as LogTailRequest });
  }

  async function answer(exchange: Exchange): Promise<Response> {
    const { request, controller } = exchange;
    if (!request.url.startsWith(`${url}/`)) throw new NoAnswer('ENOTFOUND');
    if (plane.unreachable !== undefined) throw new NoAnswer(plane.unreachable);
    if (clock.monotonic() < downUntil) throw new NoAnswer('ECONNREFUSED');
    const body = request.body === null ? undefined : await request.text();
    // A request aborted before it was sent does not arrive.
    controller.signal.throwIfAborted();
    const path = request.url.slice(url.length);
    log(path, body);
    const answered = await core.handle({
      method: request.method,
      url: path,
      address: 'memory',
      headers: Object.fromEntries(request.headers),
      body,
      signal: controller.signal,
    });
    const { fault, status, headers } = answered;
    if (isBeforeHeaders(fault)) {
      if (fault.kind === 'stall') await over(controller.signal);
      throw new NoAnswer(fault.kind === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET');
    }
    if (status === 204 || (typeof answered.body === 'string' && !fault && !chunk)) {
      controller.abort(sent);
      return new Response(status === 204 ? null : (answered.body as string), { status, headers });
    }
    return new Response(bodyOf(answered, exchange), { status, headers });
  }

  /** In pieces of the size that the test wants. */
  async function* pieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      let at = 0;
      while (at < piece.length) {
        const start = at;
        at += chunk?.() ?? piece.length;
        yield piece.subarray(start, at);
      }
    }
  }

  /** The body of an answer: reads ahead as network buffers do, and loses that on a reset. */
  function bodyOf({ body, fault }: ApiAnswer, exchange: Exchange): ReadableStream<Uint8Array> {
    if (fault?.kind === 'gzip' || fault?.kind === 'notGzip')
      throw new Error('Only a real connection compresses.');
    const { controller } = exchange;
    const made = pieces(underFault(bytesOf(body), fault, clock, controller.signal));
    /** Breaks the connection off, once everything before it was read. */
    let cut: Error | undefined;
    const onCut = (reader: ReadableStreamDefaultController): void => {
      if (reader.desiredSize === buffered) reader.error(cut);
    };
    return new ReadableStream<Uint8Array>(
      {
        start(reader) {
          exchange.lose = (reason = broken()) => {
            reader.error(reason);
            controller.abort(reason);
          };
        },
        async pull(reader) {
          if (cut) {
            onCut(reader);
            return;
          }
          try {
            const next = await made.next();
            if (controller.signal.aborted) return;
            if (!next.done) reader.enqueue(next.value);
            else {
              reader.close();
              controller.abort(sent);
            }
          } catch (error) {
            if (error instanceof BrokenOff && error.kind === 'cut') {
              cut = broken('UND_ERR_SOCKET');
              controller.abort(cut);
              onCut(reader);
            } else exchange.lose(error instanceof BrokenOff ? undefined : (error as Error));
          }
        },
        cancel: () => controller.abort(new Error('The client has gone.')),
      },
      { highWaterMark: buffered, size: ({ length }) => length },
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
    append,
    unreachable: undefined,
    connects,
    queries,
    get log() {
      return store.all();
    },
    get open() {
      return [...streams];
    },
    get mostOpen() {
      return journal.mostStreams;
    },
    get liveTimers() {
      return clock.liveTimers;
    },
    fetch(request) {
      return new Promise((resolve, reject) => {
        const controller = new AbortController();
        const exchange: Exchange = {
          request,
          controller,
          lose(reason = unanswered()) {
            reject(reason);
            controller.abort(reason);
          },
        };
        const { signal } = request;
        const onAbort = (): void => exchange.lose(signal.reason as Error);
        if (signal.aborted) {
          onAbort();
          return;
        }
        exchanges.add(exchange);
        controller.signal.addEventListener('abort', () => exchanges.delete(exchange));
        signal.addEventListener('abort', onAbort, { signal: controller.signal });
        answer(exchange).then(resolve, (error: unknown) =>
          exchange.lose(error instanceof NoAnswer ? unanswered(error.code) : (error as Error)),
        );
      });
    },
    cursor: (index, filters) =>
      cursors.issue(key, filters, { kind: 'follow', at: index, end: index, time: clock.now() }),
    positionOf: (cursor) => (cursor === undefined ? undefined : cursors.at(cursor)),
    close() {
      core.stopLive();
      for (const exchange of [...exchanges]) exchange.lose();
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
