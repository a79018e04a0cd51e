import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { type CommandName, commandTitle } from '../../host/titles';
import { createGitFolder, type GitFolder } from '../../host/gitFolder';
import { temporaryFolder } from '../../host/processes';
import { treeRowAt } from '../../host/treeRows';
import {
  clickLink,
  clickNotification,
  clickNotificationLink,
  clickPick,
  clickRowAction,
  dialog,
  notification,
  proceed,
  quickPickItems,
  runCommand,
  waitForOutput,
  setOpen,
} from '../../host/workbench';
import { explorerPage } from '../explorer/explorerPage';
import { pageText } from '../explorer/pageTexts';
import {
  activityIs,
  boxSays,
  chooseInMenu,
  chooseInRowMenu,
  posts,
  typeCommand,
} from '../actionScene';
import { eventually, expect, picture, setScene } from '../scene';
import { knownThings, showOnly } from '../trees';

/** Two repositories in one workspace, each with its bare origin next to it. */
interface Code {
  /** The workspace file. */
  readonly workspace: string;
  readonly web: GitFolder;
  readonly services: GitFolder;
  /** A clone of the first one, in which another person works. */
  readonly elsewhere: GitFolder;
  /** The commits of the first one, oldest first. */
  readonly commits: readonly string[];
}

async function createCode(): Promise<Code> {
  const base = await temporaryFolder('code');
  const create = async (name: string): Promise<GitFolder> => {
    const origin = path.join(base, 'example-shop', `${name}.git`);
    await (await createGitFolder(origin)).git('config', 'core.bare', 'true');
    const code = await createGitFolder(path.join(base, name));
    await code.git('remote', 'add', 'origin', origin);
    await code.commit('src/index.ts', `// index of ${name}\nexport const one = 1;\n`);
    return code;
  };
  const [web, services] = [await create('shop-web'), await create('shop-services')];
  const commits: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    commits.push(await web.commit('page.ts', `export const page = '${text}';\n`, `Say ${text}`));
  }
  await web.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  const elsewhere = await createGitFolder(path.join(base, 'elsewhere'));
  await elsewhere.git('pull', '--quiet', await web.git('remote', 'get-url', 'origin'), 'main');

  // In the first folder, the longest suffix of the mapped path is also a file.
  await writeFile(path.join(web.folder, 'index.ts'), '// not mapped\n');
  const mappings = { 'controlPlane.logs.pathMappings': { '/build': 'src' } };
  await mkdir(path.join(services.folder, '.vscode'));
  await writeFile(path.join(services.folder, '.vscode/settings.json'), JSON.stringify(mappings));
  const workspace = path.join(base, 'shop.code-workspace');
  const folders = [{ path: 'shop-web' }, { path: 'shop-services' }];
  await writeFile(workspace, JSON.stringify({ folders }));
  return { workspace, web, services, elsewhere, commits };
}

describe('the checked-out branch', () => {
  let code: Code;
  const scene = setScene({
    connected: null,
    folder: async () => (code = await createCode()).workspace,
    settings: (controlPlane) => ({
      ...knownThings(controlPlane),
      'git.enabled': true,
      'git.autofetch': false,
    }),
    size: { width: 1280, height: 1000 },
    controlPlane: { historyRecords: 0, operationSeconds: 3600 },
  });
  /** How many connections there were. Each test has its own, with another name. */
  let connections = 0;
  const item =
    '.statusbar .statusbar-item[id="control-plane.deployment-control-plane.controlPlane.branch"]';

  beforeEach(async () => {
    const { driver, page } = scene;
    await code.web.git('reset', '--quiet', '--hard', code.commits[2]!);
    deploy({ commitSha: code.commits[1], createdAt: ago(5) });
    environmentIs('shop-web', { name: 'production', branch: 'main' });
    environmentIs('shop-services', { name: 'staging', branch: 'main' });
    await driver.run('workbench.action.closeAllEditors');
    await open(code.web, 'page.ts');
    await scene.reconnect('demo-full', `code ${++connections}`);
    await showOnly(page, 'activity');
    await itemIs(`production ${short(code.commits[1])} 1↑`);
  });

  const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

  /** Changes what runs in the apps of the source `shop-web`, or in one of them. */
  function deploy(members: Readonly<Record<string, unknown>>, only?: string): void {
    const { world, admin } = scene.controlPlane;
    for (const { name, source, deploymentId } of world.workloads) {
      const isMeant = source.name === 'shop-web' && (only === undefined || name === only);
      if (isMeant) admin.change(deploymentId, members);
    }
  }

  /** Changes the environment of the apps of a source. */
  function environmentIs(name: string, members: object): void {
    const { world, admin } = scene.controlPlane;
    for (const { id, source } of world.workloads) {
      if (source.name !== name) continue;
      admin.change(id, { environment: { id: source.environmentId, ...members } });
    }
  }

  const readable = (text: string): string => text.replaceAll('\u00a0', ' ').trim();
  const short = (sha: string | undefined): string => sha!.slice(0, 7);

  const open = ({ folder }: GitFolder, file: string): Promise<void> =>
    scene.driver.open(path.join(folder, file));

  async function itemIs(text: string): Promise<void> {
    await eventually(
      async () => (await scene.page.locator(item).allInnerTexts()).map(readable).join(' | '),
      (found) => found === text,
      `the status bar does not say “${text}”`,
    );
  }

  async function menu(command: CommandName): Promise<void> {
    await scene.page.locator(item).click();
    await clickPick(scene.page, commandTitle(command));
  }

  async function tooltip(): Promise<string[]> {
    // If the pointer is there already, it does not move.
    await scene.page.mouse.move(700, 300);
    await scene.page.locator(item).hover();
    const hover = scene.page.locator('.workbench-hover-container .hover-contents');
    await hover.waitFor();
    const text = await hover.innerText();
    await scene.page.mouse.move(700, 300);
    await hover.waitFor({ state: 'hidden' });
    return text.split('\n').map(readable).filter(Boolean);
  }

  it('shows its deployed commit in the status bar and where that of a line is, and a click compares with it', async () => {
    const { page } = scene;
    const deployed = short(code.commits[1]);
    const ahead = uiText('HEAD is {0} commit ahead', 1);
    const label = page.locator(item).locator('[aria-label]').first();
    await expect(label).toHaveAttribute(
      'aria-label',
      `${uiText('Control plane: {0} runs {1}', 'production', deployed)}, ${ahead}`,
    );
    const [connection, ...lines] = await tooltip();
    assert.match(connection!, uiPattern('Connection: {0}', /.+/));
    assert.match(lines[2]!, new RegExp(` ago · ${ahead}$`));
    lines.splice(2, 1);
    assert.deepEqual(lines, [
      uiText('Environment of branch {0}:', 'main'),
      `production (${uiText('branch {0}', 'main')})`,
      uiText('Uncommitted changes are not counted.'),
      uiText('Source: {0} (same name as the repository)', 'shop-web'),
    ]);
    await page.locator(item).click();
    await expect
      .poll(() => quickPickItems(page))
      .toEqual([
        `${commandTitle('showDeployedCommit')} · ${deployed}`,
        `${commandTitle('compareWithDeployedCommit')} · ${ahead}`,
        `${commandTitle('followBranchLogs')} · production`,
        `${commandTitle('syncEnvironment')} · production`,
        commandTitle('refresh'),
        `${commandTitle('chooseSource')} · shop-web`,
      ]);
    await picture(scene, 'branch-menu');
    await clickPick(page, commandTitle('compareWithDeployedCommit'));
    const title = uiText('{0} ({1}) ↔ Working Tree', deployed, 'production');
    await page.locator('.tab', { hasText: title }).waitFor();
    const added = page.locator('.multiDiffEntry .modified .view-line', { hasText: 'three' });
    await added.waitFor();
    await picture(scene, 'branch-compare');

    deploy({ commitSha: code.commits[2] }, 'web-api');
    await scene.driver.run('controlPlane.refresh');
    await scene.driver.run('workbench.action.closeAllEditors');
    await open(code.web, 'page.ts');
    await page.locator('.margin-view-overlays .line-numbers').first().click({ button: 'right' });
    await chooseInMenu(scene, 'whereIsCommit');
    const runs = uiText(
      'not deployed: it runs {0}, which does not have it',
      short(code.commits[1]),
    );
    const since = uiText('deployed since {0} or earlier', '?');
    const time = /(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d/;
    await expect
      .poll(async () => (await quickPickItems(page)).map((one) => one.replace(time, '?')))
      .toEqual([`web-api · ${since}`, `storefront · ${runs}`, `order-worker · ${runs}`]);
    await picture(scene, 'where-is-commit');
    await page.keyboard.press('Escape');
  });

  it(`asks which of several deployed commits is meant, with server text as text, and fetches one that is not here ${covers('F57, F94', 'editor')}`, async () => {
    const { page } = scene;
    const [one, two] = [short(code.commits[0]), short(code.commits[1])];
    deploy({ commitSha: code.commits[0], createdAt: ago(60) }, 'storefront');
    const name = '$(bug) [x](command:workbench.action.quit)';
    environmentIs('shop-web', { name, branch: 'main' });
    await menu('refresh');
    await itemIs(`$(bug) [x](command:workbench.a… ${two} ${uiText('(mixed)')} 1↑`);
    const lines = await tooltip();
    assert.include(lines, `${name} (${uiText('branch {0}', 'main')})`);
    assert.include(lines, uiText('Apps and jobs run different commits, newest first:'));
    await menu('showDeployedCommit');
    // The menu may not be closed yet.
    const commits = await eventually(
      () => quickPickItems(page),
      (items) => items.length === 2,
      'the two commits are not offered',
    );
    assert.include(commits[1], one);
    await picture(scene, 'branch-mixed');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: `${one} - Say one` }).waitFor();

    environmentIs('shop-web', { name: 'production', branch: 'main' });
    await open(code.web, 'page.ts');
    const theirs = await code.elsewhere.commit('theirs.ts', 'export const theirs = 1;\n', 'Theirs');
    const origin = await code.web.git('remote', 'get-url', 'origin');
    deploy({ commitSha: theirs });
    await menu('refresh');
    await itemIs(`production ${short(theirs)} ${uiText('not fetched')}`);
    await picture(scene, 'branch-not-fetched');
    await code.elsewhere.git('push', '--quiet', origin, 'HEAD:main');
    await menu('showDeployedCommit');
    await clickNotification(
      page,
      uiText('The deployed commit {0} is not in this repository yet. Fetch it?', short(theirs)),
      uiText('Fetch'),
    );
    await page.locator('.tab', { hasText: `${short(theirs)} - Theirs` }).waitFor();
  });

  it('is that of the file in the active editor, which links in the logs open in the folder that is mapped or named, and is searched for by name', async () => {
    const { page, driver, controlPlane } = scene;
    const ofWeb = `production ${short(code.commits[1])} 2↑`;
    await code.web.commit('more.ts', 'export const more = 1;\n');
    await itemIs(ofWeb);
    await driver.run('controlPlane.followLogs', {});
    const body =
      'TypeError: no\n    at a (/build/index.ts:1:1)\n    at b (/app/shop-web/src/index.ts:2:1)';
    controlPlane.admin.emit([{ body }]);
    await waitForOutput(page, 'shop-web/src/index.ts:2:1');
    const lines = page.locator('.editor-instance .view-line');
    await clickLink(page.locator('.output-view .view-line'), '/build/index.ts');
    await lines.filter({ hasText: /index\sof\sshop-services/ }).waitFor();
    await page.locator(item, { hasText: 'staging' }).waitFor();
    await clickLink(page.locator('.output-view .view-line'), '/app/shop-web/src/index.ts');
    await lines.filter({ hasText: /index\sof\sshop-web/ }).waitFor();
    await picture(scene, 'several-folders');
    await itemIs(ofWeb);

    await driver.run('controlPlane.openLogExplorer');
    const query = explorerPage(scene).getByRole('combobox', { name: pageText('query.label') });
    await expect(query).toHaveValue(/workload:web-api/);
    await scene.reconnect('demo-full', `code ${++connections}`);
    await expect(query).toHaveValue('');
    await open(code.web, 'page.ts');
    await itemIs(ofWeb);
    await scene.signOut();
    await page.locator(item).waitFor({ state: 'hidden' });
  });

  describe('with a sync of its environment', () => {
    const source = (name: string) =>
      scene.controlPlane.world.sources.find((one) => one.name === name)!;
    const sent = (): string[] => posts(scene, '/syncs').map(({ url }) => url);
    const pathOf = (name: string): string =>
      `/v1/api/sources/${source(name).id}/environments/${source(name).environmentId}/syncs`;
    const titleOf = (name: string): string => uiText('Sync {0} of {1}', 'production', name);

    const questionOf = (name: string) =>
      dialog(scene.page).filter({ hasText: uiText('Sync {0} of {1}?', 'production', name) });

    it('offers it first if a source has an environment, sends it once, and shows the members of the answer', async () => {
      const { page, controlPlane } = scene;
      await runCommand(page, 'syncEnvironment');
      await clickPick(page, 'operations');
      await notification(page, uiText('This source has no environment to sync.')).waitFor();
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      assert.isEmpty(sent());

      // An app of the source is in an environment of another branch, which is listed first.
      const { world, admin } = controlPlane;
      const first = world.workloads.find((one) => one.source.name === 'shop-web')!;
      const staging = { id: '00000000-0000-4000-8000-000000000abc', name: 'staging' };
      admin.change(first.id, { environment: { ...staging, branch: 'next' } });
      await typeCommand(scene, 'syncEnvironment');
      const ofFolder = uiText('for the open folder');
      await boxSays(scene, ofFolder);
      const sources = await quickPickItems(page);
      assert.equal(sources[0], `shop-web · ${source('shop-web').id.slice(0, 8)} · ${ofFolder}`);
      assert.lengthOf(sources, 4);
      await page.keyboard.press('Enter');
      const ofBranch = uiText('for the checked-out branch');
      await boxSays(scene, ofBranch);
      await picture(scene, 'sync-environments');
      await expect
        .poll(() => quickPickItems(page))
        .toEqual([
          `production · main · ${uiText('{0} apps and jobs', 2)} · ${ofBranch}`,
          `staging · next · ${uiText('{0} app or job', 1)}`,
        ]);
      await page.keyboard.press('Enter');
      await proceed(questionOf('shop-web')).click();
      const progress = notification(page, titleOf('shop-web'));
      await progress.getByText(commandTitle('runInBackground')).waitFor();
      await picture(scene, 'sync-progress');
      const states = /shop-web (queued|building|deploying|running): \d/;
      await activityIs(scene, uiPattern('Sync {0} of {1}', 'production', states));
      assert.deepEqual(sent(), [pathOf('shop-web')]);
      await clickRowAction(page, 'activity', titleOf('shop-web'), 'showResult');
      const line = page.locator('.editor-instance .view-line');
      const { revision } = source('shop-web');
      await line
        .filter({ hasText: new RegExp(`Sync\\s›\\sCommit\\ssha\\s+${revision}`) })
        .waitFor();
      await line.filter({ hasText: /Sync\s›\sDeployment\sids\s+[0-9a-f-]{36},\s/ }).waitFor();
      await picture(scene, 'sync-members');
    });

    it('has it in the menu of its row, and can cancel it before it is sent', async () => {
      const { page, controlPlane } = scene;
      const pane = await setOpen(page, 'sources');
      // The rows of the connection before are gone before those of this one are drawn.
      await scene.signOut();
      await pane.locator('.monaco-list-row').first().waitFor({ state: 'hidden' });
      await scene.connect('demo-full', `code ${++connections}`);
      const row = await treeRowAt(page, 'sources', ['data-platform', 'production']);
      const question = questionOf('data-platform');
      const box = page.locator('.quick-input-widget:not([style*="display: none"])');
      // A row above that is drawn again takes those below from VS Code for a moment: then the command asks.
      for (;;) {
        await chooseInRowMenu(scene, row, 'syncEnvironment');
        await question.or(box).waitFor();
        if (await question.isVisible()) break;
        await page.keyboard.press('Escape');
        await box.waitFor({ state: 'hidden' });
      }
      controlPlane.admin.fault({ kind: 'stall', endpoint: 'get_sources_resources' });
      await proceed(question).click();
      const title = titleOf('data-platform');
      const progress = `${title}: ${uiText('checking deployments')}`;
      await clickNotificationLink(page, progress, uiText('Cancel'));
      await notification(page, `${title}: ${uiText('cancelled, nothing was sent.')}`).waitFor();
      assert.isEmpty(sent());
      await activityIs(scene, `${title} ${uiText('cancelled, nothing was sent')}`);
    });
  });
});
