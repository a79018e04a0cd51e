import path from 'node:path';
import { assert } from 'chai';
import { createGitFolder, type GitFolder } from '../host/gitFolder';
import { temporaryFolder } from '../host/processes';
import {
  clickNotification,
  clickPick,
  openContainer,
  quickPickItems,
  runCommand,
} from '../host/workbench';
import { connect, eventually, openScene, picture, type Scene } from './scene';
import { knownThings } from './trees';

const item =
  '.statusbar .statusbar-item[id="control-plane.deployment-control-plane.controlPlane.branch"]';
const unknown = '0123456789abcdef0123456789abcdef01234567';

describe('the branch in hand', () => {
  let scene: Scene;
  let code: GitFolder;
  /** Where another person works on the same code. */
  let elsewhere: GitFolder;
  /** The commits of this folder, oldest first. */
  const commits: string[] = [];

  before(async () => {
    const folder = await temporaryFolder('code');
    const origin = path.join(folder, 'example-shop', 'shop-web.git');
    await (await createGitFolder(origin)).git('config', 'core.bare', 'true');
    code = await createGitFolder(path.join(folder, 'mine'));
    for (const text of ['one', 'two', 'three']) {
      commits.push(await code.commit('page.ts', `export const page = '${text}';\n`, `Say ${text}`));
    }
    await code.git('remote', 'add', 'origin', origin);
    await code.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    elsewhere = await createGitFolder(path.join(folder, 'elsewhere'));
    await elsewhere.git('pull', '--quiet', origin, 'main');
    scene = await openScene(
      (controlPlane) => ({
        folder: code.folder,
        settings: { ...knownThings(controlPlane), 'git.enabled': true, 'git.autofetch': false },
      }),
      { historyRecords: 0 },
    );
    deploy({ commitSha: commits[1]! });
    await openContainer(scene.page, 'Control Plane');
    await connect(scene);
  });
  after(() => scene.close());

  /** Changes the deployments that run now in the apps of the source `shop-web`, or in one of them. */
  function deploy(members: Readonly<Record<string, unknown>>, only?: string): void {
    const { world, admin } = scene.controlPlane;
    for (const { name, source, deploymentId } of world.workloads) {
      const isMeant = source.name === 'shop-web' && (only === undefined || name === only);
      if (isMeant) admin.change(deploymentId, members);
    }
  }

  /** Changes the environment of the apps of the source `shop-web`. */
  function environment(members: object): void {
    const { world, admin } = scene.controlPlane;
    for (const { id, source } of world.workloads) {
      if (source.name !== 'shop-web') continue;
      admin.change(id, { environment: { id: source.environmentId, ...members } });
    }
  }

  const production = { name: 'production', branch: 'main' };
  const readable = (text: string): string => text.replaceAll('\u00a0', ' ').trim();
  const short = (sha: string | undefined): string => sha!.slice(0, 7);
  const lately = (secondsAgo: number): string =>
    new Date(Date.now() - secondsAgo * 1000).toISOString();

  async function itemText(): Promise<string> {
    return (await scene.page.locator(item).allInnerTexts()).map(readable).join(' | ');
  }

  async function itemIs(text: string): Promise<void> {
    const what = `The status bar does not say “${text}”`;
    await eventually(itemText, (found) => found === text, what);
  }

  async function menu(label: string): Promise<void> {
    await scene.page.locator(item).click();
    await clickPick(scene.page, label);
  }

  async function tooltip(name?: string): Promise<string[]> {
    // Where the pointer is there already, nothing moves.
    await scene.page.mouse.move(700, 300);
    await scene.page.locator(item).hover();
    const hover = scene.page.locator('.workbench-hover-container .hover-contents');
    await hover.waitFor();
    const text = await hover.innerText();
    if (name !== undefined) await picture(scene, name);
    await scene.page.mouse.move(700, 300);
    await hover.waitFor({ state: 'hidden' });
    return text.split('\n').map(readable).filter(Boolean);
  }

  it('stands in the status bar: environment, deployed commit, commits ahead', async () => {
    await itemIs(`production ${short(commits[1])} 1↑`);
    const label = await scene.page
      .locator(item)
      .locator('[aria-label]')
      .first()
      .getAttribute('aria-label');
    assert.equal(
      label,
      `Control plane: production runs ${short(commits[1])}, HEAD is 1 commit ahead`,
    );
    const lines = await tooltip();
    assert.match(lines[2]!, / ago · HEAD is 1 commit ahead$/);
    lines.splice(2, 1);
    assert.deepEqual(lines, [
      'The environment of the branch main:',
      'production (branch main)',
      'What is not committed is not counted.',
      'Source: shop-web, called like the repository',
    ]);
  });

  it('a click offers what can be done', async () => {
    await scene.page.locator(item).click();
    assert.deepEqual(await quickPickItems(scene.page), [
      `Show Deployed Commit · ${short(commits[1])}`,
      'Compare with Deployed Commit · HEAD is 1 commit ahead',
      "Follow Logs of This Branch's Environment · production",
      'Sync Environment… · production',
      'Refresh',
      'Choose Source of This Folder… · shop-web',
    ]);
    await picture(scene, 'branch-menu');
    await clickPick(scene.page, 'Compare with Deployed Commit');
    const title = `${short(commits[1])} (production) ↔ Working Tree`;
    await scene.page.locator('.tab', { hasText: title }).waitFor();
    const added = scene.page.locator('.multiDiffEntry .modified .view-line', { hasText: 'three' });
    await added.waitFor();
    await picture(scene, 'branch-compare');
  });

  it('follows what Git does: a commit, a branch without an environment, no branch', async () => {
    commits.push(await code.commit('more.ts', 'export const more = 1;\n'));
    await itemIs(`production ${short(commits[1])} 2↑`);
    await code.git('checkout', '--quiet', '-b', 'idea', commits[0]!);
    await itemIs(`production ${short(commits[1])} 1↓`);
    assert.include(await tooltip(), 'The branch idea has no environment. To compare with:');
    await code.git('checkout', '--quiet', '--detach', commits[1]!);
    await itemIs(`production ${short(commits[1])} ✓`);
    assert.include(await tooltip(), 'No branch is checked out. To compare with:');
    await scene.page.locator(item).click();
    const offered = await quickPickItems(scene.page);
    assert.isFalse(
      offered.some((one) => one.startsWith('Follow')),
      'it is not its environment',
    );
    await clickPick(scene.page, 'Refresh');
    await code.git('checkout', '--quiet', 'main');
    await itemIs(`production ${short(commits[1])} 2↑`);
  });

  it('shows the preview of a branch that has one', async () => {
    const { world, admin } = scene.controlPlane;
    const [preview] = world.previews;
    admin.change(preview!.deploymentId, { commitSha: commits[2]!, state: 'succeeded' });
    await code.git('checkout', '--quiet', '-b', preview!.branch, 'main');
    await eventually(itemText, (text) => text.startsWith('preview'), 'It is no preview');
    await menu('Refresh');
    await itemIs(`preview ${short(commits[2])} 1↑`);
    assert.include(await tooltip(), `The preview of the branch ${preview!.branch}:`);
    await code.git('checkout', '--quiet', 'main');
    await itemIs(`production ${short(commits[1])} 2↑`);
  });

  it('says what is mixed, and what is on its way', async () => {
    deploy({ createdAt: lately(30) });
    deploy({ commitSha: commits[0]!, createdAt: lately(60) }, 'storefront');
    // What was to be the preview of another app is a roll-out that goes on.
    const { world, admin } = scene.controlPlane;
    admin.change(world.previews[1]!.deploymentId, {
      ...{ environment: 'production', deployableKind: 'app', commitSha: commits[3]! },
      ...{ createdAt: lately(0), state: 'running', finishedAt: undefined },
    });
    await menu('Refresh');
    await itemIs(`production ${short(commits[1])} (mixed) 2↑`);
    await scene.page.locator(item).locator('.codicon-sync').waitFor();
    const lines = await tooltip('branch-mixed-tooltip');
    assert.include(lines, 'Apps and jobs run different commits, the newest first:');
    assert.match(lines[3]!, /^\w{7} · web-api, order-worker · .* ago · HEAD is 2 commits ahead$/);
    assert.match(lines[4]!, /^\w{7} · storefront · .* ago · HEAD is 3 commits ahead$/);
    assert.equal(lines[5], `on its way: ${short(commits[3])}`);

    await menu('Show Deployed Commit');
    // The menu may still be in its place.
    await eventually(
      () => quickPickItems(scene.page),
      (items) => items.length === 2,
      'the two commits',
    );
    await picture(scene, 'branch-mixed');
    await clickPick(scene.page, `production ${short(commits[0])}`);
    await scene.page.locator('.tab', { hasText: `${short(commits[0])} - Say one` }).waitFor();
    deploy({ commitSha: commits[1]! });
    admin.change(world.previews[1]!.deploymentId, { state: 'cancelled', finishedAt: lately(0) });
    await menu('Refresh');
    await itemIs(`production ${short(commits[1])} 2↑`);
    await scene.page.locator(item).locator('.codicon-rocket').waitFor();
  });

  it('F57: what a server calls things is text', async () => {
    environment({ name: '$(bug) [x](command:workbench.action.quit)', branch: 'main' });
    await menu('Refresh');
    await itemIs(`$(bug) [x](command:workbench.a… ${short(commits[1])} 2↑`.replace('](', '] ('));
    assert.include(await tooltip(), '$(bug) [x](command:workbench.action.quit) (branch main)');
    environment(production);
    await menu('Refresh');
    await itemIs(`production ${short(commits[1])} 2↑`);
  });

  it('says that a deployed commit is not here, and fetches it', async () => {
    deploy({ commitSha: unknown });
    await menu('Refresh');
    await itemIs(`production ${short(unknown)} not fetched`);
    await picture(scene, 'branch-not-fetched');

    const theirs = await elsewhere.commit('theirs.ts', 'export const theirs = 1;\n', 'Theirs');
    deploy({ commitSha: theirs });
    await menu('Refresh');
    await itemIs(`production ${short(theirs)} not fetched`);
    await elsewhere.git(
      'push',
      '--quiet',
      await code.git('remote', 'get-url', 'origin'),
      'HEAD:main',
    );
    await menu('Show Deployed Commit');
    await clickNotification(scene.page, `The deployed commit ${short(theirs)} is not`, 'Fetch');
    await scene.page.locator('.tab', { hasText: `${short(theirs)} - Theirs` }).waitFor();
    await itemIs(`production ${short(theirs)} 1↑ 1↓`);
  });

  it('is gone where a person wants none, and with the key', async () => {
    await menu('Choose Source of This Folder…');
    await eventually(
      () => quickPickItems(scene.page),
      ([first]) => first !== undefined && /^shop-web · \w{8} · found$/.test(first),
      'the sources',
    );
    await picture(scene, 'branch-source');
    await clickPick(scene.page, 'None: Show Nothing');
    await scene.page.locator(item).waitFor({ state: 'hidden' });

    await runCommand(scene.page, 'Control Plane: Choose Source of This Folder…');
    await clickPick(scene.page, 'Find It Automatically');
    await scene.page.locator(item).waitFor();
    await runCommand(scene.page, 'Control Plane: Sign Out');
    await scene.page.locator(item).waitFor({ state: 'hidden' });
  });
});
