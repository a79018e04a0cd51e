import { assert } from 'chai';
import type { FaultAction } from '../../../control-plane/faults';
import { shortOrLong } from '../../long';
import { shuffled, surviveOnLoopback } from './realFaults';
import { seededRandom } from './seededRandom';

const ofEach = shortOrLong(10, 40);

describe('Compressed streams on loopback', () => {
  it('lose and repeat nothing where they are cut anywhere, stall or are none (F13)', async function () {
    this.timeout(60_000);
    const random = seededRandom(5);
    const part = (then: 'cut' | 'end' | 'stall') => (): FaultAction => ({
      kind: 'gzip',
      flushed: random() < 0.7,
      afterBytes: Math.floor(random() * 3000),
      then,
    });
    const fates = [part('cut'), part('end'), part('stall'), () => ({ kind: 'notGzip' as const })];
    const faults = fates.flatMap((fate) => Array.from({ length: ofEach }, fate));
    // The last one is whole.
    const all = [...shuffled(faults, random), { kind: 'gzip' as const, flushed: true }];
    // A stream that stalls is given up after 90 s, and there are ten connects a minute.
    const connects = await surviveOnLoopback(all, { tails: 1, speed: 3000, random });
    assert.isAtLeast(connects, all.length);
  });
});
