import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LogQueryRequest } from '../../src/api/types';
import { createGitFolder, type GitFolder } from '../host/gitFolder';
import { uiText } from '../host/texts';
import { leaveGit, openInGit, type OpenRepository, setGit } from './gitExtension';
import { answerPick, errorMessages, followedLogs, shownMessages, told } from './person';
import { setScene } from './scene';
import { run, until } from './wait';

describe('the checked-out branch, with the Git extension', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      settings: ({ sources }) => ({
        sources: sources.map(({ id, name }) => ({ id, label: name })),
      }),
    },
  );
  let folder: string;
  let code: GitFolder;
  let head: string;
  let repository: OpenRepository;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'code-'));
    code = await createGitFolder(path.join(folder, 'mine'));
    head = await code.commit('page.ts', 'export const page = 1;\n');
    await code.git('remote', 'add', 'origin', 'git@git.example:example-shop/shop-web.git');
    const { world, admin } = scene.controlPlane;
    await deploy(head);
    await admin.change(world.previews[0]!.deploymentId, { state: 'succeeded' });
    await scene.connect();
    repository = await openInGit(code);
  });
  after(async () => {
    await leaveGit();
    await rm(folder, { recursive: true, maxRetries: 10 });
  });

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
  async function followed(label: string): Promise<LogQueryRequest['filters']> {
    await until(`${label} can be followed`, async () => {
      if ((await run('followBranchLogs')) !== true) return false;
      if ((await followedLogs()).some((one) => one.label === label)) return true;
      await stop();
      return false;
    });
    await scene.tailIs('live', label);
    const queries = await scene.requests('/logs/query');
    await stop();
    // The embedded control plane accepts only such a request.
    return (JSON.parse(queries.at(-1)?.body ?? '{}') as LogQueryRequest).filters;
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
    await code.git('checkout', '--quiet', '-b', preview!.branch);
    await repository.status();
    const { deploymentIds } = await followed(uiText('preview of {0}', preview!.branch));
    assert.deepEqual(deploymentIds, [preview!.deploymentId]);
    await code.git('checkout', '--quiet', 'main');
    await repository.status();
    await followed('production');
  });

  it('compares with the deployed commit, and says if nothing differs', async () => {
    assert.isTrue(await run('compareWithDeployedCommit'));
    const same = uiText('No differences from the deployed commit {0}.', head.slice(0, 7));
    await told(same);
    assert.deepEqual(await shownMessages(), [same]);
  });

  it('passes only hashes of commits to Git', async () => {
    await deploy('--output=evil');
    answerPick((items) => items.find(({ label }) => label === uiText('Refresh')));
    await run('branchMenu');
    await until('nothing is known', async () => (await run('showDeployedCommit')) === false);
    await told(uiText('The commit deployed to {0} is unknown.', 'production'));
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

    await code.git('remote', 'set-url', 'origin', 'git@git.example:other/repository.git');
    await repository.status();
    await until('no source is that one', async () => (await run('followBranchLogs')) === false);
  });

  it('is unknown while Git is disabled', async () => {
    await code.git('remote', 'set-url', 'origin', 'https://git.example/Example-Shop/Shop-Web');
    await repository.status();
    await followed('production');
    await setGit(false);
    await until('it is gone', async () => (await run('followBranchLogs')) === false);
    assert.isFalse(await run('chooseSource'));
    repository = await openInGit(code);
    await followed('production');
    assert.isEmpty(await errorMessages());
  });
});
