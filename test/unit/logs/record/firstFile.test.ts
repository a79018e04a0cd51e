import { assert } from 'chai';
import { firstFile } from '../../../../src/logs/record/pathMapping';

describe('The first file of some', () => {
  const looks: number[] = [];
  const isSeven = (place: number): Promise<boolean> => {
    looks.push(place);
    return Promise.resolve(place === 7);
  };
  beforeEach(() => looks.splice(0));

  it('is the first that is there', async () => {
    const budget = { left: 100 };
    assert.equal(await firstFile([1, 7, 8], isSeven, budget), 7);
    assert.deepEqual(looks, [1, 7]);
    assert.isUndefined(await firstFile([1, 2], isSeven, budget));
    assert.equal(budget.left, 96);
  });

  it('is looked for no further than the budget of a request goes (F76)', async () => {
    const budget = { left: 5 };
    for (let frame = 0; frame < 500; frame++) {
      await firstFile([1, 2, 3, 4, 5, 6], isSeven, budget);
    }
    assert.lengthOf(looks, 5);
    assert.equal(await firstFile([7], isSeven, budget), 'unknown');
  });

  it('is not known where a file system does not answer, unless another has it', async () => {
    const isThere = (place: number): Promise<boolean | 'unknown'> =>
      Promise.resolve(place === 1 ? 'unknown' : place === 7);
    assert.equal(await firstFile([1, 7], isThere, { left: 9 }), 7);
    assert.equal(await firstFile([1, 2], isThere, { left: 9 }), 'unknown');
  });
});
