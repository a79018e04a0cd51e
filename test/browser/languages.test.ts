import { assert } from 'chai';
import type { Page } from 'playwright-core';
import { pseudoExtension, pseudoLanguage } from '../host/pseudoExtension';
import { pseudo } from '../../.config/l10n';
import * as workbench from '../host/workbench';
import { keyOf, openScene, picture, type Scene } from './scene';

/** What stays as it is in every language: names, ids, and what the query language is made of. */
const same = [
  /Control Plane/g,
  /https?:\/\/\S+/g,
  /severity:\S+/g,
  /\blive\b/g,
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
];

/** Of some texts those that nobody has translated: they have vowels without an accent. */
function untranslated(texts: readonly string[], data: readonly string[] = []): string[] {
  return texts.filter((text) => {
    let rest = text;
    for (const name of data) rest = rest.replaceAll(name, '');
    for (const pattern of same) rest = rest.replace(pattern, '');
    return /[aeiou]/i.test(rest);
  });
}

async function texts(page: Page, selector: string): Promise<string[]> {
  const found = await page.locator(selector).allInnerTexts();
  return found.flatMap((text) => text.split('\n')).filter((text) => text.trim() !== '');
}

describe('in another language', () => {
  let scene: Scene;
  before(async () => {
    const extension = await pseudoExtension();
    scene = await openScene({ extensions: [extension], language: pseudoLanguage });
    await workbench.openContainer(scene.page, 'Control Plane');
    await workbench.view(scene.page, pseudo('Sources')).waitFor();
  });
  after(() => scene.close());

  it('no text of the views is left in English', async () => {
    const { page } = scene;
    await page.locator('.pane .welcome-view-content').first().waitFor();
    await picture(scene, 'pseudo-welcome');
    const shown = [
      ...(await texts(page, '.pane .pane-header .title')),
      ...(await texts(page, '.pane .welcome-view-content')),
    ];
    assert.isAbove(shown.length, 10);
    assert.deepEqual(untranslated(shown), []);
  });

  it('no command is left in English', async () => {
    const { page } = scene;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input').first();
    await input.fill('>Control Plane: ');
    const commands = (await workbench.quickPickItems(page)).filter((item) =>
      // `Focus on … View` is VS Code's own.
      /^Control Plane: (?!Focus on )/.test(item),
    );
    assert.isAbove(commands.length, 5);
    assert.deepEqual(untranslated(commands.map((item) => item.split(' · ')[0] ?? '')), []);
    await workbench.dismiss(page);
  });

  it('no box is left in English', async () => {
    const { page } = scene;
    const key = keyOf(scene, 'demo-full');
    await workbench.runCommand(page, `Control Plane: ${pseudo('Connect…')}`);
    for (const text of ['demo', scene.controlPlane.url, key]) {
      const { title } = await workbench.inputBox(page);
      assert.deepEqual(untranslated([title], ['demo']), []);
      await workbench.answer(page, text);
    }
    await workbench
      .statusBarItem(page, pseudo('Connected to {0}').replace('{0}', 'demo'))
      .waitFor();
    await workbench.runCommand(page, `Control Plane: ${pseudo('Follow Logs…')}`);
    await page.locator('.quick-input-title', { hasText: pseudo('Follow Logs') }).waitFor();
    await page.locator('.quick-input-list', { hasText: pseudo('Workloads seen lately') }).waitFor();
    await picture(scene, 'pseudo-follow');
    const items = (await workbench.quickPickItems(page)).map((item) => item.split(' · ')[0] ?? '');
    const names = scene.controlPlane.world.servers.map(({ name }) => name);
    const workloads = scene.controlPlane.world.workloads.map(({ name }) => name);
    assert.deepEqual(untranslated(items, [...names, ...workloads]), []);
    await workbench.dismiss(page);
  });
});
