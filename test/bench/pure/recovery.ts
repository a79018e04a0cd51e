import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogRecord } from '../../../src/api/types';
import { IdleLimit } from '../../../src/logs/tail/connectionAttempt';
import { figure, percentile, type Figure } from '../figures';
import { streamBytes } from '../streamBytes';
import { createBenchTail } from './benchTail';

const followers = 100;
/** The wait of the EventSource of browsers and of Node.js before it reconnects, in seconds. */
const eventSourceWaits = 3;
/** A tail connects at most ten times a minute. */
const mostDisconnects = 8;
const heartbeats = { every: 2000, count: 4 };

/** Ends a stream, now or later; resolves when the stream has sent its last byte. */
type Break = (stream: ServerResponse) => Promise<void> | void;

/**
 * The time from the end of a stream until its reader has the first record of the next one, over
 * real connections and in real time.
 */
export async function recovery([sample]: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const times = Math.min(rounds, mostDisconnects);
  const streams = new Map<string, ServerResponse>();
  let opened = 0;
  // Each stream sends one record.
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      streams.set(request.url?.split('/')[1] ?? '', response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamBytes([{ ...sample!, eventId: `of stream ${opened++}` }], 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const disconnect = (name: string, breakOff: Break, most = times): Promise<number[]> =>
    disconnectAll(server, (reader) => streams.get(reader)!, name, breakOff, most);
  try {
    // One after the other, except the silence, in which nothing happens.
    const silent = disconnect('silent', fallSilent, 1);
    const close = await disconnect('close', (stream) => void stream.end());
    const reset = await disconnect('reset', (stream) => void stream.socket?.resetAndDestroy());
    const silence = await silent;
    const p95 = (values: readonly number[]): number => percentile(values, 0.95) / 1000;
    const against = ['EventSource waits', eventSourceWaits] as const;
    const closed = `a stream is closed: record of the next one, p95 of ${close.length}`;
    const halfOpen = `…is half-open: later than the idle limit, p95 of ${silence.length}`;
    const limit = { against: ['idle limit', idleLimit() / 1000], by: 'difference' } as const;
    return [
      figure(closed, 's', p95(close), { against, goal: '≤ 2' }),
      figure(`…is reset, p95 of ${reset.length}`, 's', p95(reset)),
      figure(halfOpen, 's', p95(silence), { ...limit, goal: '≤ 2' }),
    ];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The milliseconds of each recovery of all followers at once, each this many times. */
async function disconnectAll(
  server: Server,
  streamOf: (reader: string) => ServerResponse,
  name: string,
  breakOff: Break,
  times: number,
): Promise<number[]> {
  const { port } = server.address() as AddressInfo;
  const one = async (_: unknown, number: number): Promise<number[]> => {
    const reader = `${name}-${number}`;
    let onRecord = (): void => undefined;
    const tail = createBenchTail(
      (request) => fetch(request),
      () => {
        if (tail.read().some(({ kind }) => kind === 'records')) onRecord();
      },
      `http://127.0.0.1:${port}/${reader}`,
    );
    const record = (): Promise<void> => new Promise((resolve) => (onRecord = resolve));
    let next = record();
    tail.start();
    const found: number[] = [];
    await next;
    while (found.length < times) {
      next = record();
      await breakOff(streamOf(reader));
      const start = performance.now();
      await next;
      found.push(performance.now() - start);
    }
    tail.stop();
    return found;
  };
  return (await Promise.all(Array.from({ length: followers }).map(one))).flat();
}

/** How long a tail waits for more than these heartbeats. */
function idleLimit(): number {
  const limit = new IdleLimit();
  limit.didConnect(0);
  for (let beat = 1; beat <= heartbeats.count; beat++) limit.didReceive(beat * heartbeats.every);
  return limit.value;
}

/** Some heartbeats, then silence, on a connection that stays open. */
async function fallSilent(stream: ServerResponse): Promise<void> {
  for (let beat = 0; beat < heartbeats.count; beat++) {
    await new Promise((resolve) => setTimeout(resolve, heartbeats.every));
    stream.write(':\n\n');
  }
}
