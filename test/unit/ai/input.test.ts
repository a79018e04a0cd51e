import { assert } from 'chai';
import manifest from '../../../package.json';
import { readInput } from '../../../src/ai/input';
import { InvalidRequestError } from '../../../src/api/errors';
import * as validators from '../../../src/api/generated/toolInputs';
import contract from '../../../src/api/openapi.json';

const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
type Name = keyof typeof validators;

function problemOf(name: Name, input: unknown): string {
  try {
    readInput<Record<string, unknown>>(validators[name], input);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message;
    throw error;
  }
  return 'none';
}

const { schemas } = contract.components;
const shown = (name: Name) =>
  manifest.contributes.languageModelTools.find((tool) => tool.name === `controlPlane_${name}`)!
    .inputSchema.properties;

describe('the input of an AI tool', () => {
  const good: readonly (readonly [Name, unknown])[] = [
    ['searchLogs', { query: '' }],
    ['searchLogs', { query: 'severity:error last:1d', limit: 500 }],
    ['summariseLogs', { query: 'x' }],
    ['listResources', {}],
    ['listResources', undefined],
    ['listResources', { sourceId: id.toUpperCase() }],
    ['listDeployments', { resourceId: id }],
    ['listAlertRules', { serverId: id }],
    ['listSecretKeys', { sourceId: id, environment: 'preview:a-1' }],
    ['syncEnvironment', { sourceId: id, environmentId: id }],
    ['cleanUpOrphans', { serverId: id, items: Array.from({ length: 100 }, String) }],
  ];
  for (const [name, input] of good) {
    it(`for ${name} is accepted: ${JSON.stringify(input ?? null).slice(0, 60)}`, () => {
      assert.equal(problemOf(name, input), 'none');
    });
  }

  const bad: readonly (readonly [Name, unknown, RegExp])[] = [
    ['searchLogs', {}, /^query is missing/],
    ['searchLogs', null, /^query is missing/],
    ['searchLogs', 'severity:error', /^input is of the wrong type/],
    ['searchLogs', [], /^input is of the wrong type/],
    ['searchLogs', { query: 7 }, /^query is of the wrong type \(string\)$/],
    ['searchLogs', { query: 'x'.repeat(4097) }, /^query is too long \(at most 4096/],
    ['searchLogs', { query: '\ud800' }, /^query is not valid text/],
    ['searchLogs', { query: '', limit: 0 }, /^limit is too small \(at least 1\)$/],
    ['searchLogs', { query: '', limit: 501 }, /^limit is too large \(at most 500\)$/],
    ['searchLogs', { query: '', limit: 1.5 }, /^limit is of the wrong type/],
    ['searchLogs', { query: '', limit: '5' }, /^limit is of the wrong type/],
    ['searchLogs', { query: '', cursor: 'x' }, /^cursor is not known/],
    ['listResources', { sourceId: 'shop' }, /^sourceId is not a UUID/],
    ['listDeployments', { resourceId: `${id}/../x` }, /^resourceId is not a UUID/],
    ['listSecretKeys', { sourceId: id }, /^environment is missing/],
    ['listSecretKeys', { sourceId: id, environment: 'A b' }, /^environment is not the name of/],
    ['syncEnvironment', { sourceId: id }, /^environmentId is missing/],
    ['cleanUpOrphans', { serverId: id, items: [] }, /^items is empty/],
    ['cleanUpOrphans', { serverId: id, items: Array(101).fill('a') }, /at most 100 items/],
    ['cleanUpOrphans', { serverId: id, items: [7] }, /^items\[0\] is of the wrong type/],
    ['cleanUpOrphans', { serverId: 'fra', items: ['a'] }, /^serverId is not a UUID/],
  ];
  for (const [name, input, problem] of bad) {
    it(`for ${name} is rejected with ${String(problem)}`, () => {
      assert.match(problemOf(name, input), problem);
    });
  }

  it('has the limits of the contract, in package.json too', () => {
    const { minimum, maximum } = schemas.LogQueryRequest.properties.limit;
    assert.deepInclude(shown('searchLogs').limit, { type: 'integer', minimum, maximum });
    const { minItems, maxItems } = schemas.CleanupRequest.properties.items;
    assert.deepInclude(shown('cleanUpOrphans').items, { type: 'array', minItems, maxItems });
    const environment = contract.paths['/sources/{ownerId}/secrets'].get.parameters.find(
      ({ name }) => name === 'environment',
    )!;
    const { maxLength, pattern } = environment.schema;
    assert.deepInclude(shown('listSecretKeys').environment as object, {
      type: 'string',
      maxLength,
      pattern,
    });
    for (const { inputSchema } of manifest.contributes.languageModelTools) {
      assert.isFalse(inputSchema.additionalProperties);
      const properties: Readonly<Record<string, { description: string }>> = inputSchema.properties;
      for (const [name, schema] of Object.entries(properties)) {
        assert.isNotEmpty(schema.description, name);
        if (name.endsWith('Id')) assert.propertyVal(schema, 'pattern', schemas.Uuid.pattern);
      }
    }
  });
});
