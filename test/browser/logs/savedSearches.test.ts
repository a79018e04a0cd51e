import { assert } from 'chai';
import { uiPattern, uiText } from '../../host/texts';
import { treeRowAt, treeRows } from '../../host/treeRows';
import {
  clickRowAction,
  quickPickItems,
  runCommand,
  statusBarItem,
  view,
} from '../../host/workbench';
import { pageText } from '../explorer/pageTexts';
import { eventually, expect, picture, setScene, type Scene } from '../scene';
import { knownThings, showOnly } from '../trees';

const live = uiText('live');
const savedSearches = uiText('Saved Searches');

const searches = [
  { name: 'errors', query: 'severity:error,fatal last:1h' },
  {
    name: 'of another shop',
    query: 'server:0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01',
    origin: 'https://other.example',
  },
];

/** Waits until the view of logs has rows like this. */
function rows({ page }: Scene, pattern: RegExp): Promise<string[]> {
  return eventually(
    () => treeRows(page, 'logs'),
    (shown) => pattern.test(shown.join('\n')),
    `rows like ${String(pattern)}`,
  );
}

describe('Saved searches in the Logs view', () => {
  const scene = setScene({ keepsWindow: true, connected: null, settings: knownThings });
  const setting = 'controlPlane.logs.savedSearches';
  /** Counts connections: recent searches belong to one. */
  let connections = 0;
  beforeEach(async () => {
    const { driver, page } = scene;
    await driver.run('workbench.action.closeAllEditors');
    await driver.set({ [setting]: searches });
    await scene.reconnect('demo-full', `searches ${++connections}`);
    await showOnly(page, 'logs');
    await rows(scene, /of another shop/);
  });
  after(() => scene.driver.set({ [setting]: null }));

  it('are shown when signed in, followed with the button of the row, and run with the keyboard', async () => {
    const { page, driver } = scene;
    await expect
      .poll(() => treeRows(page, 'logs'))
      .toEqual([
        `${uiText('Follow Logs…')} ${uiText('Not following any logs.')}`,
        savedSearches,
        '  errors severity:error,fatal last:1h',
        `  of another shop ${searches[1]?.query ?? ''}`,
      ]);
    await clickRowAction(page, 'logs', 'errors', 'followSearch');
    await statusBarItem(page, live).waitFor();
    const shown = await rows(scene, new RegExp(`^errors ${live}`));
    assert.equal(shown[1], savedSearches, 'below the tails');
    // A click collapses the section.
    await (await treeRowAt(page, 'logs', [savedSearches])).click();
    await rows(scene, new RegExp(`${savedSearches}$`));
    await page.keyboard.press('ArrowRight');
    await rows(scene, /of another shop/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: pageText('title') }).waitFor();
    await rows(scene, uiPattern('Recent Searches'));
    await picture(scene, 'saved-searches');
    await driver.set({ 'controlPlane.connections': null });
    await view(page, 'logs').waitFor({ state: 'detached' });
  });
});

describe('The box of Follow Logs', () => {
  const scene = setScene({ keepsWindow: true, connected: null, settings: knownThings });
  beforeEach(async () => {
    await scene.reconnect();
    await showOnly(scene.page, 'logs');
    await runCommand(scene.page, 'followLogs');
    await scene.page.locator('.quick-input-title', { hasText: uiText('Follow Logs') }).waitFor();
  });

  it('completes a query step by step with the keyboard', async () => {
    const { page } = scene;
    const hasText = (wanted: string): Promise<void> =>
      expect(page.locator('.quick-input-widget .quick-input-box input')).toHaveValue(wanted);
    /** Lets the window and its extensions tell each other what is new: a person is slower than that. */
    const catchUp = (): Promise<unknown> => scene.driver.run('setContext', 'caughtUp', true);
    await quickPickItems(page);
    await catchUp();
    // The list is complete: when workloads are found, it is made again.
    await page
      .locator('.quick-input-widget .monaco-progress-container.active')
      .waitFor({ state: 'hidden' });
    await page.keyboard.type('stre');
    await eventually(
      () => quickPickItems(page),
      (items) => items[0]?.startsWith('stre ') === true && items[1]?.startsWith('stream') === true,
      'the field is not offered',
    );
    await catchUp();
    await picture(scene, 'follow-completion');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await hasText('stream:');
    await page.keyboard.type('stde');
    await eventually(
      () => page.locator('.quick-input-list .monaco-list-row.focused').allInnerTexts(),
      (focused) => focused.some((text) => text.includes('stderr')),
      'the value is not next',
    );
    await picture(scene, 'follow-completion-value');
    await page.keyboard.press('Enter');
    await hasText('stream:stderr');
    await page.keyboard.press('Enter');
    await rows(scene, new RegExp(`^stream:stderr ${live}`, 'm'));
  });

  it('follows the typed query before its list is updated', async () => {
    const { page } = scene;
    await page.keyboard.type('stream:stdout');
    await page.keyboard.press('Enter');
    await rows(scene, new RegExp(`^stream:stdout ${live}`, 'm'));
  });
});
