import { assert } from 'chai';
import fc from 'fast-check';
import { histogramOf, stepOf } from '../../../../src/logs/search/histogram';
import { sampleRecord } from '../sampleRecord';

const start = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number): string => new Date(start + ms).toISOString();
const minute = 60_000;

describe('A histogram', () => {
  it('counts by time and severity', () => {
    const records = [
      sampleRecord({ timestamp: at(0), severity: 'error' }),
      sampleRecord({ timestamp: at(59_999), severity: 'info' }),
      sampleRecord({ timestamp: at(2 * minute), severity: 'error' }),
    ];
    const range = { from: start, to: start + 4 * minute };
    const { step, buckets, outside } = histogramOf(records, 5, range);
    assert.deepEqual([step, outside], [minute, 0]);
    assert.deepEqual(
      buckets.map(({ start: from, total, counts }) => [
        (from - start) / minute,
        total,
        counts.error,
        counts.info,
      ]),
      [
        [0, 2, 1, 1],
        [1, 0, 0, 0],
        [2, 1, 1, 0],
        [3, 0, 0, 0],
        [4, 0, 0, 0],
      ],
    );
  });

  it('covers the records where no range is given, and nothing without any', () => {
    const records = [at(500), at(90_000)].map((timestamp) => sampleRecord({ timestamp }));
    const { buckets } = histogramOf(records, 10);
    assert.deepEqual([buckets[0]?.start, buckets.length], [start, 10]);
    assert.deepEqual(histogramOf([], 10), { step: 1000, buckets: [], outside: 0 });
    const range = { from: start, to: start - 1 };
    assert.deepEqual(histogramOf(records, 10, range).outside, 2);
  });

  it('tells of records outside of the range, and of those without a time', () => {
    const records = [at(-1), at(0), 'soon', at(1001)].map((timestamp) =>
      sampleRecord({ timestamp }),
    );
    const { outside } = histogramOf(records, 10, { from: start, to: start + 1000 });
    assert.equal(outside, 3);
    assert.equal(histogramOf([sampleRecord({ timestamp: 'soon' })], 10).outside, 1);
  });

  it('has steps that people count in', () => {
    const steps = [1, 50, 4000, 20_000, 3_600_000, 86_400_000, 7 * 86_400_000, 4e10, 4e12];
    assert.deepEqual(
      steps.map((duration) => stepOf({ from: 0, to: duration }, 61)),
      [1, 1, 100, 500, minute, 30 * minute, 3 * 60 * minute, 8 * 86_400_000, 759 * 86_400_000],
    );
  });

  it('counts every record once, in as many buckets as it may have at most', () => {
    const times = fc.array(fc.integer({ min: 0, max: 4e12 }), { maxLength: 30 });
    fc.assert(
      fc.property(times, fc.integer({ min: 2, max: 100 }), (all, most) => {
        const records = all.map((ms) =>
          sampleRecord({ timestamp: new Date(ms).toISOString(), severity: 'fatal' }),
        );
        const { step, buckets, outside } = histogramOf(records, most);
        assert.isAtMost(buckets.length, most);
        assert.equal(outside, 0);
        assert.equal(
          buckets.reduce((sum, { total }) => sum + total, 0),
          all.length,
        );
        for (const { start: from, total, counts } of buckets) {
          assert.equal(from % step, 0);
          const inside = all.filter((ms) => ms >= from && ms < from + step);
          assert.deepEqual([total, counts.fatal], [inside.length, inside.length]);
        }
      }),
    );
  });
});
