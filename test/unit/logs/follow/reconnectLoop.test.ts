import { assert } from 'chai';
import { createConnectBudget } from '../../../../src/logs/follow/reconnectLoop';

describe('the budget of connects', () => {
  it('limits their number within any minute', () => {
    const budget = createConnectBudget(3, 60_000);
    for (const now of [0, 10_000, 20_000]) {
      assert.equal(budget.wait(now), 0);
      budget.spend(now);
    }
    assert.equal(budget.wait(20_000), 40_000);
    assert.equal(budget.wait(60_000), 0);
    budget.spend(60_000);
    assert.equal(budget.wait(60_000), 10_000);
    assert.equal(budget.wait(1_000_000), 0);
  });
});
