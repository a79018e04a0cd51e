import { assert } from 'chai';
import { errorsToShow } from '../../../../media/logExplorer/queryBar';

const error = (start: number, end: number) => ({ start, end, message: 'wrong' });
describe('errors while typing', () => {
  it('exclude the term at the cursor', () => {
    const all = [error(0, 3), error(5, 9)];
    assert.deepEqual(errorsToShow(all, 9), [error(0, 3)]);
    assert.deepEqual(errorsToShow(all, undefined), all);
    assert.deepEqual(errorsToShow(all, 12), all);
  });
});
