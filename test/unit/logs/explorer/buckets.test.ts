import { assert } from 'chai';
import fc from 'fast-check';
import { countOf, extentOf, stepOf } from '../../../../src/logs/explorer/histogram';
import { sampleRecord } from '../sampleRecord';

const start = Date.parse('2026-11-20T12:00:00Z');
const minute = 60_000;

describe('Buckets of time', () => {
  it('have lengths that people count in', () => {
    const steps = [1, 50, 4000, 20_000, 3_600_000, 86_400_000, 7 * 86_400_000, 4e10, 4e12];
    assert.deepEqual(
      steps.map((duration) => stepOf({ from: 0, to: duration }, 61)),
      [1, 1, 100, 500, minute, 30 * minute, 3 * 60 * minute, 8 * 86_400_000, 759 * 86_400_000],
    );
  });

  it('begin at whole lengths, wherever the range does', () => {
    const range = { from: start + 59_999, to: start + 2 * minute };
    assert.equal(countOf(range, minute), 3);
    assert.equal(countOf({ from: start, to: start }, minute), 1);
  });

  it('are as many as there may be at most, whatever the range', () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(time, time, fc.integer({ min: 2, max: 100 }), (one, other, most) => {
        const range = { from: Math.min(one, other), to: Math.max(one, other) };
        assert.isAtMost(countOf(range, stepOf(range, most)), most);
      }),
    );
  });

  it('cover the records that have a time, and nothing without any', () => {
    const records = [500, 90_000, 7].map((ms) =>
      sampleRecord({ timestamp: new Date(start + ms).toISOString() }),
    );
    const odd = sampleRecord({ timestamp: 'soon' });
    assert.deepEqual(extentOf([odd, ...records]), { from: start + 7, to: start + 90_000 });
    assert.isUndefined(extentOf([odd]));
    assert.isUndefined(extentOf([]));
  });
});
