import { assert } from 'chai';
import { readChoice, withChoice } from '../../../src/deployed/branch';
import { uuid } from '../trees/treeText';

const mine = 'file:///code/mine';
const theirs = 'file:///code/theirs';

describe('The chosen source of a repository', () => {
  it('is not set at first', () => {
    assert.isUndefined(readChoice(undefined, mine));
  });

  it('is kept for that repository, and removed on its own', () => {
    let kept: unknown = withChoice(undefined, mine, { sourceId: uuid(1) });
    kept = withChoice(kept, theirs, 'none');
    assert.deepEqual(readChoice(kept, mine), { sourceId: uuid(1) });
    assert.equal(readChoice(kept, theirs), 'none');
    kept = withChoice(kept, mine, 'none');
    assert.equal(readChoice(kept, mine), 'none');
    kept = withChoice(kept, mine, undefined);
    assert.isUndefined(readChoice(kept, mine));
    assert.deepEqual(kept, { [theirs]: 'none' });
  });

  it('is not set if the kept value is invalid', () => {
    const others = [7, 'text', null, [uuid(1)], { [mine]: 'text' }, { [mine]: { sourceId: 7 } }];
    for (const kept of others) {
      assert.isUndefined(readChoice(kept, mine), JSON.stringify(kept));
      const next = withChoice(kept, mine, { sourceId: uuid(1) });
      assert.deepEqual(readChoice(next, mine), { sourceId: uuid(1) }, JSON.stringify(kept));
    }
  });
});
