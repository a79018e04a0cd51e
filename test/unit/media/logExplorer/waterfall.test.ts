import { assert } from 'chai';
import { segmentsOf, stepOf } from '../../../../media/logExplorer/waterfall';

const minute = 60_000;

describe('bar of a row of the waterfall', () => {
  it('is what is left without its silences', () => {
    const silences = [
      { from: 10, to: 30 },
      { from: 40, to: 90 },
    ];
    assert.deepEqual(segmentsOf({ from: 5, to: 100, silences }), [
      { from: 5, to: 10 },
      { from: 30, to: 40 },
      { from: 90, to: 100 },
    ]);
    assert.deepEqual(segmentsOf({ from: 5, to: 5, silences: [] }), [{ from: 5, to: 5 }]);
  });
});

describe('axis of the waterfall', () => {
  it('has lines at round times, at most five after the first', () => {
    const cases: readonly (readonly [length: number, step: number])[] = [
      [1, 1],
      [7, 2],
      [100, 20],
      [1234, 500],
      [4 * minute, minute],
      [70 * minute, 20 * minute],
      [20 * 60 * minute, 5 * 60 * minute],
      [40 * 1440 * minute, 10 * 1440 * minute],
    ];
    for (const [length, step] of cases) {
      assert.approximately((stepOf({ length }) / 100) * length, step, 0.001, `${length}`);
    }
  });

  it('has one line if all records are of the same time', () => {
    assert.equal(stepOf({ length: 0 }), 100);
  });
});
