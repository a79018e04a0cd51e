import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assert } from 'chai';
import type { CallOptions } from '../../../../src/api/client';
import type { StreamItem } from '../../../../src/api/streamItem';
import type { LogQueryResponse, LogTailRequest } from '../../../../src/api/types';
import { createTail, type TailServices } from '../../../../src/logs/tail/tail';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { sampleRecord } from '../sampleRecord';
import { wireClient } from '../wireClient';
import { seededRandom } from './seededRandom';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const second = 1000;
const hour = 3600 * second;
const mebibyte = 1024 * 1024;

/**
 * A server that makes five records up each second, remembers none, sends a heartbeat every 15 s, and
 * closes its streams after five minutes.
 */
function forgetfulServer(clock: FakeClock) {
  let made = 0;
  let closes = 0;
  let open = 0;

  const page = (from: number): LogQueryResponse => ({
    accessRevision: 'revision-1',
    followCursor: String(made),
    records: Array.from({ length: made - from }, (_, index) =>
      sampleRecord({ eventId: `event-${from + index}`, body: `${'x'.repeat(100)} ${made}` }),
    ),
    nextCursor: null,
    hasMore: false,
    partial: false,
    snapshotAt: new Date(clock.now()).toISOString(),
    localization: {
      dateFormat: 'year-month-day',
      timeFormat: '24-hour',
      timeZone: 'UTC',
      timestamps: {},
    },
  });

  async function* stream(cursor: number, signal: AbortSignal): AsyncGenerator<StreamItem[]> {
    open++;
    try {
      let sent = cursor;
      for (let age = 1; age <= 300; age++) {
        await new Promise<void>((resolve) => clock.setTimer(resolve, second));
        signal.throwIfAborted();
        made += 5;
        yield [{ kind: 'page', page: page(sent) }];
        if (age % 15 === 0) yield [{ kind: 'heartbeat' }];
        sent = made;
      }
      closes++;
    } finally {
      open--;
    }
  }

  const client: TailServices['client'] = wireClient({
    queryLogs: () => Promise.resolve(page(made)),
    openLogStream: ({ cursor }: LogTailRequest, { signal }: CallOptions) =>
      Promise.resolve(stream(Number(cursor), signal)),
  });
  return {
    client,
    get made() {
      return made;
    },
    get closes() {
      return closes;
    },
    get open() {
      return open;
    },
  };
}

/** The slope of the line that fits the points best, by their index. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, x) => sum + (x - middle) * (value - mean), 0);
  return above / values.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
}

describe('A day of a tail', () => {
  it('leaves memory, timers and handles as they were, and nothing out (F14, F38)', async function () {
    this.timeout(60_000);
    const clock = fakeClock();
    const server = forgetfulServer(clock);
    const kinds: string[] = [];
    let next = 0;
    const tail = createTail(
      {
        client: server.client,
        clock,
        random: seededRandom(1),
        readKey: () => Promise.resolve('key'),
      },
      {
        filter: {},
        initialLines: 100,
        listener: {
          onDidChangeState: ({ kind }) => void kinds.push(kind),
          onDidReceive() {
            for (const output of tail.take()) {
              if (output.kind !== 'records') assert.fail(output.kind);
              for (const { eventId } of output.records) {
                if (eventId !== `event-${next++}`) assert.fail(`${eventId} instead of ${next - 1}`);
              }
            }
          },
        },
      },
    );
    tail.start();

    const heap: number[] = [];
    const timers = new Set<number>();
    const handles: number[] = [];
    for (let passed = 0; passed < 24; passed++) {
      await clock.advance(hour);
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed / mebibyte);
      timers.add(clock.liveTimers);
      handles.push(process.getActiveResourcesInfo().length);
    }

    assert.isAtLeast(server.closes, 285);
    assert.isAbove(server.made, 400_000);
    assert.equal(next, server.made);
    assert.deepEqual(kinds, ['connecting', 'live']);
    assert.isBelow(slopeOf(heap.slice(4)), 1, `MiB an hour, of ${heap.map(Math.round).join(' ')}`);
    // A second of the stream and the watch over it, or the wait between two streams.
    assert.isAtMost(Math.max(...timers), 2);
    assert.isAtMost(Math.max(...handles.slice(4)), handles[0]!);
    tail.stop();
    await clock.advance(2 * second);
    assert.equal(server.open, 0);
    assert.equal(clock.liveTimers, 0);
  });
});
