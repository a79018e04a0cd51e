import { assert } from 'chai';
import { deployedIn } from '../../../src/data/deployments';
import { read, uuid } from '../trees/treeText';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const c = 'c'.repeat(40);

/** The result for apps with these deployments, by name. */
function deployed(given: Record<string, object[]>): ReturnType<typeof deployedIn> {
  const names = Object.keys(given);
  const { resources = [] } = read('ResourceListing', {
    resources: names.map((name, index) => ({ id: uuid(index), name })),
  });
  return deployedIn(
    resources,
    ({ name = '' }) =>
      read('DeploymentListing', { deployments: given[name] ?? [] }).deployments ?? [],
  );
}

function shas(given: object[]): string[] {
  return deployed({ app: given }).commits.map(({ sha }) => sha);
}

const at = (day: number): string => `2026-11-${day}T12:00:00Z`;

describe('The commit that is deployed', () => {
  it('is that of the newest successful deployment, in any order', () => {
    const older = { commitSha: a, state: 'succeeded', createdAt: at(10) };
    const newer = { commitSha: b, state: 'Succeeded', createdAt: at(12) };
    assert.deepEqual(shas([older, newer]), [b]);
    assert.deepEqual(shas([newer, older]), [b]);
  });

  it('ignores failed, cancelled, replaced, rolled back and waiting deployments', () => {
    const live = { commitSha: a, state: 'succeeded', createdAt: at(10) };
    const others = ['failed', 'cancelled', 'superseded', 'rolled_back', 'queued', 'timed-out'];
    for (const state of others) {
      assert.deepEqual(shas([live, { commitSha: b, state, createdAt: at(12) }]), [a], state);
    }
  });

  it('accepts an unknown state if it has ended without an error', () => {
    const live = { commitSha: a, state: 'succeeded', createdAt: at(10) };
    const odd = { commitSha: b, state: 'landed', createdAt: at(12) };
    assert.deepEqual(shas([live, odd]), [a]);
    assert.deepEqual(shas([live, { ...odd, finishedAt: at(12) }]), [b]);
    assert.deepEqual(shas([live, { ...odd, finishedAt: at(12), errorCode: '' }]), [b]);
    assert.deepEqual(shas([live, { ...odd, finishedAt: at(12), errorCode: 'oom' }]), [a]);
    assert.deepEqual(shas([live, { commitSha: b, createdAt: at(12), finishedAt: at(12) }]), [b]);
  });

  it('is listed for each group of apps if they differ, newest first', () => {
    const { commits } = deployed({
      web: [{ id: uuid(7), commitSha: a, state: 'succeeded', createdAt: at(10) }],
      api: [{ id: uuid(8), commitSha: b, state: 'succeeded', createdAt: at(12) }],
      worker: [{ id: uuid(9), commitSha: a.toUpperCase(), state: 'succeeded', createdAt: at(11) }],
      idle: [],
    });
    assert.deepEqual(commits, [
      { sha: b, at: Date.parse(at(12)), resources: ['api'], deploymentIds: [uuid(8)] },
      {
        sha: a,
        at: Date.parse(at(11)),
        resources: ['web', 'worker'],
        deploymentIds: [uuid(7), uuid(9)],
      },
    ]);
  });

  it('has a later deployment that is in progress', () => {
    const live = { commitSha: a, state: 'succeeded', createdAt: at(10) };
    const running = { commitSha: b, state: 'building', createdAt: at(12), startedAt: at(12) };
    const stuck = { commitSha: c, state: 'running', createdAt: at(9), startedAt: at(9) };
    assert.deepEqual(deployed({ web: [stuck, live, running] }).coming, [b]);
    assert.deepEqual(deployed({ web: [running] }), { commits: [], coming: [b] });
  });

  it('never contains text that Git could interpret as an option', () => {
    const odd = ['--output=/tmp/x', 'HEAD', 'main', 'abc', `${a}..${b}`, `${a} -p`, ''];
    for (const commitSha of odd) {
      assert.deepEqual(shas([{ commitSha, state: 'succeeded' }]), [], commitSha);
    }
    assert.deepEqual(shas([{ commitSha: null, state: 'succeeded' }, {}]), []);
  });
});
