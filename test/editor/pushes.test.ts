import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createGitFolder, type GitFolder } from '../host/gitFolder';
import { uiPattern, uiText } from '../host/texts';
import { errorMessages, offeredButtons, shownMessages, told } from './person';
import { setScene } from './scene';
import { run, until } from './wait';

/** The parts of the Git extension that these tests use. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<{ status(): Promise<void> }> };
}

const gitSettings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('git');

async function setGit(name: string, value: unknown): Promise<void> {
  await gitSettings().update(name, value, vscode.ConfigurationTarget.Global);
}

describe('A push of the checked-out branch, with the Git extension', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      settings: ({ sources }) => ({
        sources: sources.map(({ id, name }) => ({ id, label: name })),
      }),
    },
  );
  const wasEnabled = gitSettings().inspect<boolean>('enabled')?.globalValue;
  let folder: string;
  let code: GitFolder;
  let repository: { status(): Promise<void> };

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'code-'));
    code = await createGitFolder(path.join(folder, 'mine'));
    await code.commit('page.ts', 'export const page = 1;\n');
    const remote = path.join(folder, 'shop-web.git');
    await code.git('init', '--quiet', '--bare', remote);
    await code.git('remote', 'add', 'origin', remote);
    await code.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    await scene.connect();
    await setGit('enabled', true);
    // The oldest release asks before it opens files outside of the workspace.
    await setGit('openRepositoryInParentFolders', 'always');
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    const git = await extension!.activate();
    await until('Git is on', () => git.enabled);
    repository = await git.getAPI(1).openRepository(vscode.Uri.file(code.folder));
    const isRead = async (): Promise<boolean> => (await scene.requests('/deployments')).length >= 3;
    await until('the branch has an environment', isRead);
  });
  after(async () => {
    await setGit('enabled', false);
    await until('no repository is open', async () => (await run('chooseSource')) === false);
    await setGit('enabled', wasEnabled);
    await setGit('openRepositoryInParentFolders', undefined);
    await rm(folder, { recursive: true, maxRetries: 10 });
  });

  /** Commits and pushes; the control plane deploys it in each app, and one of them ends in this state. */
  async function push(
    text: string,
    state: string,
    members: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const sha = await code.commit('page.ts', text);
    await repository.status();
    await code.git('push', '--quiet');
    await repository.status();
    const { world, admin } = scene.controlPlane;
    const apps = world.workloads.filter(({ source }) => source.name === 'shop-web');
    for (const [index, { id }] of apps.entries()) {
      const end =
        index === 0
          ? { afterSeconds: 2, state, members }
          : { afterSeconds: 2, state: 'succeeded', members: {} };
      await admin.deploy(id, { commitSha: sha }, [{ afterSeconds: 1, state: 'building' }, end]);
    }
    return sha.slice(0, 7);
  }

  it('is watched until it is live or has failed, and each is said once', async () => {
    const good = await push('export const page = 2;\n', 'succeeded', {});
    const live = uiPattern('{1} is live in {2}: {0} apps in {3}', '3', good, 'production', /.+/);
    await told(live);
    assert.deepEqual(offeredButtons().slice(0, 2), [uiText('Follow Logs'), uiText('Open Site')]);

    const errorCode = 'build_failed';
    const errorMessage = '[x](command:go) is missing';
    const bad = await push('export const page = 3;\n', 'failed', { errorCode, errorMessage });
    const why = await told(uiPattern('{0} failed in {1}. {2}', bad, 'production', /.+/));
    assert.include(why, errorCode);
    assert.notInclude(why, '](command:');
    assert.include(offeredButtons(), uiText('Show Deployment'));
    const all = [...(await shownMessages()), ...(await errorMessages())];
    assert.lengthOf(
      all.filter((one) => one.includes(good) || one.includes(bad)),
      2,
    );
  });
});
