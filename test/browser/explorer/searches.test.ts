import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { treeRowAt, treeRows } from '../../host/treeRows';
import { answer, clickPick, dialog, inputBox, proceed } from '../../host/workbench';
import { asked, search, searches, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { chooseOfRow } from '../rowMenu';
import { eventually, expect, picture } from '../scene';
import { showOnly } from '../trees';

const setting = 'controlPlane.logs.savedSearches';
const saved = [
  { name: 'errors', query: 'severity:error last:1h' },
  { name: 'warnings', query: 'severity:warn last:1h' },
];

describe('saved and recent searches', () => {
  const scene = setExplorer({ size: { width: 1280, height: 1200 } });
  const rows = explorerRows(scene);
  const section = { saved: uiText('Saved Searches'), recent: uiText('Recent Searches') };
  const forMe = uiText('For me');
  const tree = (isRight: (shown: string) => boolean, what: string): Promise<string> =>
    eventually(async () => (await treeRows(scene.page, 'logs')).join('\n'), isRight, what);
  beforeEach(async () => {
    // All searches fit into it.
    await showOnly(scene.page, 'logs');
    await scene.driver.set({ [setting]: saved });
    await tree((shown) => shown.includes('  warnings severity:warn last:1h'), 'the searches');
  });
  afterEach(() => scene.driver.set({ [setting]: null }));

  /** The searches in the settings of the person, by their names. */
  async function kept(): Promise<Record<string, string>> {
    const file = path.join(scene.window.server.userDataDir, 'User/settings.json');
    const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, typeof saved>;
    return Object.fromEntries((settings[setting] ?? []).map(({ name, query }) => [name, query]));
  }

  it('are saved by the button of the page, and replaced only after confirmation', async () => {
    const { page } = scene;
    const replace = proceed(dialog(page));
    await search(scene, 'severity:fatal last:6h');
    await scene.more('toolbar.save');
    await expect.poll(() => inputBox(page)).toMatchObject({ title: uiText('Save Search') });
    await answer(page, 'fatal ones');
    await clickPick(page, forMe);
    await tree((shown) => shown.includes('  fatal ones severity:fatal last:6h'), 'the new one');
    await picture(scene, 'searches');

    await scene.bar.focus();
    await rows.tabTo(scene.button('toolbar.more'));
    for (const key of ['Enter', 'Enter']) await rows.press(key);
    await answer(page, 'errors');
    await clickPick(page, forMe);
    await replace.waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await expect.poll(kept).toMatchObject({ errors: 'severity:error last:1h' });
    await scene.more('toolbar.save');
    await answer(page, 'errors');
    await clickPick(page, forMe);
    await replace.click();
    await tree((shown) => shown.includes('  errors severity:fatal last:6h'), 'the other query');
  });

  it('run by a click, open for editing, and become recent searches', async () => {
    const { page } = scene;
    const { filters } = await asked(scene, async () =>
      (await treeRowAt(page, 'logs', [section.saved, 'errors'])).click(),
    );
    assert.deepEqual(filters['severities'], ['error']);
    await scene.becomes('severity:error last:1h');
    const recent = [section.recent, 'severity:error last:1h'];
    await treeRowAt(page, 'logs', recent);
    const before = searches(scene).length;
    await chooseOfRow(page, 'logs', [section.saved, 'warnings'], 'editSearch', 'mouse');
    await scene.becomes('severity:warn last:1h');
    assert.lengthOf(searches(scene), before, 'nothing is sent');

    await chooseOfRow(page, 'logs', recent, 'saveSearch', 'keyboard');
    await expect.poll(async () => (await inputBox(page)).title).toContain(uiText('Save Search'));
    await answer(page, 'errors again');
    await clickPick(page, forMe);
    await tree((shown) => shown.includes('  errors again severity:error'), 'it is saved');
    await chooseOfRow(page, 'logs', recent, 'deleteSearch', 'mouse');
    await tree((shown) => !shown.includes(section.recent), 'the last one has gone');
  });

  it('are watched, renamed, and deleted after confirmation, from the menus of their rows', async () => {
    const { page } = scene;
    const where = [section.saved, 'errors'];
    await chooseOfRow(page, 'logs', where, 'notifyOfSearch', 'keyboard');
    const row = await treeRowAt(page, 'logs', where);
    const words = new RegExp(uiText('notifies of new records'));
    await expect(row).toHaveAttribute('aria-label', words);
    await picture(scene, 'searches-watched');
    await chooseOfRow(page, 'logs', where, 'notifyOfSearch', 'mouse');
    await expect(await treeRowAt(page, 'logs', where)).not.toHaveAttribute('aria-label', words);

    await chooseOfRow(page, 'logs', [section.saved, 'errors'], 'renameSearch', 'keyboard');
    await inputBox(page);
    await answer(page, 'what is wrong');
    await tree((shown) => shown.includes('  what is wrong severity:error'), 'the new name');

    const remove = async (): Promise<void> => {
      const where = [section.saved, 'warnings'];
      await chooseOfRow(page, 'logs', where, 'deleteSearch', 'keyboard');
      await dialog(page).getByText(uiText('Delete the saved search "{0}"?', 'warnings')).waitFor();
    };
    await remove();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(async () => Object.keys(await kept())).toEqual(['what is wrong', 'warnings']);
    await remove();
    await page.keyboard.press('Enter');
    await tree((shown) => !shown.includes('warnings'), 'it is gone');
    await expect.poll(async () => Object.keys(await kept())).toEqual(['what is wrong']);
  });
});
