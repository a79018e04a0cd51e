import { assert } from 'chai';
import { rowsToDraw } from '../../../../media/logExplorer/virtualRows';

describe('rows in the document', () => {
  const inView = { startIndex: 50, endIndex: 53, overscan: 3, count: 100 };

  it('are those in view, and some around them', () => {
    assert.deepEqual(rowsToDraw(inView, 3, -1), [47, 48, 49, 50, 51, 52, 53, 54, 55, 56]);
    assert.deepEqual(rowsToDraw(inView, 1, -1), [49, 50, 51, 52, 53, 54, 55, 56]);
    const atStart = { startIndex: 0, endIndex: 1, overscan: 3, count: 3 };
    assert.deepEqual(rowsToDraw(atStart, 3, -1), [0, 1, 2]);
  });

  it('include the one that is always there, at its place', () => {
    assert.deepEqual(rowsToDraw(inView, 0, 7), [7, 50, 51, 52, 53, 54, 55, 56]);
    assert.deepEqual(rowsToDraw(inView, 0, 99), [50, 51, 52, 53, 54, 55, 56, 99]);
    assert.deepEqual(rowsToDraw(inView, 0, 51), [50, 51, 52, 53, 54, 55, 56], 'once');
    assert.deepEqual(
      rowsToDraw(inView, 0, 100),
      [50, 51, 52, 53, 54, 55, 56],
      'a row that is gone',
    );
  });
});
