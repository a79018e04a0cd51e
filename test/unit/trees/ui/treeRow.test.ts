import { assert } from 'chai';
import { createRow, isRow } from '../../../../src/trees/ui/treeRow';
import { covers } from '../../covers';

describe('The argument of a command', () => {
  const row = createRow('controlPlane.sources', 'source 1/environment 2');

  it(`is a row only if a tree gave that object to VS Code ${covers('F88', 'unit')}`, () => {
    assert.isTrue(isRow(row));
    // As a command link, a task or another extension passes it.
    for (const forged of [{ ...row }, JSON.parse(JSON.stringify(row)), Object.create(row), [row]]) {
      assert.isFalse(isRow(forged));
    }
    for (const other of [undefined, null, 'row', 1]) assert.isFalse(isRow(other));
  });
});
