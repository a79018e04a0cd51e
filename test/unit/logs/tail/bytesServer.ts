import type { ControlPlaneClient } from '../../../../src/api/client';
import { createClient } from '../../../../src/api/createClient';
import type { Clock } from '../../../../src/api/clock';
import { ApiError } from '../../../../src/api/errors';
import type { StreamItem } from '../../../../src/api/streamItem';
import type { LogQueryRequest, LogTailRequest } from '../../../../src/api/types';
import { defaults } from '../../api/inMemoryServer';
import type { SimulatedServer } from './simulatedServer';

/** How the body of a stream is cut off. */
export interface Cut {
  /** So many bytes come. */
  readonly after: number;
  /** Whether the end looks as if it were one, or breaks the connection. */
  readonly isClean: boolean;
}

export interface BytesOptions {
  /** Where the `connect`-th stream (from 1) is cut; undefined: not at all. */
  readonly cut: (connect: number) => Cut | undefined;
  /** How many bytes come at once. */
  readonly chunk?: () => number;
}

/** The real client, whose fetch ends at a simulated server: all bytes in between are real. */
export function bytesClient(
  server: SimulatedServer,
  clock: Clock,
  random: () => number,
  { cut, chunk = () => Infinity }: BytesOptions,
): ControlPlaneClient {
  let connects = 0;

  const answer = async (request: Request): Promise<Response> => {
    const body = await request.json();
    const { signal } = request;
    if (request.url.endsWith('/logs/query')) {
      return Response.json(await server.client.queryLogs(body as LogQueryRequest, { signal }));
    }
    const items = await server.client.openLogStream(body as LogTailRequest, { signal });
    const bytes = cutOff(chunksOf(items, chunk), cut(++connects));
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(streamOf(bytes), { headers });
  };

  return createClient({
    baseUrl: 'https://control-plane.example',
    token: () => Promise.resolve('key-1'),
    clock,
    random,
    settings: () => defaults,
    async fetch(request) {
      try {
        return await answer(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'http') throw error;
        const { status = 500, code, message, requestId = '' } = error;
        return Response.json({ error: { code, message, requestId } }, { status });
      }
    },
  });
}

const encoder = new TextEncoder();

/** What an item looks like on the wire. */
export function encode(item: StreamItem): Uint8Array {
  switch (item.kind) {
    case 'heartbeat':
      return encoder.encode(': heartbeat\n\n');
    case 'retry':
      return encoder.encode(`retry: ${item.ms}\n\n`);
    case 'page':
      return encoder.encode(`event: records\ndata: ${JSON.stringify(item.page)}\n\n`);
  }
}

async function* chunksOf(
  stream: AsyncIterable<readonly StreamItem[]>,
  chunk: () => number,
): AsyncGenerator<Uint8Array> {
  for await (const items of stream) {
    for (const item of items) {
      let rest = encode(item);
      while (rest.length > 0) {
        const size = Math.min(rest.length, chunk());
        yield rest.subarray(0, size);
        rest = rest.subarray(size);
      }
    }
  }
}

async function* cutOff(
  chunks: AsyncIterable<Uint8Array>,
  cut: Cut | undefined,
): AsyncGenerator<Uint8Array> {
  let left = cut?.after ?? Infinity;
  if (left > 0) {
    for await (const chunk of chunks) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) break;
    }
  }
  if (cut && !cut.isClean) throw new TypeError('terminated');
}

function streamOf(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const result = await bytes.next();
      if (result.done === true) controller.close();
      else controller.enqueue(result.value);
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
}
