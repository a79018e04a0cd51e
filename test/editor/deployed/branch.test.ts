import { assert } from 'chai';
import type { LogQueryFilters } from '../../../src/api/types';
import { uiText } from '../../host/texts';
import { openInGit, setGit, setRepository } from '../gitExtension';
import { answerPick, errorMessages, followedLogs, shownMessages, notification } from '../person';
import { known, setScene } from '../scene';
import { run, until } from '../wait';

describe('the checked-out branch, with the Git extension', () => {
  const scene = setScene({}, { shared: true, settings: known.sources });
  let head: string;
  const git = setRepository(async ({ code }) => {
    head = await code.commit('page.ts', 'export const page = 1;\n');
    await code.git('remote', 'add', 'origin', 'git@git.example:example-shop/shop-web.git');
    const { world, admin } = scene.controlPlane;
    await deploy(head);
    await admin.change(world.previews[0]!.deploymentId, { state: 'succeeded' });
    await scene.connect();
  });

  /** Runs a command of Git, and reads the repository again. */
  async function inGit(...args: readonly string[]): Promise<void> {
    await git.code.git(...args);
    await git.repository.status();
  }

  /** Changes what runs in the apps of the source `shop-web`. */
  async function deploy(commitSha: string): Promise<void> {
    const { world, admin } = scene.controlPlane;
    for (const { source, deploymentId } of world.workloads) {
      if (source.name === 'shop-web') await admin.change(deploymentId, { commitSha });
    }
  }

  const workloadsOf = (name: string): string[] =>
    scene.controlPlane.world.workloads
      .filter(({ source }) => source.name === name)
      .map(({ id }) => id);

  async function stop(): Promise<void> {
    await run('stopLogs');
    await run('removeLogs');
  }

  /** Runs the command until it follows this filter; then stops the tail. */
  async function followed(label: string): Promise<LogQueryFilters> {
    await until(`${label} can be followed`, async () => {
      if ((await run('followBranchLogs')) !== true) return false;
      if ((await followedLogs()).some((one) => one.label === label)) return true;
      await stop();
      return false;
    });
    await scene.tailIs('live', label);
    const queries = await scene.filters();
    await stop();
    return queries.at(-1)!;
  }

  function choose(label: string): Promise<unknown> {
    answerPick((items) => items.find((one) => one.label === label));
    return Promise.resolve(run('chooseSource'));
  }

  it('follows the logs of its environment', async () => {
    const { workloadIds, environments } = await followed('production');
    assert.sameMembers([...(workloadIds ?? [])], workloadsOf('shop-web'));
    assert.deepEqual(environments, ['production']);
  });

  it('follows the logs of its preview by its deployment', async () => {
    const [preview] = scene.controlPlane.world.previews;
    await inGit('checkout', '--quiet', '-b', preview!.branch);
    const { deploymentIds } = await followed(uiText('preview of {0}', preview!.branch));
    assert.deepEqual(deploymentIds, [preview!.deploymentId]);
    await inGit('checkout', '--quiet', 'main');
    await followed('production');
  });

  it('compares with the deployed commit, and says if nothing differs', async () => {
    assert.isTrue(await run('compareWithDeployedCommit'));
    const same = uiText('No differences from the deployed commit {0}.', head.slice(0, 7));
    await notification(same);
    assert.deepEqual(await shownMessages(), [same]);
  });

  it('passes only hashes of commits to Git', async () => {
    await deploy('--output=evil');
    answerPick((items) => items.find(({ label }) => label === uiText('Refresh')));
    await run('branchMenu');
    await until('nothing is known', async () => (await run('showDeployedCommit')) === false);
    await notification(uiText('The commit deployed to {0} is unknown.', 'production'));
    await deploy(head);
  });

  it('belongs to the source that the user chose, to none, or to the one of its remotes', async () => {
    assert.isTrue(await choose('$(repo) shop-services'));
    const { workloadIds } = await followed('production');
    assert.sameMembers([...(workloadIds ?? [])], workloadsOf('shop-services'));

    assert.isTrue(await choose(uiText('$(circle-slash) None')));
    assert.isFalse(await run('followBranchLogs'));
    assert.isTrue(await choose(uiText('$(search) Find Automatically')));
    assert.sameMembers(
      [...((await followed('production')).workloadIds ?? [])],
      workloadsOf('shop-web'),
    );

    await inGit('remote', 'set-url', 'origin', 'git@git.example:other/repository.git');
    await until('no source is that one', async () => (await run('followBranchLogs')) === false);
  });

  it('is unknown while Git is disabled', async () => {
    await inGit('remote', 'set-url', 'origin', 'https://git.example/Example-Shop/Shop-Web');
    await followed('production');
    await setGit(false);
    await until('it is gone', async () => (await run('followBranchLogs')) === false);
    assert.isFalse(await run('chooseSource'));
    git.repository = await openInGit(git.code);
    await followed('production');
    assert.isEmpty(await errorMessages());
  });
});
