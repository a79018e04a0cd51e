import { assert } from 'chai';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createClient } from '../../../../src/api/createClient';
import type { Clock } from '../../../../src/api/clock';
import { createTail } from '../../../../src/logs/tail/tail';
import type { Tail, TailState } from '../../../../src/logs/tail/types';
import { defaults } from '../../api/inMemoryServer';
import { loopbackServers } from '../../api/loopbackServers';
import { fastClock, realClock } from '../../api/realClock';
import { pageServer, pageText, sendAll } from './pageServer';
import { idAt } from './simulatedServer';

/** More than the buffer of a tail holds, many times over. */
const burst = 200_000;
const bufferRecords = 50_000;

describe('A burst over a real connection', () => {
  const servers = loopbackServers();
  let tail: Tail;
  let shown: number;
  let leftOut: number;
  let markers: number;
  let states: TailState['kind'][];
  let onReceive: () => void;

  beforeEach(() => {
    shown = leftOut = markers = 0;
    states = [];
    onReceive = () => undefined;
  });
  afterEach(() => {
    tail.stop();
    servers.close();
  });

  async function follow(
    onStream: (response: ServerResponse, cursor: number) => void | Promise<void>,
    clock: Clock = realClock,
  ): Promise<void> {
    const client = createClient({
      baseUrl: `http://127.0.0.1:${await servers.listen(pageServer(onStream))}`,
      token: () => Promise.resolve('key'),
      fetch: (request) => fetch(request),
      clock,
      random: () => 0,
      settings: () => ({ ...defaults, timeoutSeconds: 10_000 }),
    });
    tail = createTail(
      { client, clock, random: () => 0, readKey: () => Promise.resolve('key') },
      {
        filter: {},
        initialLines: 100,
        listener: {
          onDidChangeState: ({ kind }) => void states.push(kind),
          onDidReceive: () => onReceive(),
        },
      },
    );
    tail.start();
  }

  /** Takes records; each is the one behind all that were shown or left out before. */
  function take(maxRecords?: number): void {
    for (const output of tail.take(maxRecords)) {
      if (output.kind === 'leftOut') {
        leftOut += output.count;
        markers++;
      }
      if (output.kind !== 'records') continue;
      for (const { eventId } of output.records) {
        if (eventId !== idAt(shown + leftOut)) assert.fail(`${eventId} at ${shown + leftOut}`);
        shown++;
      }
    }
  }

  function assertAllAccountedFor(count: number): void {
    assert.equal(shown + leftOut, count);
    const { received, handedOn, leftOut: counted, connects } = tail.counters;
    assert.deepEqual([received, handedOn, counted, connects], [count, shown, leftOut, 1]);
    assert.deepEqual(states, ['connecting', 'live']);
  }

  const hasAll = (): boolean => tail.counters.received === burst;

  it('is shown as far as the reader gets, with an exact count of what is left out (F36)', async () => {
    await follow((response, cursor) => sendAll(response, cursor, burst));
    // Takes its time like a channel that formats what it takes.
    while (!hasAll()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      take(500);
    }
    assert.isAbove(leftOut, burst / 2);
    assert.isAbove(markers, 1);
    const buffered = tail.counters.received - tail.counters.handedOn - tail.counters.leftOut;
    assert.isAtMost(buffered, bufferRecords);
    take();
    assertAllAccountedFor(burst);
  });

  it('is read to its end while nobody takes anything, within bounds (F37)', async () => {
    let sent: Promise<void> | undefined;
    await follow((response, cursor) => (sent = sendAll(response, cursor, burst)));
    let notified = 0;
    onReceive = () => notified++;
    let most = 0;
    while (!hasAll()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { received, handedOn, leftOut: gone } = tail.counters;
      most = Math.max(most, received - handedOn - gone);
    }
    await sent;
    assert.isAtMost(most, bufferRecords);
    assert.isAbove(notified, 0);
    take();
    assert.equal(markers, 1);
    assert.equal(shown, bufferRecords);
    assertAllAccountedFor(burst);
  });

  it('is not taken for silence where it waited for a blocked event loop (F37)', async () => {
    const speed = 500;
    let stream: ServerResponse | undefined;
    await follow((response) => {
      response.write(pageText(0));
      stream = response;
    }, fastClock(speed));
    const received = (count: number): Promise<void> =>
      new Promise((resolve) => {
        onReceive = () => {
          take();
          if (shown === count) resolve();
        };
        onReceive();
      });
    await received(500);
    // Longer than a silent stream may last.
    const blocked = Math.ceil(100_000 / speed);
    for (let count = 1000; count <= 3000; count += 500) {
      stream?.write(pageText(count - 500));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked);
      await received(count);
    }
    stream?.end();
    await once(stream ?? assert.fail(), 'close');
    assertAllAccountedFor(3000);
  });
});
