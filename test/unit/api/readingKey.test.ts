import { assert } from 'chai';
import { problemOf, errorOf } from '../../../src/activity/problems';
import { ApiError } from '../../../src/api/errors';
import { cleanUpOf, failure, filters, harness, refusal, uuid } from './cannedAnswers';
import { everything } from './operations';

/** Why a key with these permissions is refused: undefined without an answer that says them. */
async function refusedWith(
  permissions: readonly string[] | undefined,
  send: 'query' | 'sync' | 'cleanUp' | 'list',
  facts = everything,
) {
  const { client, asked, received } = harness(
    (one) =>
      one.path.endsWith('/identity') && permissions !== undefined
        ? Response.json({ capabilities: permissions })
        : refusal(403)(one),
    { facts: () => facts },
  );
  const sent = {
    query: () => client.queryLogs({ filters, limit: 1 }, asked),
    sync: () => client.syncEnvironment({ sourceId: uuid, environmentId: uuid }, asked),
    cleanUp: () => client.cleanUpOrphans(cleanUpOf(['a'], uuid), asked),
    list: () => client.listAlertRules({ serverId: uuid }, asked),
  }[send];
  const error = await failure(sent());
  assert(error instanceof ApiError);
  assert.equal(error.status, 403);
  return { error, paths: received.map(({ path }) => path.replace('/team/v1/api', '')) };
}

describe('A refusal of what is sent', () => {
  it('is for the key that may only read, where the server says what the key may do', async () => {
    const reading = ['logs.read', 'secret.list'];
    for (const [permissions, send, isForReading] of [
      [reading, 'query', true],
      [reading, 'sync', true],
      [reading, 'cleanUp', true],
      // It lacks the permission, too, but that is what is said of it.
      [['secret.list'], 'query', false],
      [[...reading, 'repository.update'], 'sync', false],
      [[], 'sync', false],
      [undefined, 'query', false],
    ] as const) {
      const { error, paths } = await refusedWith(permissions, send);
      assert.equal(error.isForReading, isForReading, `${String(permissions)} ${send}`);
      assert.include(paths, '/identity');
      assert.equal(error.meaning, 'missingPermission');
      const stored: unknown = JSON.parse(JSON.stringify(problemOf(error)));
      assert.propertyVal(
        errorOf(stored as ReturnType<typeof problemOf>),
        'isForReading',
        isForReading,
      );
    }
  });

  it('asks nothing if only a listing was refused, or if the server does not say that', async () => {
    const listed = await refusedWith(['logs.read'], 'list');
    assert.lengthOf(listed.paths, 1);
    const { error, paths } = await refusedWith(['logs.read'], 'query', { operations: {} });
    assert.lengthOf(paths, 1);
    assert.isFalse(error.isForReading);
  });
});
