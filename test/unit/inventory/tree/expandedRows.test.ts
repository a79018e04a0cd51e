import { assert } from 'chai';
import { type Topic, topicKey } from '../../../../src/inventory/resourceKeys';
import { makeNode, type TreeNode } from '../../../../src/inventory/tree/nodes';
import { plain } from '../../../../src/inventory/tree/status';
import { createExpandedRows, type ExpandedRows } from '../../../../src/inventory/tree/treeView';

const integrations: Topic = { kind: 'integrations' };
const repositories: Topic = { kind: 'repositories', search: '' };

/** A tree of these rows: the path of each is its id, and it is made of these topics. */
function tree(rows: Readonly<Record<string, readonly Topic[]>>): {
  expanded: ExpandedRows;
  remove: (id: string) => void;
  keys: () => string[];
} {
  const nodes = new Map<string, TreeNode>(
    Object.entries(rows).map(([id, topics]) => [
      id,
      makeNode({ id, kind: 'source', label: id, status: plain('repo'), topics }),
    ]),
  );
  const expanded = createExpandedRows({
    node: (id) => nodes.get(id),
    parent: (id) => (id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined),
  });
  return {
    expanded,
    remove: (id) => void nodes.delete(id),
    keys: () => expanded.topics().map(topicKey),
  };
}

describe('the rows that are open', () => {
  it('say what the children on the screen are made of, each topic once', () => {
    const { expanded, keys } = tree({ a: [integrations], b: [integrations, repositories] });
    assert.deepEqual(keys(), []);
    expanded.open('a');
    assert.deepEqual(keys(), ['integrations']);
    expanded.open('b');
    assert.deepEqual(keys(), ['integrations', 'repositories ']);
    expanded.close('b');
    assert.deepEqual(keys(), ['integrations']);
  });

  it('count only where everything above them is open too', () => {
    const { expanded, keys } = tree({ a: [], 'a/b': [], 'a/b/c': [repositories] });
    ['a', 'a/b', 'a/b/c'].forEach((id) => expanded.open(id));
    assert.deepEqual(keys(), ['repositories ']);
    expanded.close('a');
    assert.deepEqual(keys(), [], 'it stays open, out of sight');
    expanded.open('a');
    assert.deepEqual(keys(), ['repositories ']);
  });

  it('are forgotten once they are gone', () => {
    const { expanded, remove, keys } = tree({ a: [], 'a/b': [repositories] });
    ['a', 'a/b'].forEach((id) => expanded.open(id));
    remove('a');
    expanded.prune();
    assert.deepEqual(keys(), [], 'what is above it is closed');
    assert.doesNotThrow(() => expanded.close('never opened'));
  });
});
