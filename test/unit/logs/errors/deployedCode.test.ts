import { assert } from 'chai';
import { minute } from '../../../../src/base/clock';
import { DeployedCommits, DeployedTexts } from '../../../../src/logs/errors/deployedCode';
import { httpError } from '../../data/fakeClient';
import { read, scene, type Scene, uuid } from '../../trees/treeText';
import { fakeClock, settle } from '../../fakeClock';

const sha = 'a1b2c3d4'.repeat(5);
const workload = uuid(1);
const deployed = (deploymentId: string | null, workloadId = workload) => ({
  deploymentId,
  workloadId,
});

/** The requests for the deployments of workloads, which list these. */
function serving(...deployments: object[]): Scene & { asked: string[] } {
  const asked: string[] = [];
  const made = scene({
    listDeployments: (id) => {
      asked.push(id);
      return Promise.resolve(read('DeploymentListing', { deployments }));
    },
  });
  return { ...made, asked };
}

describe('the commits of deployments', () => {
  it('are requested once for each workload, when they are asked for', async () => {
    const { store, asked } = serving(
      { id: 'one', commitSha: sha.toUpperCase() },
      { id: 'two', commitSha: '--output=x' },
    );
    const commits = new DeployedCommits(store, fakeClock());
    const all = ['one', 'two', 'three', null].map((id) => deployed(id));
    assert.isUndefined(commits.commitOf(all[0]!));
    assert.deepEqual(asked, []);
    commits.load(all);
    assert.isTrue(commits.isLoading(all[0]!));
    await settle();
    assert.isFalse(commits.isLoading(all[0]!));
    assert.deepEqual(
      all.map((one) => commits.commitOf(one)),
      [sha, undefined, undefined, undefined],
    );
    commits.load(all);
    await settle();
    assert.deepEqual(asked, [workload]);
  });

  it('are requested again for a new deployment, and for another connection', async () => {
    const { store, asked } = serving({ id: 'one', commitSha: sha });
    const commits = new DeployedCommits(store, fakeClock());
    commits.load([deployed('one')]);
    await settle();
    commits.load([deployed('one'), deployed('new')]);
    await settle();
    commits.load([deployed('new')]);
    await settle();
    assert.lengthOf(asked, 2);
    store.reset(undefined);
    commits.load([deployed('one')]);
    assert.isFalse(commits.isLoading(deployed('one')));
    assert.lengthOf(asked, 2);
  });

  it('are not requested for what is no id, nor again without the permission', async () => {
    const asked: string[] = [];
    const { store } = scene({
      listDeployments: (id) => {
        asked.push(id);
        return Promise.reject(httpError(403, 'forbidden'));
      },
    });
    const commits = new DeployedCommits(store, fakeClock());
    commits.load([deployed('one', '../other'), deployed('one')]);
    await settle();
    commits.load([deployed('two')]);
    await settle();
    assert.deepEqual(asked, [workload]);
    assert.isFalse(commits.isLoading(deployed('one')));
  });

  it('are requested again some time after a failure', async () => {
    let fails = true;
    const { store } = scene({
      listDeployments: () =>
        fails
          ? Promise.reject(httpError(400, 'failed'))
          : Promise.resolve(
              read('DeploymentListing', { deployments: [{ id: 'one', commitSha: sha }] }),
            ),
    });
    const clock = fakeClock();
    const commits = new DeployedCommits(store, clock);
    commits.load([deployed('one')]);
    await settle();
    fails = false;
    commits.load([deployed('one')]);
    await settle();
    assert.isUndefined(commits.commitOf(deployed('one')));
    await clock.advance(10 * minute);
    commits.load([deployed('one')]);
    await settle();
    assert.strictEqual(commits.commitOf(deployed('one')), sha);
  });

  it('are requested for new deployments, however many unknown ones there were', async () => {
    const { store, asked } = serving();
    const commits = new DeployedCommits(store, fakeClock());
    commits.load(Array.from({ length: 6000 }, (_, index) => deployed(`unknown ${index}`)));
    await settle();
    commits.load([deployed('real', uuid(7))]);
    await settle();
    assert.deepEqual(asked, [workload, uuid(7)]);
  });

  it('are requested for at most 20 workloads at once', async () => {
    const { store, asked } = serving();
    const commits = new DeployedCommits(store, fakeClock());
    const all = Array.from({ length: 30 }, (_, index) => deployed(`d ${index}`, uuid(index)));
    commits.load(all);
    assert.isAtMost(asked.length, 20);
    await settle();
    commits.load(all);
    await settle();
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
    assert.deepEqual(await look(), [[''], undefined, undefined]);
    await look();
    assert.equal(asked, 3);
    texts.recheck();
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
