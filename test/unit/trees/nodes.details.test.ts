import { assert } from 'chai';
import { detailsOf } from '../../../src/trees/nodes';
import { covers } from '../covers';
import { read, scene } from './treeText';

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
