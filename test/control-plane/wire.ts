import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { Fault } from './faults';

type Body = string | Buffer | Readable;

/** Resolves once the response's connection is closed. */
async function closed(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return;
  await new Promise<void>((resolve) => response.once('close', resolve));
}

/** Waits so many milliseconds, or until the connection is closed. */
export async function pause(response: ServerResponse, ms: number): Promise<void> {
  if (response.closed || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      response.off('close', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    response.once('close', over);
  });
}

/** Waits until what was written has left this process, as far as Node knows. */
async function flushed(response: ServerResponse): Promise<void> {
  do await nextTurn();
  while (response.socket && !response.socket.destroyed && response.socket.writableLength > 0);
}

async function act(kind: 'reset' | 'cut' | 'end' | 'stall', response: ServerResponse) {
  await flushed(response);
  switch (kind) {
    case 'reset':
      // A client that gets bytes and RST at once may take it for an end in good order.
      await pause(response, 5);
      if (!response.socket) return;
      // `resetAndDestroy` ends the connection in good order first, and the client sees that; with
      // this member of Node's own, destroying sends RST and nothing else.
      Reflect.set(response.socket, 'resetAndClosing', true);
      response.socket.destroy();
      return;
    case 'cut':
      response.socket?.destroy();
      return;
    case 'stall':
      return closed(response);
    case 'end':
      return;
  }
}

async function* chunksOf(body: Body): AsyncGenerator<Buffer> {
  if (body instanceof Readable) {
    for await (const chunk of body as AsyncIterable<Buffer | string>) yield Buffer.from(chunk);
  } else yield Buffer.from(body);
}

async function* cutAt(
  body: Body,
  response: ServerResponse,
  kind: 'reset' | 'cut' | 'end' | 'stall',
  after: number,
) {
  response.flushHeaders();
  let left = after;
  if (left > 0) {
    for await (const chunk of chunksOf(body)) {
      if (chunk.length < left) {
        left -= chunk.length;
        yield chunk;
        continue;
      }
      yield chunk.subarray(0, left);
      left = 0;
      break;
    }
  }
  if (left === 0) await act(kind, response);
}

async function* trickle(body: Body, response: ServerResponse, bytes: number, ms: number) {
  for await (const chunk of chunksOf(body)) {
    for (let at = 0; at < chunk.length && !response.destroyed; at += bytes) {
      yield chunk.subarray(at, at + bytes);
      await pause(response, ms);
    }
  }
}

async function* gzipped(body: Body, flushed: boolean): AsyncGenerator<Buffer> {
  const gzip = createGzip({ flush: flushed ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH });
  // Whoever reads `gzip` hears of a failure.
  pipeline(Readable.from(chunksOf(body)), gzip, () => undefined);
  yield* gzip as AsyncIterable<Buffer>;
}

/**
 * The body as it goes out under a fault of the wire; other faults leave it alone. Bytes go out exactly
 * up to the limit: a body that is shorter is not touched.
 */
export async function faultyBody<Kept>(
  fault: Fault,
  body: Kept,
  response: ServerResponse,
): Promise<Kept | Readable | string> {
  if (!(typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable)) return body;
  switch (fault.kind) {
    case 'trickle':
      return Readable.from(trickle(body, response, fault.bytes, fault.ms), { objectMode: false });
    case 'gzip': {
      response.setHeader('content-encoding', 'gzip');
      const compressed = Readable.from(gzipped(body, fault.flushed ?? false), {
        objectMode: false,
      });
      return fault.afterBytes === undefined
        ? compressed
        : Readable.from(cutAt(compressed, response, 'cut', fault.afterBytes), {
            objectMode: false,
          });
    }
    case 'reset':
    case 'cut':
    case 'stall':
    case 'end':
      if (fault.afterBytes === undefined && fault.kind !== 'end') {
        await act(fault.kind, response);
        return '';
      }
      return Readable.from(cutAt(body, response, fault.kind, fault.afterBytes ?? 0), {
        objectMode: false,
      });
    default:
      return body;
  }
}
