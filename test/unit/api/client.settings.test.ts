import { assert } from 'chai';
import { defaults, failure, harness, json, otherSettings } from './cannedAnswers';

describe('the settings of the client', () => {
  it('asks for the key and the settings before each request', async () => {
    const keys = ['first', 'second'];
    let timesAsked = 0;
    const { client, received, signal } = harness(json({}), {
      token: () => Promise.resolve(keys.shift()),
      settings() {
        timesAsked++;
        return timesAsked > 2 ? otherSettings : defaults;
      },
    });
    await client.listRepositories({}, { signal });
    await client.listRepositories({}, { signal });
    assert.deepEqual(
      received.map(({ path, headers }) => [path, headers['authorization']]),
      [
        ['/team/v1/api/codehost-b/repositories', 'Bearer first'],
        ['/team/v1/api/gitplace/repositories', 'Bearer second'],
      ],
    );
  });

  const badSettings: [string, object][] = [
    [
      'controlPlane.api.segments.repositories',
      { segments: { ...defaults.segments, repositories: '..' } },
    ],
    [
      'controlPlane.api.segments.repositories',
      { segments: { ...defaults.segments, repositories: 'a/b' } },
    ],
    [
      'controlPlane.api.segments.repositories',
      { segments: { ...defaults.segments, repositories: '' } },
    ],
    [
      'controlPlane.api.segments.repositories',
      { segments: { ...defaults.segments, repositories: 'a?b' } },
    ],
    [
      'controlPlane.api.parameters.repositoriesPage',
      { parameters: { ...defaults.parameters, repositoriesPage: '' } },
    ],
  ];
  for (const [field, changes] of badSettings) {
    it(`sends nothing where a setting makes no URL: ${JSON.stringify(changes)}`, async () => {
      const { client, received, entries, signal } = harness(json({}), {
        settings: () => ({ ...defaults, ...changes }),
      });
      assert.include(await failure(client.listRepositories({ page: 1 }, { signal })), { field });
      assert.lengthOf(received, 0);
      assert.lengthOf(entries, 0);
    });
  }

  for (const operationPath of [
    'operations',
    '/operations',
    '/a/../{operationId}',
    '/{operationId}?x',
    '//{operationId}',
  ]) {
    it(`sends nothing to the operation path ${operationPath}`, async () => {
      const { client, received, signal } = harness(json({}), {
        settings: () => ({ ...defaults, operationPath }),
      });
      const error = await failure(client.getOperation('op', { signal }));
      assert.include(error, { field: 'controlPlane.api.operationPath' });
      assert.lengthOf(received, 0);
    });
  }
});
