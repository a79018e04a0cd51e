import { assert } from 'chai';
import type { FaultAction } from '../../../control-plane/faults';
import { seededRandom } from '../../../control-plane/random';
import type { Fault } from '../../../control-plane/server';
import { scaled } from '../../../host/slowness';
import { fastClock } from '../../api/realClock';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { loopbackTails } from './loopbackTails';

/**
 * Lets tails on real connections meet all these faults of streams, in this order, while records arrive.
 * Asserts that each shows every record, once and in order. Resolves with the number of connects.
 *
 * @param speed how many times faster than real time the clock of the tails runs.
 */
async function survive(
  loopback: ReturnType<typeof loopbackTails>,
  faults: readonly Fault[],
  { tails, speed, random }: { tails: number; speed: number; random: () => number },
): Promise<number> {
  const { server } = loopback;
  const clock = fastClock(speed);
  // Headers take real time, which passes fast here.
  const options = { clock, random, timeoutSeconds: 5 * speed, initialLines: 1000 };
  const followed = Array.from({ length: tails }, () => loopback.follow(options));
  for (const fault of faults) server.admin.fault({ ...fault, endpoint: 'post_logs_tail' });
  const emitting = setInterval(() => server.admin.emit(1 + Math.floor(random() * 4)), 4);
  try {
    for (const { tail } of followed) tail.start();
    await Promise.race(
      followed.map(({ until }) => until(() => server.admin.pendingFaults() === 0)),
    );
  } finally {
    clearInterval(emitting);
  }
  server.admin.emit(1);
  const { eventIds } = server.admin.emitted();
  await Promise.all(followed.map(({ ids, until }) => until(() => ids.at(-1) === eventIds.at(-1))));
  for (const { tail, ids } of followed) {
    assert.deepEqual(ids, eventIds);
    assert.equal(tail.counters.dropped, 0);
  }
  assert.isAtMost(server.admin.streams(), tails + 100);
  return followed.reduce((sum, { tail }) => sum + tail.counters.connects, 0);
}

/** The same items in an order by the random source. */
function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const keyed = all.map((one) => ({ one, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

/** A full run has 1,000 faults and five restarts. */
const share = shortOrLong(1 / 20, 1);
const statuses = [408, 429, 500, 502, 503];

describe('disconnects on loopback', () => {
  const loopback = loopbackTails();

  it(`lose and repeat nothing: ${share * 300} resets, ${share * 300} cut, ${share * 200} clean, ${share * 100} stalls, ${share * 100} errors, and restarts ${covers('F15, F16, F18, F24', 'connection')}`, async function () {
    this.timeout(scaled(120_000));
    const random = seededRandom(3);
    const upTo = (count: number): number => Math.floor(random() * count);
    const many = (count: number, make: () => FaultAction): FaultAction[] =>
      Array.from({ length: Math.ceil(share * count) }, make);
    const body = (kind: 'reset' | 'cut' | 'end' | 'stall') => (): FaultAction => ({
      kind,
      afterBytes: upTo(4000),
    });
    const faults = [
      ...many(300, body('reset')),
      ...many(300, body('cut')),
      ...many(200, body('end')),
      ...many(100, body('stall')),
      ...many(100, () => ({ kind: 'status', status: statuses[upTo(statuses.length)] ?? 500 })),
      ...many(5, () => ({ kind: 'restart', downMs: 20 })),
    ];
    const connects = await survive(loopback, shuffled(faults, random), {
      tails: 4,
      speed: 250,
      random,
    });
    assert.isAtLeast(connects, share * 1000);
  });
});

const ofEach = shortOrLong(10, 40);

describe('compressed streams on loopback', () => {
  const loopback = loopbackTails();

  it(`lose and repeat nothing if they are cut anywhere, stall or are invalid ${covers('F13', 'connection')}`, async function () {
    this.timeout(scaled(240_000));
    const random = seededRandom(5);
    const part = (then: 'cut' | 'end' | 'stall') => (): FaultAction => ({
      kind: 'gzip',
      flushed: random() < 0.7,
      afterBytes: Math.floor(random() * 3000),
      then,
    });
    const fates = [part('cut'), part('end'), part('stall'), () => ({ kind: 'notGzip' as const })];
    const faults = fates.flatMap((fate) => Array.from({ length: ofEach }, fate));
    // The last one is complete.
    const all = [...shuffled(faults, random), { kind: 'gzip' as const, flushed: true }];
    // A stalled stream is given up after 90 s. A busy machine must be able to send its bytes before that;
    // and there are at most ten connects per minute.
    const connects = await survive(loopback, all, { tails: 1, speed: 400, random });
    assert.isAtLeast(connects, all.length);
  });
});
