import { assert } from 'chai';
import { minute } from '../../../../src/base/clock';
import { DeployedCommits, DeployedTexts } from '../../../../src/logs/errors/deployedCode';
import { fakeClient, httpError } from '../../data/fakeClient';
import { read, scene, uuid } from '../../trees/treeText';
import { fakeClock, settle } from '../../fakeClock';

const sha = 'a1b2c3d4'.repeat(5);
const workload = uuid(1);
const deployed = (deploymentId: string | null, workloadId = workload) => ({
  deploymentId,
  workloadId,
});

type Deployed = ReturnType<typeof deployed>;

/** The commits of deployments, of which each workload has these. */
function setup(list: () => readonly object[] = () => []) {
  /** The workloads whose deployments were requested. */
  const asked: string[] = [];
  const clock = fakeClock();
  const client = {
    listDeployments({ resourceId }: { resourceId: string }) {
      asked.push(resourceId);
      return Promise.resolve().then(() => read('DeploymentListing', { deployments: list() }));
    },
  };
  const { store } = scene(client);
  const commits = new DeployedCommits(store, clock);
  const load = async (...all: readonly Deployed[]): Promise<void> => {
    commits.load(all);
    await settle();
  };
  const connect = (): void => store.reset(fakeClient(client));
  return { asked, clock, store, connect, commits, load };
}

describe('the commits of deployments', () => {
  it('are requested once for each workload, when they are asked for', async () => {
    const { commits, asked } = setup(() => [
      { id: 'one', commitSha: sha.toUpperCase() },
      { id: 'two', commitSha: '--output=x' },
    ]);
    const all = ['one', 'two', 'three', null].map((id) => deployed(id));
    assert.isUndefined(commits.commitOf(deployed('one')));
    assert.deepEqual(asked, []);
    commits.load(all);
    assert.isTrue(commits.isLoading(deployed('one')));
    await settle();
    assert.isFalse(commits.isLoading(deployed('one')));
    assert.deepEqual(
      all.map((one) => commits.commitOf(one)),
      [sha, undefined, undefined, undefined],
    );
    commits.load(all);
    assert.deepEqual(asked, [workload]);
  });

  it('are requested again for a new deployment, and for another connection', async () => {
    const { store, connect, commits, asked, load } = setup(() => [{ id: 'one', commitSha: sha }]);
    await load(deployed('one'));
    await load(deployed('one'), deployed('new'));
    await load(deployed('new'));
    assert.lengthOf(asked, 2);
    store.reset(undefined);
    commits.load([deployed('one')]);
    assert.isFalse(commits.isLoading(deployed('one')));
    assert.lengthOf(asked, 2, 'there is no connection');
    connect();
    await load(deployed('new'));
    assert.lengthOf(asked, 3);
  });

  it('are not requested for what is no id, nor again without the permission', async () => {
    const { commits, asked, load } = setup(() => {
      throw httpError(403, 'forbidden');
    });
    await load(deployed('one', '../other'), deployed('one'));
    await load(deployed('two'));
    assert.deepEqual(asked, [workload]);
    assert.isFalse(commits.isLoading(deployed('one')));
  });

  it('are requested again some time after a failure', async () => {
    let fails = true;
    const { clock, commits, load } = setup(() => {
      if (fails) throw httpError(400, 'failed');
      return [{ id: 'one', commitSha: sha }];
    });
    await load(deployed('one'));
    fails = false;
    await load(deployed('one'));
    assert.isUndefined(commits.commitOf(deployed('one')));
    await clock.advance(10 * minute);
    await load(deployed('one'));
    assert.strictEqual(commits.commitOf(deployed('one')), sha);
  });

  it('are requested for new deployments, however many unknown ones there were', async () => {
    const { asked, load } = setup();
    await load(...Array.from({ length: 6000 }, (_, index) => deployed(`unknown ${index}`)));
    await load(deployed('real', uuid(7)));
    assert.deepEqual(asked, [workload, uuid(7)]);
    await load(deployed('unknown 5999'));
    assert.lengthOf(asked, 2);
    await load(deployed('unknown 0'));
    assert.lengthOf(asked, 3, 'it is no longer remembered');
  });

  it('are requested for at most 20 workloads at once', async () => {
    const { asked, load } = setup();
    const all = Array.from({ length: 30 }, (_, index) => deployed(`d ${index}`, uuid(index)));
    await load(...all);
    assert.lengthOf(asked, 20);
    await load(...all);
    assert.lengthOf(asked, 30);
  });
});

describe('texts of deployed files', () => {
  it('are read once, as lines', async () => {
    const asked: string[] = [];
    const texts = new DeployedTexts((file, sha) => {
      asked.push(`${file} ${sha}`);
      return Promise.resolve('a\r\nb');
    });
    assert.deepEqual(await texts.linesAt('x', '1'), ['a', 'b']);
    await Promise.all([texts.linesAt('x', '1'), texts.linesAt('x', '2'), texts.linesAt('x', '2')]);
    assert.deepEqual(asked, ['x 1', 'x 2']);
  });

  it('that are missing or cannot be read are looked for again only if they may be there', async () => {
    let asked = 0;
    const texts = new DeployedTexts((file) => {
      asked++;
      if (file === 'there') return Promise.resolve('');
      return file === 'gone' ? Promise.resolve(undefined) : Promise.reject(new Error('no Git'));
    });
    const look = async (): Promise<unknown[]> =>
      Promise.all(['there', 'gone', 'broken'].map((file) => texts.linesAt(file, '1')));
    assert.isFalse(texts.isMissing);
    assert.deepEqual(await look(), [[''], undefined, undefined]);
    assert.isTrue(texts.isMissing);
    await look();
    assert.equal(asked, 3);
    texts.recheck();
    assert.isFalse(texts.isMissing);
    await look();
    assert.equal(asked, 5);
  });

  it('take a bounded amount of memory: those that were used longest ago are dropped', async () => {
    const asked: string[] = [];
    const text = 'x'.repeat(6 * 1024 * 1024);
    const texts = new DeployedTexts((file) => {
      asked.push(file);
      return Promise.resolve(text);
    });
    for (const file of ['a', 'b', 'a', 'c', 'a', 'b']) await texts.linesAt(file, '1');
    assert.deepEqual(asked, ['a', 'b', 'c', 'b']);
  });
});
