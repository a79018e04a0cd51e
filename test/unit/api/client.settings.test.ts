import { assert } from 'chai';
import { defaults, failure, harness, json, otherSettings } from './cannedAnswers';

describe('the settings of the client', () => {
  it('are read before each request, like the key', async () => {
    const keys = ['first', 'second'];
    let timesAsked = 0;
    const { client, received, signal } = harness(json({}), {
      token: () => Promise.resolve(keys.shift()),
      settings() {
        timesAsked++;
        return timesAsked > 2 ? otherSettings : defaults;
      },
    });
    await client.listRepositories({}, { signal, priority: 'person' });
    await client.listRepositories({}, { signal, priority: 'person' });
    assert.deepEqual(
      received.map(({ path, headers }) => [path, headers['authorization']]),
      [
        ['/team/v1/api/codehost-b/repositories', 'Bearer first'],
        ['/team/v1/api/gitplace/repositories', 'Bearer second'],
      ],
    );
  });

  const badSettings: [string, object][] = [
    ...['..', 'a/b', '', 'a?b'].map((repositories): [string, object] => [
      'segments.repositories',
      { segments: { ...defaults.segments, repositories } },
    ]),
    [
      'parameters.repositoriesPage',
      { parameters: { ...defaults.parameters, repositoriesPage: '' } },
    ],
  ];
  for (const [field, changes] of badSettings) {
    it(`send nothing if they make no valid URL: ${JSON.stringify(changes)}`, async () => {
      const { client, received, entries, signal } = harness(json({}), {
        settings: () => ({ ...defaults, ...changes }),
      });
      const error = await failure(
        client.listRepositories({ page: 1 }, { signal, priority: 'person' }),
      );
      assert.include(error, { field: `controlPlane.api.${field}` });
      assert.lengthOf(received, 0);
      assert.lengthOf(entries, 0);
    });
  }

  const paths = ['operations', '/operations', '/a/../{operationId}', '/{operationId}?x'];
  for (const operationPath of [...paths, '//{operationId}']) {
    it(`send nothing to the invalid operation path ${operationPath}`, async () => {
      const { client, received, signal } = harness(json({}), {
        settings: () => ({ ...defaults, operationPath }),
      });
      const error = await failure(client.getOperation('op', { signal, priority: 'person' }));
      assert.include(error, { field: 'controlPlane.api.operationPath' });
      assert.lengthOf(received, 0);
    });
  }
});
