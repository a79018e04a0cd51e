import { assert } from 'chai';
import { detailsOf, pathTo } from '../../../src/trees/nodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { covers } from '../covers';
import { shop, source, sources } from '../data/shop';
import { read, scene, uuid } from './treeText';

describe('Details', () => {
  const { context } = scene({});

  it(`are limited for any answer, and say how much is omitted ${covers('F59', 'unit')}`, () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]),
    );
    const lines = detailsOf(many, context);
    assert.lengthOf(lines, 151);
    assert.deepEqual(lines.at(-1), { label: '…', value: '350 more' });
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    assert.lengthOf(detailsOf({ deep }, context), 1);
    const [long] = detailsOf({ text: 'x'.repeat(5000) }, context);
    assert.lengthOf(long!.value, 1001);
    assert.isBelow(detailsOf({ wide: many, more: [many, many] }, context).length, 152);
  });

  it('show every kind of value', () => {
    const resource = {
      serverReady: true,
      createdAt: '2026-11-20T11:00:00Z',
      archivedAt: 'never',
      config: {
        autoDeploy: false,
        deploymentInputs: [],
        logDrains: ['otlp', 'file'],
        jobs: [{ command: ['python', '-m', 'export'] }, { timeoutSeconds: 9 }],
        externalSecrets: {},
        sampling_rate: null,
      },
      unheard_of: { nested: [[1, 2], { deep: 'yes' }] },
    };
    const [value] = read('ResourceListing', { resources: [resource] }).resources!;
    assert.deepEqual(
      detailsOf(value!, context).map(({ label, value: text }) => `${label}: ${text}`),
      [
        'Server ready: yes',
        'Created at: 2026-11-20 11:00:00 UTC (1 hr. ago)',
        'Archived at: never',
        'Config › Auto deploy: no',
        'Config › Deployment inputs: none',
        'Config › Log drains: otlp, file',
        'Config › Jobs › 1 › Command: python -m export',
        'Config › Jobs › 2 › Timeout seconds: 9',
        'Config › External secrets: none',
        'Unheard of › Nested › 1: 1, 2',
        'Unheard of › Nested › 2 › Deep: yes',
      ],
    );
  });
});

describe('The path to a row', () => {
  it('contains the rows above it', async () => {
    const { context } = await shop();
    const nodes = sourceNodes(context);
    const path = pathTo(nodes, ({ target }) => target.resourceId === uuid(11)) ?? [];
    assert.equal(path[0], `source ${source}`);
    assert.lengthOf(path, 3);
    assert.equal(path[2], `${path[1] ?? ''}/resource ${uuid(11)}`);
    assert.isUndefined(pathTo(nodes, ({ target }) => target.resourceId === uuid(99)));
  });

  it('is no deeper than the trees', () => {
    const [node] = sourceNodes(scene({}, { sources }).context);
    assert.isDefined(node);
    const endless = { ...node, children: () => [endless] };
    assert.isUndefined(pathTo([endless], ({ id }) => id === 'nowhere'));
  });
});
