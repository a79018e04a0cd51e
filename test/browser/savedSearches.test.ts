import { assert } from 'chai';
import { treeRowAt, treeRows } from '../host/treeRows';
import {
  clickNotification,
  clickRowAction,
  openContainer,
  quickPickItems,
  runCommand,
  statusBarItem,
  treeRow,
  view,
} from '../host/workbench';
import { explorerPage } from './explorerPage';
import { enterConnection, eventually, keyOf, openScene, picture, type Scene } from './scene';

const searches = [
  { name: 'errors', query: 'severity:error,fatal last:1h' },
  {
    name: 'of another shop',
    query: 'server:0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01',
    origin: 'https://other.example',
  },
];

describe('saved searches', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene({ settings: { 'controlPlane.logs.savedSearches': searches } });
    await openContainer(scene.page, 'Control Plane');
  });
  after(() => scene.close());

  const rows = (pattern: RegExp): Promise<string[]> =>
    eventually(
      () => treeRows(scene.page, 'Logs'),
      (shown) => pattern.test(shown.join('\n')),
      `rows like ${String(pattern)}`,
    );
  const boxText = (): Promise<string> =>
    scene.page.locator('.quick-input-widget .quick-input-box input').inputValue();

  it('are there once there is somebody to ask, and the welcome is there before that', async () => {
    const { page } = scene;
    await view(page, 'Logs').getByRole('button', { name: 'Connect…' }).waitFor();
    assert.isEmpty(await treeRows(page, 'Logs'));
    await enterConnection(page, scene.controlPlane.url, keyOf(scene, 'demo-full'));
    const shown = await rows(/of another shop/);
    assert.deepEqual(shown, [
      'Follow Logs… Nothing is followed right now.',
      'Saved Searches',
      '  errors severity:error,fatal last:1h',
      `  of another shop ${searches[1]?.query ?? ''}`,
    ]);
  });

  it('are run by the keyboard, and are among the recent ones then', async () => {
    const { page } = scene;
    // A click closes the section.
    await (await treeRowAt(page, 'Logs', ['Saved Searches'])).click();
    await rows(/Saved Searches$/);
    await page.keyboard.press('ArrowRight');
    await rows(/of another shop/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'Log Explorer' }).waitFor();
    await rows(/Recent Searches/);
    await picture(scene, 'saved-searches');
  });

  it('say why they are not run here, and offer to edit them', async () => {
    const { page } = scene;
    await treeRow(page, 'Logs', 'of another shop').click();
    await clickNotification(page, 'has ids of another control plane', 'Edit Query');
    // VS Code gives a page the focus as soon as it has loaded, whatever was opened meanwhile.
    await eventually(
      () => explorerPage(scene).getByRole('combobox', { name: 'Query' }).inputValue(),
      (text) => text === searches[1]?.query,
      'the query is in the bar',
    );
  });

  it('are followed by the button of the row; the tails stay above them', async () => {
    const { page } = scene;
    await clickRowAction(page, 'Logs', 'errors', 'Follow This');
    await statusBarItem(page, 'live').waitFor();
    const shown = await rows(/^errors live/);
    assert.equal(shown[1], 'Saved Searches');
  });

  it('the box of Follow Logs is filled, step by step, with the keyboard alone', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Follow Logs…');
    await quickPickItems(page);
    await page.keyboard.type('stre');
    await eventually(
      () => quickPickItems(page),
      (items) => items[0]?.startsWith('stre ') === true && items[1]?.startsWith('stream') === true,
      'the field is offered',
    );
    await picture(scene, 'follow-completion');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(boxText, (text) => text === 'stream:', 'the field is filled in');
    await page.keyboard.type('stde');
    await eventually(
      () => page.locator('.quick-input-list .monaco-list-row.focused').allInnerTexts(),
      (focused) => focused.some((text) => text.includes('stderr')),
      'the value is next',
    );
    await picture(scene, 'follow-completion-value');
    await page.keyboard.press('Enter');
    await eventually(boxText, (text) => text === 'stream:stderr', 'the value is filled in');
    await page.keyboard.press('Enter');
    await rows(/^stream:stderr live/m);
  });

  it('the box of Follow Logs follows what was typed before its list could be about that', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Follow Logs…');
    await page.locator('.quick-input-title', { hasText: 'Follow Logs' }).waitFor();
    await page.keyboard.type('stream:stdout');
    await page.keyboard.press('Enter');
    await rows(/^stream:stdout live/m);
  });
});
