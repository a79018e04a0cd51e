import { assert } from 'chai';
import { createBudget } from '../../../src/api/rateBudget';
import { fakeClock } from '../fakeClock';

describe('a budget', () => {
  it('limits how often something is done within any time of its length', async () => {
    const clock = fakeClock();
    const budget = createBudget(clock, 3, 60_000);
    for (let count = 0; count < 3; count++) {
      assert.equal(budget.freeIn(), 0);
      budget.spend();
      await clock.advance(10_000);
    }
    assert.equal(budget.freeIn(), 30_000);
    await clock.advance(30_000);
    assert.equal(budget.freeIn(), 0);
    budget.spend();
    assert.equal(budget.freeIn(), 10_000);
    await clock.advance(1_000_000);
    assert.equal(budget.freeIn(), 0);
  });

  it('counts what is done in any case', async () => {
    const clock = fakeClock();
    const budget = createBudget(clock, 2, 1000);
    for (let count = 0; count < 4; count++) {
      budget.spend();
      await clock.advance(100);
    }
    // The third of them has to be over.
    assert.equal(budget.freeIn(), 800);
  });
});
