import { assert } from 'chai';
import { makeNode } from '../../../src/trees/nodes';
import { alertStatus } from '../../../src/trees/status';
import { arrange, filterChoices } from '../../../src/trees/treeOrder';
import { t } from './treeText';

describe('The order of alert rules', () => {
  it('has those first that fire, and then those that are about to', () => {
    const rules = ['ok', 'resolved', 'pending', 'firing'].map((evaluationState, index) =>
      makeNode({
        id: `${index}`,
        kind: 'rule',
        label: evaluationState,
        status: alertStatus({ evaluationState, enabled: true }, t),
      }),
    );
    const order = arrange(rules, { text: '', states: [] }, 'name', []);
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
