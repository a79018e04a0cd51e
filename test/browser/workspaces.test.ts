import { assert } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { createGitFolder } from '../host/gitFolder';
import { memoryFiles, memoryScheme } from '../host/memoryFiles';
import { repository } from '../host/openEditor';
import { temporaryFolder } from '../host/processes';
import { treeRows } from '../host/treeRows';
import {
  answer,
  clickLink,
  clickNotification,
  clickPick,
  notification,
  notifications,
  openContainer,
  quickPickItems,
  runCommand,
  showOutput,
  view,
  waitForOutput,
} from '../host/workbench';
import {
  connect,
  enterConnection,
  eventually,
  follow,
  keyOf,
  openScene,
  picture,
  type Scene,
} from './scene';
import { knownThings } from './trees';

const branchItem =
  '.statusbar .statusbar-item[id="control-plane.deployment-control-plane.controlPlane.branch"]';

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Follows a link of the output, and answers what the editor in front holds then. */
async function openLink(page: Page, text: string, firstLine: RegExp): Promise<void> {
  await clickLink(page.locator('.output-view .view-line'), text);
  await page.locator('.editor-instance .view-line', { hasText: firstLine }).waitFor();
}

async function openFile(page: Page, name: string, line: RegExp): Promise<void> {
  await runCommand(page, 'Go to File...');
  await page.locator('.quick-input-widget .quick-input-box input').fill(name);
  await clickPick(page, name);
  await page.locator('.editor-instance .view-line', { hasText: line }).waitFor();
}

describe('a workspace of several folders', () => {
  let scene: Scene;
  before(async () => {
    const base = await temporaryFolder('folders');
    for (const name of ['shop-web', 'shop-services']) {
      const origin = path.join(base, 'example-shop', `${name}.git`);
      await (await createGitFolder(origin)).git('config', 'core.bare', 'true');
      const code = await createGitFolder(path.join(base, name));
      await code.git('remote', 'add', 'origin', origin);
      await code.commit(`src/${name}-own.ts`, `// own ${name}\n`);
      await code.commit('src/index.ts', `// index of ${name}\nexport const one = 1;\n`);
    }
    // Settings of the second folder alone.
    const mappings = { 'controlPlane.logs.pathMappings': { '/build': 'src' } };
    await write(path.join(base, 'shop-services/.vscode/settings.json'), JSON.stringify(mappings));
    // In the first folder the longest end of that path is a file, too.
    const folder = path.join(base, 'shop.code-workspace');
    const folders = [{ path: 'shop-web' }, { path: 'shop-services' }];
    await write(folder, JSON.stringify({ folders }));
    await write(path.join(base, 'shop-web/index.ts'), '// not mapped\n');
    scene = await openScene(
      (controlPlane) => ({
        folder,
        settings: { ...knownThings(controlPlane), 'git.enabled': true, 'git.autofetch': false },
      }),
      { historyRecords: 0 },
    );
    const { world, admin } = scene.controlPlane;
    for (const { id, source } of world.workloads) {
      if (source.name !== 'shop-services') continue;
      const environment = { id: source.environmentId, name: 'staging', branch: 'main' };
      admin.change(id, { environment });
    }
    await openContainer(scene.page, 'Control Plane');
    await connect(scene);
  });
  after(() => scene.close());

  it('has links into the folder that maps a path, or that the path names', async () => {
    const { page, controlPlane } = scene;
    await follow(scene, 'Everything');
    controlPlane.admin.emit([
      {
        body: 'TypeError: no\n    at a (/build/index.ts:1:1)\n    at b (/app/shop-services/src/index.ts:2:1)\n    at c (/app/shop-web/src/index.ts:2:1)',
      },
    ]);
    await waitForOutput(page, 'shop-web/src/index.ts:2:1');
    await openLink(page, '/build/index.ts', /index\sof\sshop-services/);
    await openLink(page, '/app/shop-web/src/index.ts', /index\sof\sshop-web/);
    await openLink(page, '/app/shop-services/src/index.ts', /index\sof\sshop-services/);
    await picture(scene, 'several-folders');
  });

  it('shows what is deployed of the folder whose file is open', async () => {
    const { page } = scene;
    for (const [name, environment] of [
      ['shop-services', 'staging'],
      ['shop-web', 'production'],
      ['shop-services', 'staging'],
    ] as const) {
      await openFile(page, `${name}-own.ts`, new RegExp(`own\\s${name}`));
      await page.locator(branchItem, { hasText: environment }).waitFor();
    }
  });
});

describe('a virtual workspace', () => {
  let scene: Scene;
  before(async () => {
    const folder = path.join(await temporaryFolder('virtual'), 'virtual.code-workspace');
    const uri = `${memoryScheme}:/shop`;
    await write(folder, JSON.stringify({ folders: [{ name: 'shop', uri }] }));
    const files = await memoryFiles({
      '/shop/src/pricing.ts': '// of no disk\nexport const price = 1;\n',
    });
    // As in a browser without a server.
    scene = await openScene({ folder, host: 'web', extensions: [repository, files] });
    await openContainer(scene.page, 'Control Plane');
    await connect(scene);
  });
  after(() => scene.close());

  it('has links to its files', async () => {
    const { page, controlPlane } = scene;
    await follow(scene, 'Everything');
    controlPlane.admin.emit([
      { body: 'TypeError: no\n    at priceOf (/app/shop/src/pricing.ts:2:1)' },
    ]);
    await waitForOutput(page, 'pricing.ts:2:1');
    await openLink(page, 'pricing.ts:2:1', /of\sno\sdisk/);
    await picture(scene, 'virtual');
  });

  it('takes the file of an export', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Export Logs…');
    await answer(page, 'last:7d');
    await quickPickItems(page);
    await page.keyboard.press('Enter');
    const name = page.locator('.quick-input-widget input[type="text"]').first();
    await eventually(
      () => name.inputValue(),
      (text) => /^\/shop\/logs-.*\.\w+$/.test(text),
      'the export goes into the folder',
    );
    await name.press('Enter');
    await notification(page, /records were exported to logs-/).waitFor();
    await clickNotification(page, /were exported to/, 'Open File');
    await page.locator('.editor-instance .view-line', { hasText: '"eventId"' }).first().waitFor();
  });

  it('offers nothing that needs a checkout, and says nothing of it', async () => {
    const { page } = scene;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    await input.fill('>Control Plane: ');
    const offered = (await quickPickItems(page)).join('\n');
    assert.include(offered, 'Control Plane: ');
    for (const label of ['Show Deployed Commit', 'Compare with Deployed Commit']) {
      await input.fill(`>Control Plane: ${label}`);
      await eventually(
        () => quickPickItems(page),
        (items) => !items.some((item) => item.startsWith(`Control Plane: ${label}`)),
        `${label} is not offered`,
      );
    }
    await page.keyboard.press('Escape');
    assert.equal(await page.locator(branchItem).count(), 0);
    assert.isEmpty((await notifications(page)).filter((text) => !/exported|^Found/.test(text)));
    await showOutput(page, 'Control Plane');
    await waitForOutput(page, '/logs/');
    assert.equal(await page.locator('.output-view').getByText('[error]').count(), 0);
  });
});

describe('restricted mode', () => {
  const hostile = '[click](command:workbench.action.closeWindow) $(error)';
  const segments = { 'controlPlane.api.segments.repositories': 'elsewhere' };
  let scene: Scene;
  before(async () => {
    const folder = await temporaryFolder('restricted');
    await write(path.join(folder, 'src/a.ts'), '// of the folder\n');
    const settings = {
      ...segments,
      'controlPlane.logs.savedSearches': [{ name: hostile, query: 'severity:error last:1h' }],
      'controlPlane.logs.pathMappings': { '/app': '../../../../../../etc', '/srv': 'src' },
    };
    await write(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
    scene = await openScene(
      {
        folder,
        workspaceTrust: true,
        settings: { 'security.workspace.trust.startupPrompt': 'never' },
      },
      { historyRecords: 0 },
    );
    await openContainer(scene.page, 'Control Plane');
    await enterConnection(scene.page, scene.controlPlane.url, keyOf(scene, 'demo-full'));
  });
  after(() => scene.close());

  const repositoryPaths = (): string[] =>
    scene.controlPlane.admin
      .requests()
      .map(({ url }) => url)
      .filter((url) => /repositories|elsewhere/.test(url));

  it('shows a saved search of the folder as text, and runs it only when it is asked to', async () => {
    const { page, controlPlane } = scene;
    const rows = await eventually(
      () => treeRows(page, 'Logs'),
      (shown) => shown.some((row) => row.includes('[click]')),
      'the search of the folder',
    );
    assert.match(rows.join('\n'), /\[click\] ?\(command:workbench\.action\.closeWindow\)/);
    const row = view(page, 'Logs').getByRole('treeitem').filter({ hasText: '[click]' });
    assert.equal(await row.locator('.monaco-tl-contents a[href], .codicon-error').count(), 0);
    assert.isEmpty(
      controlPlane.admin
        .requests()
        .filter(({ body }) => body !== undefined && JSON.stringify(body).includes('error')),
    );
    await picture(scene, 'restricted');
  });

  it('has links into the folder and not out of it', async () => {
    const { page, controlPlane } = scene;
    await follow(scene, 'Everything');
    controlPlane.admin.emit([
      { body: 'TypeError: no\n    at x (/app/passwd:1:1)\n    at y (/srv/a.ts:1:1)' },
    ]);
    await waitForOutput(page, '/srv/a.ts:1:1');
    await openLink(page, '/srv/a.ts', /of\sthe\sfolder/);
    const links = page.locator('.output-view .view-line .detected-link');
    assert.equal(await links.filter({ hasText: 'passwd' }).count(), 0);
  });

  it('ignores what the folder says of the API until it is trusted', async () => {
    const { page } = scene;
    const header = view(page, 'Integrations').locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.locator('h3').click();
    const row = view(page, 'Integrations').getByRole('treeitem', { name: 'Repositories' });
    await row.click();
    if ((await row.getAttribute('aria-expanded')) !== 'true')
      await page.keyboard.press('ArrowRight');
    await eventually(
      () => Promise.resolve(repositoryPaths()),
      (paths) => paths.length > 0,
      'the repositories are asked for',
    );
    assert.isEmpty(repositoryPaths().filter((url) => url.includes('elsewhere')));
    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    await page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust' })
      .first()
      .click();
    await page.locator('.workspace-trust-editor', { hasText: 'You trust this folder' }).waitFor();
    await runCommand(page, 'Control Plane: Refresh');
    await eventually(
      () => Promise.resolve(repositoryPaths()),
      (paths) => paths.some((url) => url.includes('elsewhere')),
      'a trusted folder has a say',
    );
  });
});
