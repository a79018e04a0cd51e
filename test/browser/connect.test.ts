import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Page } from 'playwright-core';
import { startControlPlane } from '../control-plane/server';
import { commandTitle } from '../host/titles';
import { temporaryFolder } from '../host/processes';
import { treeRows } from '../host/treeRows';
import {
  answer,
  clickNotification,
  clickPick,
  dismiss,
  inputBox,
  notifications,
  quickPickItems,
  statusBarItem,
  view,
  waitForOutput,
} from '../host/workbench';
import { eventually, keyOf, picture, setScene } from './scene';
import { textIs, type Tree, welcomeLines } from './trees';

/** The placeholder of a quick pick. */
const placeholder = (page: Page): Promise<string | null> =>
  page.locator('.quick-input-widget .quick-input-box input').getAttribute('placeholder');

/** Records the title of every box that opens from now on. */
async function watchBoxes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`{
    let last = '';
    const titles = (globalThis.boxTitles = []);
    const look = () => {
      const box = document.querySelector('.quick-input-widget');
      const isOpen = box !== null && box.style.display !== 'none';
      const title = isOpen ? box.querySelector('.quick-input-title').textContent : '';
      if (title !== '' && title !== last) titles.push(title);
      last = title;
    };
    new MutationObserver(look).observe(document.body, {
      attributes: true, characterData: true, childList: true, subtree: true,
    });
  }`);
  return () => page.evaluate('globalThis.boxTitles');
}

describe('connecting', () => {
  let folder = '';
  const scene = setScene({
    connected: null,
    // Keeps the workspace storage out of the folder of the demo.
    folder: async () => (folder = await temporaryFolder('connect')),
    size: { width: 1280, height: 1200 },
  });
  beforeEach(async () => {
    await scene.driver.run('controlPlane.signOut');
    await scene.driver.set({
      'controlPlane.connections': null,
      'controlPlane.sources': null,
      'controlPlane.servers': null,
    });
    await view(scene.page, 'logs')
      .getByRole('button', { name: commandTitle('connect') })
      .waitFor();
  });

  /** Waits until the message of the input box matches; returns the message. */
  const boxSays = (text: string): ReturnType<typeof inputBox> =>
    eventually(
      () => inputBox(scene.page),
      ({ message }) => message.includes(text),
      `the box does not say “${text}”`,
    );
  const host = (): string => new URL(scene.controlPlane.url).host;

  it('shows logs after one click and three inputs: the URL, the key and what to follow', async () => {
    const { page, controlPlane } = scene;
    await view(page, 'logs').getByText(welcomeLines('logs.none').split('\n')[0]!).waitFor();
    await picture(scene, 'first-start');
    const boxes = await watchBoxes(page);
    await view(page, 'logs')
      .getByRole('button', { name: commandTitle('connect') })
      .click();
    await answer(page, controlPlane.url);
    const { password } = await boxSays('Enter your API key.');
    assert.isTrue(password, 'a key is not shown');
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: 'Connected to' }).waitFor();
    await eventually(
      async () => (await placeholder(page)) ?? '',
      (text) => /^Found 4 sources, and \d+ apps and jobs on 3 servers\./.test(text),
      'the box does not say what was found',
    );
    await picture(scene, 'connect-follow');
    await clickPick(page, 'Follow Everything');
    // Recent workloads come first.
    await waitForOutput(page, /\]\s\S/);
    controlPlane.admin.emit([{ body: 'seen at the first start', severity: 'warn' }]);
    assert.match(
      await waitForOutput(page, 'seen at the first start'),
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[warning\] \[.+\] seen at the first start$/,
    );
    await eventually(
      () => treeRows(page, 'logs'),
      ([row]) => row?.startsWith('everything live · ') === true,
      'everything is not followed',
    );
    assert.deepEqual(await boxes(), [
      'Connect to a Control Plane (1/3)',
      `Connect to ${host()} (2/3)`,
      `Connected to ${host()} (3/3)`,
    ]);
    for (const tree of ['sources', 'servers'] as const) {
      await view(page, tree).getByRole('treeitem').first().waitFor();
    }
    await picture(scene, 'connected');
  });

  it('says in each box what is wrong, and can go back to an earlier box', async () => {
    const { page, controlPlane } = scene;
    const connected = scene.driver.run('controlPlane.connect');
    await boxSays('Enter the URL of the control plane.');
    await answer(page, 'http://control-plane.example.com');
    await boxSays('http is allowed on this computer only');
    await answer(page, 'not a url');
    await boxSays('Enter a valid URL');
    await picture(scene, 'connect-url');
    await answer(page, 'https://elsewhere.example.com');
    const { title } = await boxSays('Enter your API key.');
    assert.equal(title, 'Connect to elsewhere.example.com (2/3)');
    await page.locator('.quick-input-widget').getByRole('button', { name: /^Back/ }).waitFor();
    // Not a click: the box creates its buttons again while it opens, and a click on an old one is lost.
    await scene.driver.run('workbench.action.quickInputBack');
    const again = await boxSays('Enter the URL of the control plane');
    assert.equal(again.value, 'https://elsewhere.example.com');
    await answer(page, `${controlPlane.url}/v1/api/`);
    await answer(page, 'wrong-key');
    await boxSays('The control plane does not accept this API key.');
    await picture(scene, 'connect-key');
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: `Connected to ${host()} (3/3)` }).waitFor();
    await clickPick(page, 'Nothing Yet');
    await connected;
    await view(page, 'logs')
      .getByRole('button', { name: commandTitle('followLogs') })
      .waitFor();
    assert.isEmpty(await treeRows(page, 'logs'));
  });

  it('asks for the name last if the URL is known, and switches between both names', async () => {
    const { page, controlPlane } = scene;
    await scene.connect();
    const connected = scene.driver.run('controlPlane.connect');
    assert.equal((await boxSays('Enter the URL')).value, controlPlane.url, 'the known URL');
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-readonly'));
    const asked = await boxSays(`The key is for ${host()}.`);
    assert.equal(asked.title, `Connect to ${host()} (3/3)`);
    assert.equal(asked.value, host());
    // The message is shown for a while.
    const said = statusBarItem(page, 'Connected to readonly').waitFor();
    await answer(page, 'readonly');
    await connected;
    await said;
    const switchConnection = (): Promise<unknown> =>
      scene.driver.run('controlPlane.switchConnection');
    const isTicked = (name: string): Promise<void> =>
      page
        .locator('.quick-input-list .monaco-list-row:has(.codicon-check)', { hasText: name })
        .waitFor();
    const switched = switchConnection();
    await isTicked('readonly');
    const labels = (await quickPickItems(page)).map((item) => item.split(' · ')[0]);
    assert.deepEqual(labels, [host(), 'readonly', 'Connect to Another…']);
    await clickPick(page, host());
    await switched;
    const looked = switchConnection();
    await isTicked(host());
    await dismiss(page);
    await looked;
  });

  /** Waits until these are the roots of a tree. */
  const rootsAre = (tree: Tree, ...expected: string[]): Promise<void> =>
    textIs(
      async () =>
        (await treeRows(scene.page, tree)).filter((row) => !row.startsWith(' ')).join('\n'),
      expected.join('\n'),
    );

  it('finds sources and servers, asks once which to show and where to save them, and shows them', async () => {
    const { page } = scene;
    // With another origin, because each is searched once.
    const fresh = await startControlPlane({ seed: 7, live: false, historyRecords: 300 });
    try {
      const connected = scene.driver.run('controlPlane.connect');
      await answer(page, fresh.url);
      await answer(page, fresh.keys['demo-full'] ?? '');
      await page.locator('.quick-input-title', { hasText: '(3/3)' }).waitFor();
      await dismiss(page);
      await connected;
      await clickNotification(page, /^Found 4 sources and 3 servers\./, 'Choose…');
      // Nothing is shown without the consent of the user.
      await view(page, 'sources')
        .getByText(welcomeLines('sources.empty').split('\n')[0]!)
        .waitFor();
      const box = page.locator('.quick-input-widget');
      await box.getByText('7 Selected').waitFor();
      const items = await quickPickItems(page);
      assert.lengthOf(
        items.filter((item) => item.includes(' · found by ')),
        7,
        items.join('\n'),
      );
      assert.match(
        items.join('\n'),
        /^fra-app-1 · [0-9a-f]{8} · found by recent logs, alert rules/m,
      );
      await box.getByText('Discover: Add to User Settings').waitFor();
      await picture(scene, 'discover-pick');
      await box.getByRole('button', { name: /^Saving to your user settings/ }).click();
      await box.getByText('Discover: Add to Workspace Settings').waitFor();
      await box.locator('.monaco-list-row', { hasText: 'hel-data-1' }).click();
      await page.keyboard.press('Enter');

      // They have no label, so they are named after their workloads.
      await rootsAre(
        'sources',
        'cache-warmer, nightly-backup from this folder',
        'inventory, notifications and 1 more from this folder',
        'invoice-export, recommender and 2 more 1 failing · from this folder',
        'order-worker, storefront and 1 more from this folder',
      );
      await rootsAre(
        'servers',
        'fra-app-1 1 firing · from this folder',
        'fra-app-2 1 firing · from this folder',
      );
      assert.isEmpty(await notifications(page), 'nothing more is asked');
      await picture(scene, 'discovered-trees');
      const text = await readFile(path.join(folder, '.vscode/settings.json'), 'utf8');
      const settings = JSON.parse(text) as Record<string, unknown[]>;
      assert.lengthOf(settings['controlPlane.sources'] ?? [], 4);
      assert.lengthOf(settings['controlPlane.servers'] ?? [], 2);
    } finally {
      await fresh.close();
    }
  });
});
