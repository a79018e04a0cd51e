import { assert } from 'chai';
import { RateLimiter } from '../../../src/api/rateLimiter';
import { fakeClock } from '../fakeClock';

describe('a budget', () => {
  it('limits how often something is done within any time of its length', async () => {
    const clock = fakeClock();
    const limiter = new RateLimiter(clock, 3, 60_000);
    for (let count = 0; count < 3; count++) {
      assert.equal(limiter.freeIn(), 0);
      limiter.take();
      await clock.advance(10_000);
    }
    assert.equal(limiter.freeIn(), 30_000);
    await clock.advance(30_000);
    assert.equal(limiter.freeIn(), 0);
    limiter.take();
    assert.equal(limiter.freeIn(), 10_000);
    await clock.advance(1_000_000);
    assert.equal(limiter.freeIn(), 0);
  });

  it('counts what is done in any case', async () => {
    const clock = fakeClock();
    const limiter = new RateLimiter(clock, 2, 1000);
    for (let count = 0; count < 4; count++) {
      limiter.take();
      await clock.advance(100);
    }
    // The third of them has to be over.
    assert.equal(limiter.freeIn(), 800);
  });
});
