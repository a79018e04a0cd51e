import { assert } from 'chai';
import { createClient } from '../../../../src/api/createClient';
import type { Tail } from '../../../../src/logs/tail/types';
import { createTail } from '../../../../src/logs/tail/tail';
import { startControlPlane, type Fault } from '../../../control-plane/server';
import { defaults } from '../../api/inMemoryServer';
import { fastClock } from '../../api/realClock';
import { idsOf } from './followed';
import { shortOrLong } from '../../long';
import { seededRandom } from './seededRandom';

const speed = 500;
const tails = 4;
/** In full, 1,000 times and five restarts. */
const share = shortOrLong(1 / 20, 1);

/** What goes wrong, in no order. */
function faults(random: () => number): Fault[] {
  const upTo = (count: number): number => Math.floor(random() * count);
  const many = (count: number, make: () => Fault): Fault[] =>
    Array.from({ length: Math.ceil(share * count) }, make);
  const endpoint = 'post_logs_tail';
  const body = (kind: 'reset' | 'cut' | 'end' | 'stall') => (): Fault => ({
    kind,
    endpoint,
    afterBytes: upTo(4000),
  });
  const statuses = [408, 429, 500, 502, 503];
  const all = [
    ...many(300, body('reset')),
    ...many(300, body('cut')),
    ...many(200, body('end')),
    ...many(100, body('stall')),
    ...many(100, () => ({
      kind: 'status',
      endpoint,
      status: statuses[upTo(statuses.length)] ?? 500,
    })),
  ];
  all.push(...many(5, () => ({ kind: 'restart', endpoint, downMs: 20 })));
  const keyed = all.map((fault) => ({ fault, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ fault }) => fault);
}

describe('Disconnects on loopback', () => {
  it(`lose and repeat nothing: ${share * 300} resets, ${share * 300} cut, ${share * 200} clean, ${share * 100} stalls, ${share * 100} errors, and restarts (F15, F16, F18, F24)`, async function () {
    this.timeout(120_000);
    const server = await startControlPlane({ live: false, historyRecords: 0, heartbeatSeconds: 0 });
    const clock = fastClock(speed);
    const random = seededRandom(3);
    const client = createClient({
      baseUrl: server.url,
      token: () => Promise.resolve(server.keys['demo-full']),
      fetch: (request) => fetch(request),
      clock,
      random,
      // Headers take real time, which passes fast here.
      settings: () => ({ ...defaults, timeoutSeconds: 5 * speed }),
    });

    let onReceive: () => void = () => undefined;
    const follow = (): { tail: Tail; ids: string[] } => {
      const ids: string[] = [];
      const tail: Tail = createTail(
        { client, clock, random, readKey: () => Promise.resolve('key') },
        {
          filter: {},
          initialLines: 1000,
          listener: {
            onDidChangeState: () => undefined,
            onDidReceive() {
              ids.push(...idsOf(tail.take()));
              onReceive();
            },
          },
        },
      );
      return { tail, ids };
    };
    const followed = Array.from({ length: tails }, follow);

    for (const fault of faults(random)) server.admin.fault(fault);
    const emitting = setInterval(() => server.admin.emit(1 + Math.floor(random() * 4)), 4);
    try {
      for (const { tail } of followed) tail.start();
      await new Promise<void>((resolve) => {
        onReceive = () => {
          if (server.admin.pendingFaults() === 0) resolve();
        };
      });
      clearInterval(emitting);
      server.admin.emit(1);
      const { eventIds } = server.admin.emitted();
      await new Promise<void>((resolve) => {
        onReceive = () => {
          if (followed.every(({ ids }) => ids.at(-1) === eventIds.at(-1))) resolve();
        };
        onReceive();
      });

      for (const { tail, ids } of followed) {
        assert.deepEqual(ids, eventIds);
        assert.equal(tail.counters.leftOut, 0);
      }
      const connects = followed.reduce((sum, { tail }) => sum + tail.counters.connects, 0);
      assert.isAtLeast(connects, share * 1000);
      assert.isAtMost(server.admin.streams(), tails + 100);
    } finally {
      clearInterval(emitting);
      for (const { tail } of followed) tail.stop();
      await server.close();
    }
  });
});
