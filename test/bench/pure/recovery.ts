import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { percentile } from '../statistics';
import { createBenchTail } from './followChunks';
import { streamBytes } from './streamBytes';

const followers = 100;
/** The wait of the EventSource of browsers and of Node.js before it reconnects, in seconds. */
const eventSourceWaits = 3;
/** A tail connects at most ten times a minute. */
const mostDisconnects = 8;
/** The idle limit of a tail with heartbeats at this interval, in seconds. */
const idleLimit = 45;
const heartbeats = { every: 2000, count: 4 };

/** Ends a stream, now or later; resolves when the stream has sent its last byte. */
type Break = (stream: ServerResponse) => Promise<void> | void;

/**
 * The time from the end of a stream until its reader has the first record of the next one, over
 * real connections and in real time.
 */
export async function recovery(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const times = Math.min(rounds, mostDisconnects);
  const server = await startServer(records);
  try {
    // One after the other, except the silence, in which nothing happens.
    const silent = disconnect(server, fallSilent, 1);
    const close = await disconnect(server, (stream) => void stream.end(), times);
    const reset = await disconnect(
      server,
      (stream) => void stream.socket?.resetAndDestroy(),
      times,
    );
    const silence = await silent;
    const seconds = { measure: 's', unit: 's' };
    const p95 = (values: readonly number[]): number => percentile(values, 0.95) / 1000;
    return [
      {
        ...seconds,
        what: `a stream is closed: record of the next one, p95 of ${close.length}`,
        ours: p95(close),
        other: { name: 'EventSource waits', value: eventSourceWaits },
        result: p95(close),
        goal: { is: '≤', value: 2 },
      },
      {
        ...seconds,
        what: `…is reset, p95 of ${reset.length}`,
        ours: p95(reset),
        result: p95(reset),
      },
      {
        ...seconds,
        what: `…is half-open: later than the idle limit, p95 of ${silence.length}`,
        ours: p95(silence),
        other: { name: 'idle limit', value: idleLimit },
        result: p95(silence) - idleLimit,
        goal: { is: '≤', value: 2 },
      },
    ];
  } finally {
    server.close();
  }
}

/**
 * A control plane whose streams send one record each and are passed to the code that waits for
 * them.
 */
async function startServer(records: readonly LogRecord[]) {
  const [sample] = records;
  const streams = new Map<string, ServerResponse>();
  let opened = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      streams.set(request.url?.split('/')[1] ?? '', response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamBytes([{ ...sample!, eventId: `of stream ${opened++}` }], 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let made = 0;
  return {
    /** A separate base URL for each reader. */
    newPlace(): { url: string; stream: () => ServerResponse } {
      const name = `reader-${made++}`;
      return { url: `http://127.0.0.1:${port}/${name}`, stream: () => streams.get(name)! };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The milliseconds of each recovery of all followers at once, each this many times. */
async function disconnect(
  server: Awaited<ReturnType<typeof startServer>>,
  breakOff: Break,
  times: number,
): Promise<number[]> {
  const one = async (): Promise<number[]> => {
    const { url, stream } = server.newPlace();
    let onRecord = (): void => undefined;
    const record = (): Promise<void> => new Promise((resolve) => (onRecord = resolve));
    let next = record();
    const stop = follow(url, () => onRecord());
    const found: number[] = [];
    await next;
    while (found.length < times) {
      next = record();
      await breakOff(stream());
      const start = performance.now();
      await next;
      found.push(performance.now() - start);
    }
    stop();
    return found;
  };
  return (await Promise.all(Array.from({ length: followers }, one))).flat();
}

/** Follows a URL until it is stopped; calls back for each record. */
function follow(url: string, onRecord: () => void): () => void {
  const following = createBenchTail(
    (request) => fetch(request),
    () => {
      if (following.take().some(({ kind }) => kind === 'records')) onRecord();
    },
    url,
  );
  following.start();
  return () => following.stop();
}

/** Some heartbeats, then silence, on a connection that stays open. */
async function fallSilent(stream: ServerResponse): Promise<void> {
  for (let beat = 0; beat < heartbeats.count; beat++) {
    await new Promise((resolve) => setTimeout(resolve, heartbeats.every));
    stream.write(':\n\n');
  }
}
