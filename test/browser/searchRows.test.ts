import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { treeRowAt, treeRows } from '../host/treeRows';
import {
  answer,
  clickRowAction,
  dialog,
  inputBox,
  openContainer,
  quickPickItems,
  runCommand,
  statusBarItem,
} from '../host/workbench';
import { explorerPage, searches, type SearchBody } from './explorerPage';
import { chooseOfRow, focusRow, ways, type Way } from './rowMenu';
import { enterConnection, eventually, keyOf, openScene, type Scene } from './scene';

const saved = [
  { name: 'errors', query: 'severity:error last:1h' },
  { name: 'warnings', query: 'severity:warn last:1h' },
  { name: 'old mouse', query: 'severity:trace' },
  { name: 'old keyboard', query: 'severity:debug' },
];

describe('rows of saved and recent searches', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene({
      settings: { 'controlPlane.logs.savedSearches': saved },
      size: { width: 1280, height: 1200 },
    });
    await openContainer(scene.page, 'Control Plane');
    await enterConnection(scene.page, scene.controlPlane.url, keyOf(scene, 'demo-full'));
    await rows((shown) => shown.includes(section.saved), 'the searches');
  });
  after(() => scene.close());
  beforeEach(() => runCommand(scene.page, 'View: Close All Editors'));

  const section = { saved: 'Saved Searches', recent: 'Recent Searches' } as const;
  const rows = (isRight: (shown: readonly string[]) => boolean, what: string) =>
    eventually(() => treeRows(scene.page, 'Logs'), isRight, what);
  const bar = (): Locator => explorerPage(scene).getByRole('combobox', { name: 'Query' });
  const barBecomes = (query: string): Promise<string> =>
    eventually(
      () => bar().inputValue(),
      (text) => text === query,
      'the query in the bar',
    );

  /** What comes of a row that is clicked, or that has the focus where Enter is pressed. */
  async function run(where: readonly string[], way: Way): Promise<SearchBody> {
    const { page } = scene;
    const before = searches(scene).length;
    const row = await treeRowAt(page, 'Logs', where);
    if (way === 'mouse') await row.click();
    else {
      await focusRow(page, 'Logs', row);
      await page.keyboard.press('Enter');
    }
    const [body] = await eventually(
      () => Promise.resolve(searches(scene).slice(before)),
      (bodies) => bodies.length > 0,
      'what was searched for',
    );
    return body!;
  }

  /** The names of the searches in the settings of the person. */
  async function names(): Promise<string[]> {
    const file = path.join(scene.window.userDataDir, 'User/settings.json');
    const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, typeof saved>;
    return (settings['controlPlane.logs.savedSearches'] ?? []).map(({ name }) => name);
  }

  const edit = async (where: readonly string[], query: string, way: Way): Promise<void> => {
    const before = searches(scene).length;
    await chooseOfRow(scene.page, 'Logs', where, 'Edit Query', way);
    await barBecomes(query);
    assert.lengthOf(searches(scene), before, 'nothing is sent');
  };

  for (const way of ways) {
    it(`run and edit a saved one, by ${way}`, async () => {
      const where = [section.saved, 'errors'];
      assert.deepEqual((await run(where, way)).filters['severities'], ['error']);
      await barBecomes('severity:error last:1h');
      await runCommand(scene.page, 'View: Close All Editors');
      await edit(where, 'severity:error last:1h', way);
    });

    it(`run and edit a recent one, by ${way}`, async () => {
      await run([section.saved, 'errors'], way);
      const where = [section.recent, 'severity:error last:1h'];
      assert.deepEqual((await run(where, way)).filters['severities'], ['error']);
      await edit(where, 'severity:error last:1h', way);
    });

    it(`delete a saved one once it is confirmed, by ${way}`, async () => {
      const { page } = scene;
      const name = `old ${way}`;
      const where = [section.saved, name];
      const question = dialog(page).getByText(`Delete the saved search "${name}"?`);
      await chooseOfRow(page, 'Logs', where, 'Delete Search…', way);
      await question.waitFor();
      if (way === 'mouse') await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      else await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      assert.include(await names(), name);
      await chooseOfRow(page, 'Logs', where, 'Delete Search…', way);
      await question.waitFor();
      if (way === 'mouse') await dialog(page).getByRole('button', { name: 'Delete' }).click();
      else await page.keyboard.press('Enter');
      await rows((shown) => !shown.join('\n').includes(name), 'it is gone');
      assert.notInclude(await names(), name);
      assert.include(await names(), 'errors');
    });

    it(`take a recent one off the list, by ${way}`, async () => {
      await run([section.saved, 'errors'], way);
      const where = [section.recent, 'severity:error last:1h'];
      await chooseOfRow(scene.page, 'Logs', where, 'Remove from Recent Searches', way);
      await rows((shown) => !shown.includes(section.recent), 'the last one has gone');
    });
  }

  it('rename a saved one, and save a recent one, by the keyboard', async () => {
    const { page } = scene;
    await run([section.saved, 'errors'], 'keyboard');
    await chooseOfRow(page, 'Logs', [section.saved, 'errors'], 'Rename Search…', 'keyboard');
    await inputBox(page);
    await answer(page, 'what is wrong');
    await rows((shown) => shown.some((row) => row.startsWith('  what is wrong')), 'the new name');
    assert.sameMembers(await names(), ['what is wrong', 'warnings']);
    const recent = [section.recent, 'severity:error last:1h'];
    await chooseOfRow(page, 'Logs', recent, 'Save Search…', 'keyboard');
    const { title } = await inputBox(page);
    assert.match(title, /^Save Search/);
    await answer(page, 'errors again');
    await quickPickItems(page);
    await page.keyboard.press('Enter');
    await eventually(names, (all) => all.includes('errors again'), 'it is saved');
  });

  it('follow by the menu with the keyboard, and by the button of the row', async () => {
    const { page, controlPlane } = scene;
    const where = [section.saved, 'what is wrong'];
    await chooseOfRow(page, 'Logs', where, 'Follow This', 'keyboard');
    await statusBarItem(page, 'live').waitFor();
    await rows((shown) => shown[0]?.startsWith('what is wrong live') === true, 'it is followed');
    const streams = controlPlane.admin.requests().filter(({ url }) => url.endsWith('/logs/tail'));
    assert.include(streams.at(-1)?.body, '"severities":["error"]');
    await clickRowAction(page, 'Logs', /^warnings/, 'Follow This');
    await rows((shown) => shown[1]?.startsWith('warnings live') === true, 'so is the other');
    await chooseOfRow(page, 'Logs', [section.recent], 'Clear Recent Searches', 'mouse');
    await rows((shown) => !shown.includes(section.recent), 'none is recent any more');
  });
});
