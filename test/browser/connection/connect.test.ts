import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Page } from 'playwright';
import { startControlPlane } from '../../control-plane/server';
import { temporaryFolder } from '../../host/processes';
import { sequence, uiPattern, uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { treeRows } from '../../host/treeRows';
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
} from '../../host/workbench';
import { eventually, expect, keyOf, picture, setScene, withoutIcon } from '../scene';
import { tooltipOf, type Tree, welcomeLines } from '../trees';

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

const urlQuestion = uiText(
  'Enter the URL of the control plane. The API key is sent only to this URL.',
);
const keyQuestion = uiText(
  'Enter your API key. It is saved only in the secret storage of VS Code.',
);
const fromFolder = uiText('from this folder');

describe('connecting', () => {
  let folder = '';
  const scene = setScene({
    connected: null,
    // Keeps the workspace storage out of the folder of the demo.
    folder: async () => (folder = await temporaryFolder('connect')),
    size: { width: 1280, height: 1200 },
  });
  beforeEach(async () => {
    await scene.forget();
    await view(scene.page, 'sources')
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
  /** The title of the last box. */
  const connectedTitle = (): string => `${uiText('Connected to {0}', host())} (3/3)`;

  it('shows logs after one click and three inputs: the URL, the key and what to follow', async () => {
    const { page, controlPlane } = scene;
    await picture(scene, 'first-start');
    const boxes = await watchBoxes(page);
    await view(page, 'sources')
      .getByRole('button', { name: commandTitle('connect') })
      .click();
    await answer(page, controlPlane.url);
    const { password } = await boxSays(keyQuestion);
    assert.isTrue(password, 'a key is not shown');
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: connectedTitle() }).waitFor();
    const found = uiPattern(
      'Found: {0}.',
      sequence(
        `${uiText('{0} sources', 4)}, ${uiText('{0} servers', 3)}, `,
        uiPattern('{0} apps and jobs', /\d+/),
      ),
    );
    await expect.poll(async () => (await placeholder(page)) ?? '').toMatch(found);
    await picture(scene, 'connect-follow');
    await clickPick(page, withoutIcon(uiText('$(broadcast) Follow Everything')));
    // Recent workloads come first.
    await waitForOutput(page, /\]\s\S/);
    controlPlane.admin.emit([{ body: 'seen at the first start', severity: 'warn' }]);
    const line = await waitForOutput(page, 'seen at the first start');
    assert.match(
      line,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[warning\] \[.+\] seen at the first start$/,
    );
    await eventually(
      () => treeRows(page, 'logs'),
      ([row]) => row?.startsWith(`${uiText('everything')} ${uiText('live')} · `) === true,
      'everything is not followed',
    );
    await expect
      .poll(boxes)
      .toEqual([
        `${uiText('Connect to a Control Plane')} (1/3)`,
        `${uiText('Connect to {0}', host())} (2/3)`,
        connectedTitle(),
      ]);
    for (const tree of ['sources', 'servers'] as const) {
      await view(page, tree).getByRole('treeitem').first().waitFor();
    }
    await picture(scene, 'connected');
    await tooltipOf(page, statusBarItem(page, uiText('live')), uiText('Connection: {0}', host()));
  });

  it('says in the last box what the key cannot do, and what that means', async () => {
    const { page, controlPlane } = scene;
    const connected = scene.driver.run('controlPlane.connect');
    await answer(page, controlPlane.url);
    await boxSays(keyQuestion);
    await answer(page, keyOf(scene, 'demo-none'));
    await page.locator('.quick-input-title', { hasText: connectedTitle() }).waitFor();
    const limit = page.locator('.quick-input-list .monaco-list-row');
    await limit
      .filter({ hasText: uiText('{0} is missing.', 'logs.read') })
      .filter({
        hasText: uiText('Logs cannot be followed, searched or compared, and no errors are shown.'),
      })
      .waitFor();
    await picture(scene, 'connect-limits');
    await clickPick(page, withoutIcon(uiText('$(check) Continue')));
    await connected;
  });

  it('says in each box what is wrong, and can go back to an earlier box', async () => {
    const { page, controlPlane } = scene;
    const connected = scene.driver.run('controlPlane.connect');
    await boxSays(urlQuestion);
    await answer(page, 'http://control-plane.example.com');
    await boxSays(
      uiText(
        'Use https. http is allowed on this computer only (localhost, 127.0.0.1), because it does not protect the API key.',
      ),
    );
    await answer(page, 'not a url');
    await boxSays(uiText('Enter a valid URL, such as https://control-plane.example.com'));
    await picture(scene, 'connect-url');
    const gone = await startControlPlane({ live: false, historyRecords: 0 });
    await gone.close();
    const wrong = gone.url;
    await answer(page, wrong);
    await boxSays(
      uiText(
        'Connection refused. Check that the control plane is running and that the host and port of the base URL are correct.',
      ),
    );
    await picture(scene, 'connect-refused');
    await answer(page, wrong);
    const { title } = await boxSays(keyQuestion);
    assert.equal(title, `${uiText('Connect to {0}', new URL(wrong).host)} (2/3)`);
    await page.locator('.quick-input-widget').getByRole('button', { name: /^Back/ }).waitFor();
    // Not a click: the box creates its buttons again while it opens, and a click on an old one is lost.
    await scene.driver.run('workbench.action.quickInputBack');
    const again = await boxSays(urlQuestion);
    assert.equal(again.value, wrong);
    await answer(page, `${controlPlane.url}/v1/api/`);
    await answer(page, 'wrong-key');
    const { message } = await boxSays(
      uiText('The control plane does not accept this API key. Check that you copied all of it.'),
    );
    assert.notMatch(message, uiPattern('The control plane says: {0}'), 'it is said once');
    await picture(scene, 'connect-key');
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: connectedTitle() }).waitFor();
    await clickPick(page, withoutIcon(uiText('$(circle-slash) Nothing Yet')));
    await connected;
    await view(page, 'logs')
      .getByRole('button', { name: commandTitle('followLogs') })
      .waitFor();
    await expect.poll(() => treeRows(page, 'logs')).toEqual([]);
  });

  it('asks for the name last if the URL is known, and switches between both names', async () => {
    const { page, controlPlane } = scene;
    await scene.connect();
    const connected = scene.driver.run('controlPlane.connect');
    const { value } = await boxSays(urlQuestion);
    assert.equal(value, controlPlane.url, 'the known URL');
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-readonly'));
    const asked = await boxSays(
      uiText('The key is for {0}. Enter another name to add a connection.', host()),
    );
    assert.equal(asked.title, `${uiText('Connect to {0}', host())} (3/3)`);
    assert.equal(asked.value, host());
    // The message is shown for a while.
    const said = statusBarItem(page, uiText('Connected to {0}', 'readonly')).waitFor();
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
    assert.deepEqual(labels, [host(), 'readonly', uiText('Connect to Another…')]);
    // Not a click: it is lost if the list is laid out again between press and release.
    await answer(page, host());
    await switched;
    const looked = switchConnection();
    await isTicked(host());
    await dismiss(page);
    await looked;
    await expect(view(page, 'sources').locator('.pane-header .description')).toHaveText(host());
  });

  /** Waits until these are the roots of a tree. */
  const rootsAre = (tree: Tree, ...expected: string[]): Promise<void> =>
    expect
      .poll(async () => (await treeRows(scene.page, tree)).filter((row) => !row.startsWith(' ')))
      .toEqual(expected);

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
      const found = `${uiText('{0} sources', 4)}, ${uiText('{0} servers', 3)}`;
      await clickNotification(page, uiText('Found: {0}.', found), uiText('Choose…'));
      // Nothing is shown without the consent of the user.
      await view(page, 'sources')
        .getByText(welcomeLines('sources.empty').split('\n')[0]!)
        .waitFor();
      const box = page.locator('.quick-input-widget');
      await box.getByText('7 Selected').waitFor();
      const items = await quickPickItems(page);
      assert.lengthOf(
        items.filter((item) => uiPattern('found by {0}').test(item)),
        7,
        items.join('\n'),
      );
      assert.include(
        items.find((item) => /^fra-app-1 · [0-9a-f]{8} · /.test(item)) ?? '',
        uiText('found by {0}', `${uiText('recent logs')}, ${uiText('alert rules')}`),
      );
      await box.getByText(uiText('Discover: Add to User Settings')).waitFor();
      await picture(scene, 'discover-pick');
      await box
        .getByRole('button', {
          name: uiText('Saving to your user settings. Click to save to the workspace settings'),
        })
        .click();
      await box.getByText(uiText('Discover: Add to Workspace Settings')).waitFor();
      await box.locator('.monaco-list-row', { hasText: 'hel-data-1' }).click();
      await page.keyboard.press('Enter');

      // They have no label, so they are named after their workloads.
      await rootsAre(
        'sources',
        `cache-warmer, nightly-backup ${fromFolder}`,
        `${uiText('{0} and {1} more', 'inventory, notifications', 1)} ${fromFolder}`,
        `${uiText('{0} and {1} more', 'invoice-export, recommender', 2)} ${uiText('{0} failing', 1)} · ${fromFolder}`,
        `${uiText('{0} and {1} more', 'order-worker, storefront', 1)} ${fromFolder}`,
      );
      await rootsAre(
        'servers',
        `fra-app-1 ${uiText('{0} firing', 1)} · ${fromFolder}`,
        `fra-app-2 ${uiText('{0} firing', 1)} · ${fromFolder}`,
      );
      const shown = await notifications(page);
      assert.isEmpty(shown, 'nothing more is asked');
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
