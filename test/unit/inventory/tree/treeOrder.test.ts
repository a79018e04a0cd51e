import { assert } from 'chai';
import { filterChoices } from '../../../../src/inventory/tree/treeOrder';

describe('the states that a filter can ask for', () => {
  it('are those of the tree, the chosen ones ticked whatever their case', () => {
    assert.deepEqual(filterChoices(['failed', 'running'], { text: '', states: ['Running'] }), [
      { state: 'failed', isChosen: false },
      { state: 'running', isChosen: true },
    ]);
  });

  it('are chosen ones too that the tree has no longer: else they would be in force unseen', () => {
    assert.deepEqual(filterChoices(['failed'], { text: 'x', states: ['crashed'] }), [
      { state: 'failed', isChosen: false },
      { state: 'crashed', isChosen: true },
    ]);
    assert.deepEqual(filterChoices([], { text: '', states: [] }), []);
  });
});
