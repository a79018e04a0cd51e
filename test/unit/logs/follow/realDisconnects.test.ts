import { assert } from 'chai';
import type { FaultAction } from '../../../control-plane/faults';
import { shortOrLong } from '../../long';
import { shuffled, surviveOnLoopback } from './realFaults';
import { seededRandom } from './seededRandom';

/** In full, 1,000 times and five restarts. */
const share = shortOrLong(1 / 20, 1);
const statuses = [408, 429, 500, 502, 503];

describe('Disconnects on loopback', () => {
  it(`lose and repeat nothing: ${share * 300} resets, ${share * 300} cut, ${share * 200} clean, ${share * 100} stalls, ${share * 100} errors, and restarts (F15, F16, F18, F24)`, async function () {
    this.timeout(120_000);
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
    const connects = await surviveOnLoopback(shuffled(faults, random), {
      tails: 4,
      speed: 500,
      random,
    });
    assert.isAtLeast(connects, share * 1000);
  });
});
