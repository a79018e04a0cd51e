import { assert } from 'chai';
import { ruleNodes } from '../../../src/trees/alerts/ruleNodes';
import { arrange, filterChoices } from '../../../src/trees/treeOrder';
import { read, scene, uuid } from './treeText';

describe('The order of alert rules', () => {
  it('has those first that fire, and then those that are about to', () => {
    const rules = ['ok', 'resolved', 'pending', 'firing'].map((evaluationState) => ({
      name: evaluationState,
      evaluationState,
      enabled: true,
    }));
    const nodes = ruleNodes(scene({}).context, 'rules', uuid(1), read('AlertListing', { rules }));
    const order = arrange(nodes, { text: '', states: [] }, 'name', []);
    assert.deepEqual(
      order.map(({ label }) => label),
      ['firing', 'pending', 'ok', 'resolved'],
    );
  });
});

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
