import { assert } from 'chai';
import fc from 'fast-check';
import { createRate } from '../../../../src/logs/follow/tailManager';

describe('rate', () => {
  it('is zero before anything came', () => {
    assert.strictEqual(createRate(() => 123_456).perSecond(), 0);
  });

  it('takes the time since the first count until the window is full', () => {
    let now = 10_000;
    const rate = createRate(() => now);
    rate.count(10);
    assert.strictEqual(rate.perSecond(), 10);
    now += 2000;
    rate.count(10);
    assert.strictEqual(rate.perSecond(), 10);
  });

  it('forgets what is older than the window, however long the silence', () => {
    let now = 0;
    const rate = createRate(() => now);
    rate.count(1000);
    now = 4999;
    assert.isAbove(rate.perSecond(), 199);
    now = 5500;
    assert.strictEqual(rate.perSecond(), 0);
    rate.count(1);
    now += 7 * 86_400_000;
    assert.strictEqual(rate.perSecond(), 0);
  });

  it('settles at the rate that is fed to it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 499 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.nat(1_000_000),
        (spacing, records, start) => {
          let now = start;
          const rate = createRate(() => now);
          for (; now < start + 20_000; now += spacing) rate.count(records);
          const fed = (records * 1000) / spacing;
          // One batch more or less may lie within the window.
          assert.approximately(rate.perSecond(), fed, (2 * records) / 5);
        },
      ),
    );
  });
});
