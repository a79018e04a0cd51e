import { assert } from 'chai';
import { createSourceChoices } from '../../../../src/branch/ui/sourceChoices';
import { uuid } from '../../inventory/treeText';

/** The stored choices of a workspace. */
function setUp(kept?: unknown) {
  let stored = kept;
  const choices = createSourceChoices({
    keys: () => [],
    get: <T>(_: string, otherwise?: T) => (stored ?? otherwise) as T,
    update(_, value) {
      stored = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  });
  return { choices, stored: () => stored };
}

const mine = 'file:///code/mine';
const theirs = 'file:///code/theirs';

describe('The chosen source of a repository', () => {
  it('is not set at first', () => {
    assert.isUndefined(setUp().choices.of(mine));
  });

  it('is stored for that repository, and removed on its own', async () => {
    const { choices, stored } = setUp();
    await choices.keep(mine, { sourceId: uuid(1) });
    await choices.keep(theirs, 'none');
    assert.deepEqual(choices.of(mine), { sourceId: uuid(1) });
    assert.equal(choices.of(theirs), 'none');
    await choices.keep(mine, 'none');
    assert.equal(choices.of(mine), 'none');
    await choices.keep(mine, undefined);
    assert.isUndefined(choices.of(mine));
    assert.deepEqual(stored(), { [theirs]: 'none' });
  });

  it('is not set if the stored value is invalid', async () => {
    const others = [7, 'text', null, [uuid(1)], { [mine]: 'text' }, { [mine]: { sourceId: 7 } }];
    for (const kept of others) {
      const { choices } = setUp(kept);
      assert.isUndefined(choices.of(mine), JSON.stringify(kept));
      await choices.keep(mine, { sourceId: uuid(1) });
      assert.deepEqual(choices.of(mine), { sourceId: uuid(1) }, JSON.stringify(kept));
    }
  });
});
