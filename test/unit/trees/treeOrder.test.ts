import { assert } from 'chai';
import { filterChoices } from '../../../src/trees/treeOrder';

describe('The states of a filter', () => {
  it('are those of the tree, with the selected ones ticked, ignoring case', () => {
    assert.deepEqual(filterChoices(['failed', 'running'], { text: '', states: ['Running'] }), [
      { state: 'failed', isChosen: false },
      { state: 'running', isChosen: true },
    ]);
  });

  it('include selected ones that are no longer in the tree, since they still apply', () => {
    assert.deepEqual(filterChoices(['failed'], { text: 'x', states: ['crashed'] }), [
      { state: 'failed', isChosen: false },
      { state: 'crashed', isChosen: true },
    ]);
    assert.deepEqual(filterChoices([], { text: '', states: [] }), []);
  });
});
