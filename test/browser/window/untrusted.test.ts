import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Locator } from 'playwright';
import { startControlPlane, type ControlPlane } from '../../control-plane/server';
import { temporaryFolder } from '../../host/processes';
import { uiText } from '../../host/texts';
import { openRow, treeRows } from '../../host/treeRows';
import {
  clickLink,
  dialog,
  dismiss,
  notification,
  notifications,
  proceed,
  quickPickItems,
  runCommand,
  statusBarItem,
  treeRow,
  waitForOutput,
} from '../../host/workbench';
import { covers } from '../../unit/covers';
import { boxSays, posts } from '../actionScene';
import { eventually, expect, keyOf, picture, setScene } from '../scene';
import { message, showOnly } from '../trees';

const hostile =
  '[click](command:workbench.action.toggleSidebarVisibility) $(error) <img src=x> **bold** &lt; www.evil.example';

describe('In a folder that is not trusted', () => {
  let evil: ControlPlane;
  let folder = '';
  /** One has the same name as the connection to the control plane of the scene. */
  const connections = (controlPlane: ControlPlane) => ({
    'controlPlane.connections': [
      { name: new URL(controlPlane.url).host, baseUrl: evil.url },
      { name: 'evil', baseUrl: evil.url },
    ],
  });
  const scene = setScene({
    connected: null,
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    remoteSettings: connections,
    controlPlane: { historyRecords: 0 },
    folder: () => folder,
    async prepare(controlPlane) {
      evil = await startControlPlane({ seed: 8, live: false, historyRecords: 0 });
      folder = await temporaryFolder('untrusted');
      const settings = {
        ...connections(controlPlane),
        'controlPlane.api.segments.repositories': 'elsewhere',
        'controlPlane.logs.savedSearches': [{ name: hostile, query: 'severity:error last:1h' }],
        'controlPlane.logs.pathMappings': { '/app': '../../../../../../etc', '/lib/x': 'src' },
      };
      for (const [file, text] of [
        ['.vscode/settings.json', JSON.stringify(settings)],
        ['src/a.ts', '// of the folder\n'],
      ] as const) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), text);
      }
    },
  });
  after(() => evil.close());
  beforeEach(async () => {
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.driver.set({ 'controlPlane.connections': null });
    await scene.driver.run('controlPlane.signOut');
  });

  /** The hostile text must not become a link or an image anywhere in the window. */
  const staysText = async (): Promise<void> => {
    const { page } = scene;
    // Once: a tooltip that has closed meanwhile would contain nothing.
    const found = await page
      .locator('img[src="x"], img[src$="/x"]')
      .or(page.locator('a', { hasText: /^(click$|www\.evil)/ }))
      .evaluateAll((all: { outerHTML: string }[]) => all.map((one) => one.outerHTML));
    assert.deepEqual(found, []);
  };

  it(`never sends the key to a URL that the folder or the remote names ${covers('F53', 'editor')}`, async () => {
    const { page, driver, controlPlane } = scene;
    const offers = async (...items: string[]): Promise<void> => {
      // The palette offers it once there is a connection.
      void driver.run('controlPlane.switchConnection');
      await expect
        .poll(() => quickPickItems(page))
        .toEqual([...items, uiText('Connect to Another…')]);
      await dismiss(page);
    };
    await offers();
    await scene.connect();
    await driver.run('controlPlane.followLogs', {});
    controlPlane.admin.emit([{ body: 'in an untrusted workspace' }]);
    await waitForOutput(page, 'in an untrusted workspace');
    await offers(`${new URL(controlPlane.url).host} · ${controlPlane.url}`);
    assert.isEmpty(evil.admin.requests());
  });

  it(`shows server text as plain text in a notification ${covers('F56', 'editor')}`, async () => {
    const { page, driver, controlPlane } = scene;
    controlPlane.admin.fault({ kind: 'status', status: 401, message: hostile });
    const isConnected = await driver.connect({
      baseUrl: controlPlane.url,
      apiKey: keyOf(scene, 'demo-full'),
    });
    assert.isFalse(isConnected);
    const toast = notification(
      page,
      uiText('The control plane does not accept this API key. Connect with a valid key.'),
    ).first();
    await toast.waitFor();
    const [message = ''] = await notifications(page);
    assert.include(message, '[click] (command:workbench.action.toggleSidebarVisibility)');
    await expect(toast.locator('.notification-list-item-message a')).toHaveCount(0);
    await staysText();
    await picture(scene, 'hostile-notification');
  });

  it(`shows names from a server as plain text in picks, views, tooltips, status bar and channel ${covers('F57', 'editor')}`, async () => {
    const { page, controlPlane } = scene;
    /** A row or an item that is drawn again closes its tooltip, so this hovers again. */
    const hoverUntil = (target: Locator, tooltip: Locator): Promise<boolean> =>
      eventually(
        async () => {
          await page.mouse.move(800, 300);
          await target.hover();
          return tooltip.waitFor({ timeout: 2000 }).then(
            () => true,
            () => false,
          );
        },
        (isShown) => isShown,
        `no tooltip of ${String(target)}`,
      );
    await scene.connect();
    controlPlane.admin.emit([{ workloadName: hostile, body: `first ${hostile}` }]);
    await runCommand(page, 'followLogs');
    await eventually(
      () => quickPickItems(page),
      (items) => items.some((item) => item.startsWith('[click]')),
      'the workload is not in the list',
    );
    await staysText();
    await picture(scene, 'hostile-pick');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: '[click]' })
      .first()
      .click();
    await statusBarItem(page, uiText('live')).waitFor();
    await waitForOutput(page, 'first [click](command:workbench');
    const tooltip = page.locator('.workbench-hover:visible', { hasText: /<img\ssrc=x>.*&lt;/ });
    await hoverUntil(treeRow(page, 'logs', '[click]'), tooltip);
    await staysText();
    await picture(scene, 'hostile-tooltip');
    await hoverUntil(statusBarItem(page, uiText('live')), tooltip);
    await staysText();
    await hoverUntil(
      page.locator('.output-view .view-line', { hasText: 'first' }).last(),
      page.locator('.monaco-hover:visible', { hasText: 'workloadName' }),
    );
    await staysText();
    await picture(scene, 'hostile-hover');
    await statusBarItem(page, uiText('live')).click();
    await quickPickItems(page);
    await staysText();
  });

  it('shows a saved search of the folder as text, and runs it only on request', async () => {
    const { page, controlPlane } = scene;
    await scene.connect();
    const rows = await eventually(
      () => treeRows(page, 'logs'),
      (shown) => shown.some((row) => row.includes('[click]')),
      'the search of the folder is missing',
    );
    assert.match(rows.join('\n'), /\[click\] ?\(command:workbench\.action\.toggleSide/);
    const row = treeRow(page, 'logs', '[click]');
    await expect(row.locator('.monaco-tl-contents a[href], .codicon-error')).toHaveCount(0);
    assert.isEmpty(
      controlPlane.admin.requests().filter(({ body }) => body?.includes('["error"]') === true),
    );
    await picture(scene, 'restricted');
  });

  it('links log lines to files inside the folder only, and without its path mappings', async () => {
    const { page, driver, controlPlane } = scene;
    await scene.connect();
    await driver.run('controlPlane.followLogs', {});
    const frames = ['/app/passwd', '/lib/x/a.ts', '/srv/a.ts'];
    const body = ['TypeError: no', ...frames.map((file) => `    at x (${file}:1:1)`)].join('\n');
    controlPlane.admin.emit([{ body }]);
    await waitForOutput(page, '/srv/a.ts:1:1');
    await clickLink(page.locator('.output-view .view-line'), '/srv/a.ts');
    const opened = page.locator('.editor-instance .view-line');
    await opened.filter({ hasText: /of\sthe\sfolder/ }).waitFor();
    const links = page.locator('.output-view .view-line .detected-link');
    await expect(links.filter({ hasText: /passwd|lib/ })).toHaveCount(0);
  });

  it('applies API settings of the folder only after it is trusted', async () => {
    const { page, driver, controlPlane } = scene;
    const asked = (): string[] =>
      controlPlane.admin
        .requests()
        .map(({ url }) => url)
        .filter((url) => /repositories|elsewhere/.test(url));
    await scene.connect();
    await showOnly(page, 'integrations');
    await openRow(page, 'integrations', [uiText('Repositories')]);
    assert.isNotEmpty(asked());
    assert.isEmpty(asked().filter((url) => url.includes('elsewhere')));
    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    const editor = page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: 'Trust' }).first().click();
    await page.locator('.workspace-trust-editor', { hasText: 'You trust this folder' }).waitFor();
    await driver.run('controlPlane.refresh');
    await eventually(
      () => Promise.resolve(asked()),
      (urls) => urls.some((url) => url.includes('elsewhere')),
      'the settings of the trusted folder do not apply',
    );
    controlPlane.admin.expectReport('brokenContract');
  });
});

describe('A folder that lists thousands of servers', () => {
  let own = '';
  const idOf = (index: number): string =>
    `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const scene = setScene({
    workspaceTrust: true,
    settings: () => ({
      'security.workspace.trust.startupPrompt': 'never',
      'controlPlane.servers': [{ id: own, label: 'my-production' }],
    }),
    controlPlane: { historyRecords: 0 },
    prepare({ world }) {
      own = world.servers[0]?.id ?? '';
    },
    async folder() {
      const folder = await temporaryFolder('thousands');
      const theirs = [{ id: own, label: 'their-playground' }];
      for (let index = 0; index < 5000; index++) {
        theirs.push({ id: idOf(index), label: `theirs-${index}` });
      }
      const settings = {
        'controlPlane.servers': theirs,
        'controlPlane.sources': theirs,
        'controlPlane.refresh.intervalSeconds': 5,
        'controlPlane.alerts.notify': 'all',
        'controlPlane.api.timeoutSeconds': 1,
      };
      await mkdir(path.join(folder, '.vscode'), { recursive: true });
      const file = path.join(folder, '.vscode/settings.json');
      await writeFile(file, JSON.stringify(settings));
      return folder;
    },
  });
  const looks = (): number =>
    scene.controlPlane.admin.requests().filter(({ url }) => url.endsWith('/monitor-alerts')).length;

  it(`ignores them until the folder is trusted; then adds them with a mark, up to a limit ${covers('F70', 'editor')}`, async () => {
    const { page } = scene;
    await showOnly(page, 'servers');
    const own = treeRow(page, 'servers', 'my-production');
    await own.waitFor();
    await expect.poll(() => treeRows(page, 'servers')).toHaveLength(1);
    assert.isAtMost(looks(), 1);

    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    const editor = page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: 'Trust' }).first().click();
    await page.locator('.workspace-trust-editor', { hasText: 'You trust this folder' }).waitFor();
    const marked = treeRow(page, 'servers', 'theirs-0');
    await marked.filter({ hasText: uiText('from this folder') }).waitFor();
    await own.waitFor();
    const servers = await treeRows(page, 'servers');
    assert.notInclude(servers.join('\n'), 'their-playground');
    await eventually(
      () => message(page, 'servers'),
      (text) =>
        text.startsWith(uiText('Showing the first {0} of {1} in the settings.', 200, '5,001')),
      'the message above the rows is missing',
    );
    await picture(scene, 'folder-servers');
    await eventually(
      () => Promise.resolve(looks()),
      // A server may have been loaded before the test began.
      (count) => count >= 199,
      'not every server is loaded',
    );
    assert.isAtMost(looks(), 240, 'the requests of one minute are limited');

    await scene.driver.run('workbench.action.closeAllEditors');
    const asked = scene.driver.run('controlPlane.cleanUpOrphans', {
      serverId: idOf(0),
      items: ['old-api'],
    });
    const question = uiText('Clean up {0} item on {1}?', 1, 'theirs-0');
    const modal = dialog(page).filter({ hasText: question });
    await modal.waitFor();
    const text = await modal.innerText();
    const shortId = idOf(0).slice(0, 8);
    assert.include(text, uiText('Server: {0}', `theirs-0 (${shortId})`));
    assert.include(text, uiText('⚠ This name comes from the settings of the open folder.'));
    assert.include(text, `(${scene.controlPlane.url})`);
    await picture(scene, 'folder-clean-up');
    await proceed(modal).click();
    await boxSays(scene, uiText('Type the ID of the server, {0}, to clean it up.', shortId));
    await dismiss(page);
    const answer = await asked;
    assert.isNull(answer);
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
  });
});
