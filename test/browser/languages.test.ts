import { assert } from 'chai';
import type { Page } from 'playwright-core';
import { pseudoExtension, pseudoLanguage } from '../host/pseudoExtension';
import { pseudo } from '../../.config/l10n';
import * as workbench from '../host/workbench';
import { temporaryFolder } from '../host/processes';
import { openRow, treeRows } from '../host/treeRows';
import { eventually, keyOf, openScene, picture, type Scene } from './scene';
import { knownThings } from './trees';

/** What stays as it is in every language: names, ids, and what the query language is made of. */
const same = [
  /Control Plane/g,
  /https?:\/\/\S+/g,
  /\b(?:severity|last|preview):\S+/g,
  /\blive\b/g,
  /\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g,
];

/** What `Intl` makes of times, in English where it does not know the language. */
const times = [
  /\b\d+ (?:sec|min|hr|day|wk|mo|yr)s?\b\.?(?: ago)?|\bin \d+ \w+\.?|\b(?:yesterday|tomorrow|now)\b/g,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g,
];

/** Of some texts those that nobody has translated: they have vowels without an accent. */
function untranslated(texts: readonly string[], data: readonly string[] = []): string[] {
  return texts.filter((text) => {
    let rest = text;
    for (const pattern of [...same, ...times]) rest = rest.replace(pattern, '');
    for (const name of data) rest = rest.replaceAll(name, '');
    return /[aeiou]/i.test(rest);
  });
}

/** Every word and text of the control plane's world, the longest first. */
function dataOf(value: unknown): string[] {
  const found = new Set<string>();
  const collect = (one: unknown): void => {
    if (typeof one === 'string' && /[a-z]{3}/i.test(one)) found.add(one);
    else if (typeof one === 'object' && one !== null) Object.values(one).forEach(collect);
  };
  collect(value);
  return [...found].sort((one, other) => other.length - one.length);
}

async function texts(page: Page, selector: string): Promise<string[]> {
  const found = await page.locator(selector).allInnerTexts();
  return found.flatMap((text) => text.split('\n')).filter((text) => text.trim() !== '');
}

describe('in another language', () => {
  let scene: Scene;
  before(async () => {
    const extension = await pseudoExtension();
    scene = await openScene({
      extensions: [extension],
      language: pseudoLanguage,
      folder: await temporaryFolder('pseudo-workspace'),
    });
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
    const { host } = new URL(scene.controlPlane.url);
    for (const text of [scene.controlPlane.url, key]) {
      const { title } = await workbench.inputBox(page);
      assert.deepEqual(untranslated([title], [host]), []);
      await workbench.answer(page, text);
    }
    await workbench.statusBarItem(page, pseudo('Connected to {0}').replace('{0}', host)).waitFor();
    await page.locator('.quick-input-title', { hasText: pseudo('Follow Logs') }).waitFor();
    await page.locator('.quick-input-list', { hasText: pseudo('Workloads seen lately') }).waitFor();
    await picture(scene, 'pseudo-follow');
    const items = (await workbench.quickPickItems(page)).map((item) => item.split(' · ')[0] ?? '');
    const names = scene.controlPlane.world.servers.map(({ name }) => name);
    const workloads = scene.controlPlane.world.workloads.map(({ name }) => name);
    assert.deepEqual(untranslated(items, [...names, ...workloads]), []);
    await workbench.dismiss(page);
  });

  it('no notification is left in English', async () => {
    const { page } = scene;
    const toast = workbench.notification(page, pseudo('The views can show them.'));
    await toast.hover();
    const buttons = await toast.getByRole('button').allInnerTexts();
    const shown = [...(await workbench.notifications(page)), ...buttons];
    assert.isAbove(shown.length, 2);
    assert.deepEqual(untranslated(shown), []);
    await picture(scene, 'pseudo-notification');
    await toast.hover();
    await toast.getByRole('button', { name: pseudo('Show All') }).click();
  });

  it('no row is left in English', async () => {
    const { page, controlPlane } = scene;
    const names = dataOf(controlPlane.world);
    for (const title of [pseudo('Sources'), pseudo('Servers')]) {
      await workbench.treeRow(page, title, /\w/).waitFor();
      const [root = ''] = await treeRows(page, title);
      assert.notEqual(root, '');
      await workbench.treeRow(page, title, /\w/).locator('.monaco-tl-twistie').click();
      const rows = await eventually(
        () => treeRows(page, title),
        (now) => now.some((row) => row.startsWith('  ') && !row.includes(pseudo('Loading…'))),
        'the rows of a root',
      );
      // What the server calls a state is its own word.
      const states = /\b(?:production|running|stopped|failed|healthy|degraded|unhealthy|ready)\b/g;
      // Rules are called and put as the server does.
      const shown = rows
        .filter((row) => !row.startsWith('    '))
        .map((row) => row.replaceAll(states, ''));
      assert.deepEqual(untranslated(shown, names), []);
    }
    await picture(scene, 'pseudo-trees');
  });

  it('no item of the status bar is left in English', async () => {
    const { page } = scene;
    await workbench.runCommand(page, `Control Plane: ${pseudo('Follow Logs…')}`);
    await workbench.clickPick(page, pseudo('Everything'));
    const item = workbench.statusBarItem(page, pseudo('live'));
    await item.waitFor();
    const label = (await item.locator('a').getAttribute('aria-label')) ?? '';
    assert.deepEqual(untranslated([await item.innerText(), label]), []);
    await workbench.view(page, pseudo('Logs')).getByRole('treeitem').first().waitFor();
    assert.deepEqual(untranslated(await treeRows(page, pseudo('Logs'))), []);
  });

  it('nothing in the Log Explorer is left in English', async () => {
    const { page, controlPlane } = scene;
    await workbench.runCommand(page, `Control Plane: ${pseudo('Search Logs')}`);
    const explorer = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const bar = explorer.getByRole('combobox', { name: pseudo('Query') });
    await bar.fill('last:7d');
    await bar.press('Enter');
    await explorer.locator('.summary').filter({ hasText: /\d/ }).waitFor();
    const parts = explorer.locator(
      '.query-line, .filter-line, .tools, .notice-parts, .histogram-parts .line, .row.header, .end',
    );
    const said = await explorer
      .locator('body')
      .evaluate((body: PageBody) =>
        ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'label'].flatMap((name) =>
          [...body.querySelectorAll(`[${name}]`)]
            .filter((element) => element.closest('.rows') === null)
            .map((element) => element.getAttribute(name) ?? ''),
        ),
      );
    const shown = (await parts.allInnerTexts()).flatMap((text) => text.split('\n'));
    assert.isAbove(shown.length, 10);
    assert.isAbove(said.length, 10);
    assert.deepEqual(untranslated([...shown, ...said], dataOf(controlPlane.world)), []);
    await picture(scene, 'pseudo-log-explorer');
  });
});

describe('in German', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene((controlPlane) => ({
      language: 'de',
      settings: knownThings(controlPlane),
    }));
  });
  after(() => scene.close());

  it('the window speaks German, with its plural forms and times', async () => {
    const { page, controlPlane } = scene;
    const { host } = new URL(controlPlane.url);
    await workbench.openContainer(page, 'Control Plane');
    await workbench.runCommand(page, 'Control Plane: Verbinden…');
    for (const text of [controlPlane.url, keyOf(scene, 'demo-full')]) {
      await workbench.answer(page, text);
    }
    // A screen reader says it by itself.
    const said = workbench.statusBarItem(page, `Mit ${host} verbunden`);
    await said.locator('a[role="status"]').waitFor();
    await workbench.clickPick(page, 'Alles');
    await workbench.statusBarItem(page, 'live · 0 Zeilen/s').waitFor();
    await openRow(page, 'Quellen', ['operations']);
    const sources = await eventually(
      () => treeRows(page, 'Quellen'),
      (now) => now.some((row) => /production main · getrennt vor \d+ Tagen$/.test(row)),
      'a row with a time in German',
    );
    assert.isAbove(sources.length, 4);
    const servers = await treeRows(page, 'Server');
    assert.isTrue(
      servers.some((row) => row.endsWith('1 ausgelöst')),
      servers.join('\n'),
    );
    await picture(scene, 'german');
  });
});

/** What is used of the page; the tests are not compiled against the DOM. */
interface PageBody {
  querySelectorAll(selector: string): Iterable<{
    getAttribute(name: string): string | null;
    closest(selector: string): unknown;
  }>;
}
