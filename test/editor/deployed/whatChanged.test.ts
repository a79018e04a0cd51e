import { assert } from 'chai';
import path from 'node:path';
import * as vscode from 'vscode';
import { createGitFolder } from '../../host/gitFolder';
import { uiText } from '../../host/texts';
import { setRepository } from '../gitExtension';
import { answerPick, clickInMessage, errorMessages, notification } from '../person';
import { known, setScene } from '../scene';
import { run, until } from '../wait';

const titles = ['Start', 'Add a page', 'Color the page'];

/** The titles of the editors that are open. */
const tabs = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

describe('What changed with a deployment, with the Git extension', () => {
  const scene = setScene({}, { shared: true, settings: known.sources });
  let resourceId: string;
  /** The ids of two deployments that ran one after the other, the newer one first. */
  let deployments: readonly string[];
  const commits: string[] = [];

  const git = setRepository(async ({ folder, code }) => {
    for (const [index, title] of titles.entries()) {
      commits.push(await code.commit('page.ts', `export const page = ${index};\n`, title));
    }
    await code.git('remote', 'add', 'origin', path.join(folder, 'remote'));
    await scene.connect();
    const { world } = scene.controlPlane;
    resourceId = world.workloads.find(({ source }) => source.name === 'shop-web')!.id;
    const listing = await scene.get<{ deployments: readonly { id: string }[] }>(
      `/resources/${resourceId}/deployments`,
    );
    deployments = listing.deployments.slice(0, 2).map(({ id }) => id);
  });

  /** Sets what was deployed before and then, and shows what changed. */
  async function change(before = '', now = ''): Promise<unknown> {
    const { admin } = scene.controlPlane;
    const [newer = '', older = ''] = deployments;
    const state = { state: 'succeeded' };
    await admin.change(newer, { ...state, commitSha: now });
    await admin.change(older, { ...state, commitSha: before });
    return whatChanged();
  }

  async function whatChanged(): Promise<unknown> {
    await vscode.commands.executeCommand('controlPlane.refresh');
    return run('whatChanged', { resourceId, deploymentId: deployments[0] });
  }

  /** Answers the list of commits. Resolves with the labels of its items. */
  function choose(label: string): Promise<readonly string[]> {
    return new Promise((resolve) =>
      answerPick((items) => {
        resolve(items.map((item) => item.label));
        return items.find((item) => item.label === label);
      }),
    );
  }

  it('lists the commits that came, and shows the changes of one', async () => {
    const listed = choose('Color the page');
    assert.isTrue(await change(commits[0], commits[2]));
    assert.deepEqual((await listed).slice(-2), ['Color the page', 'Add a page']);
    const short = commits[2]!.slice(0, 7);
    await until('the commit is shown', () => tabs().find((label) => label.includes(short)));
  });

  it('shows all files that a rollback changed', async () => {
    const listed = choose(uiText('Show All Files'));
    assert.isTrue(await change(commits[2], commits[1]));
    assert.deepEqual(
      (await listed).filter((label) => titles.includes(label)),
      ['Color the page'],
    );
    const [from, to] = [commits[2]!.slice(0, 7), commits[1]!.slice(0, 7)];
    const title = uiText('Rollback from {0} to {1}', from, to);
    await until('the files are shown', () => tabs().find((label) => label.includes(title)));
  });

  it('says that a commit was deployed again, and that there is no commit', async () => {
    assert.isFalse(await change(commits[1], commits[1]));
    await notification(uiText('Commit {0} was deployed again.', commits[1]!.slice(0, 7)));
    assert.isFalse(await change('a tag', commits[1]));
    await notification(uiText('The control plane does not say which commits were deployed.'));
  });

  it('fetches a missing commit on a click, and says if it is gone', async () => {
    const { code, folder } = git;
    await code.git('clone', '--quiet', '--bare', code.folder, path.join(folder, 'remote'));
    const others = await createGitFolder(path.join(folder, 'others'));
    await others.git('pull', '--quiet', path.join(folder, 'remote'), 'main');
    const pushed = await others.commit('page.ts', 'export const page = 9;\n', 'Nine pages');
    await others.git('push', '--quiet', path.join(folder, 'remote'), 'HEAD:main');
    clickInMessage(/./, 'Fetch');
    const listed = choose('Nine pages');
    assert.isTrue(await change(commits[2], pushed));
    assert.include(await listed, 'Nine pages');
    clickInMessage(/./, 'Fetch');
    assert.isFalse(await change(commits[2], '0123456789abcdef0123456789abcdef01234567'));
    await notification(/0123456/);
    assert.isEmpty(await errorMessages());
  });

  it('asks for an app or job and a deployment', async () => {
    void choose('');
    await change(commits[0], commits[1]);
    answerPick((items) =>
      items.find((item) => 'resourceId' in item && item.resourceId === resourceId),
    );
    answerPick((items) =>
      items.find((item) => 'deploymentId' in item && item.deploymentId === deployments[0]),
    );
    const listed = choose('Add a page');
    assert.isTrue(await run('whatChanged'));
    assert.include(await listed, 'Add a page');
  });
});
