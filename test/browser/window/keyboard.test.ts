import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { commandTitle, viewTitle } from '../../host/titles';
import { treeRows } from '../../host/treeRows';
import {
  answer,
  focusOn,
  inputBox,
  quickPickItems,
  statusBarItem,
  treeRow,
  type PaletteCommand,
  view,
  waitForOutput,
} from '../../host/workbench';
import { boxSays, chooseInMenu, typeAndEnter, typeCommand } from '../actionScene';
import { eventually, expect, keyOf, picture, setScene } from '../scene';
import { treeIs } from '../trees';

const everything = uiText('everything');
const live = uiText('live');
const paused = uiText('paused ({0} new)', 0);

const wayBack = {
  ArrowDown: 'ArrowUp',
  ArrowRight: 'ArrowLeft',
  'Shift+Tab': 'Tab',
  Tab: 'Shift+Tab',
} as const;

describe('Using only the keyboard', () => {
  const scene = setScene({ connected: null, size: { width: 1280, height: 1000 } });
  before(() =>
    scene.page.evaluate(`{
      globalThis.pressed = 0;
      addEventListener('mousedown', () => globalThis.pressed++, true);
    }`),
  );
  beforeEach(async () => {
    await scene.driver.run('controlPlane.resetSourcesFilter');
    await scene.forget();
  });
  afterEach(async () => {
    const pressed = await scene.page.evaluate('globalThis.pressed');
    assert.equal(pressed, 0, 'no mouse button was pressed');
  });

  /**
   * The element with the focus as a screen reader reads it, and a number of its own. Undefined: a row of a list that
   * is not drawn, because it is out of sight or about to be drawn.
   */
  const focused = (): Promise<{ id: number; text: string } | undefined> =>
    scene.page.evaluate(`{
      const element = document.activeElement;
      const row = element?.getAttribute('aria-activedescendant');
      const item = row ? document.getElementById(row) : element;
      globalThis.focusedIds ??= new WeakMap();
      globalThis.focusedCount ??= 0;
      if (item && !focusedIds.has(item)) focusedIds.set(item, ++focusedCount);
      const text = (item?.getAttribute('aria-label') ?? item?.textContent) || '';
      item && (text || !row) ? { id: focusedIds.get(item), text } : undefined;
    }`);

  /**
   * Presses a key until the element with a text that starts like this has the focus. The focus follows a moment later:
   * pressed again before that, the key would skip an element. If it follows no more, at an end or because a list was
   * drawn meanwhile, the way leads back.
   */
  async function reach(key: keyof typeof wayBack, start: string): Promise<void> {
    let direction: string = key;
    let last: number | undefined = 0;
    let unmoved = 0;
    await eventually(
      async () => {
        const at = await focused();
        if (at?.text.startsWith(start) === true) return at.text;
        const hasMoved = at?.id !== last;
        last = at?.id;
        unmoved = hasMoved ? 0 : unmoved + 1;
        const isStuck = unmoved > 0 && unmoved % 20 === 0;
        if (isStuck) direction = direction === key ? wayBack[key] : key;
        if (isStuck || (hasMoved && at !== undefined)) await scene.page.keyboard.press(direction);
        return at?.text;
      },
      (text) => text?.startsWith(start) === true,
      `${key} does not reach ${start}`,
    );
  }

  /** Opens the row with the focus, and waits for its children. */
  async function open(): Promise<void> {
    const rows = scene.page.locator('.sidebar .monaco-list-row');
    const before = await rows.count();
    await scene.page.keyboard.press('ArrowRight');
    await scene.page.locator('.monaco-list-row.focused[aria-expanded=true]').waitFor();
    await eventually(
      () => rows.count(),
      (now) => now > before,
      'the row has no children',
    );
  }

  /** Runs a command in the palette, which ignores Enter while it updates its list. */
  async function run(command: PaletteCommand): Promise<void> {
    const palette = scene.page.locator('.quick-input-widget input[aria-label^="Type the name"]');
    await typeCommand(scene, command);
    await eventually(
      async () => {
        const isOver = palette.waitFor({ state: 'hidden', timeout: 5000 });
        if (
          await isOver.then(
            () => true,
            () => false,
          )
        )
          return true;
        await scene.page.keyboard.press('Enter');
        return false;
      },
      (isOver) => isOver,
      `${command} does not run`,
    );
  }

  /** Moves the focus to the rows of a view. It would go to what is around them if there were none yet. */
  async function focusRows(name: 'logs' | 'sources', row: string): Promise<void> {
    await treeRow(scene.page, name, row).waitFor();
    await run(focusOn(name));
  }

  async function followEverything(): Promise<void> {
    await scene.connect();
    await scene.driver.run('controlPlane.followLogs', {});
    await statusBarItem(scene.page, live).waitFor();
  }
  const emit = (body: string): void => void scene.controlPlane.admin.emit([{ body }]);

  it('connects from the view and follows logs', async () => {
    const { page, controlPlane } = scene;
    await run(focusOn('sources'));
    await reach('Tab', commandTitle('connect'));
    await page.keyboard.press('Enter');
    await expect
      .poll(() => inputBox(page))
      .toMatchObject({ title: `${uiText('Connect to a Control Plane')} (1/3)` });
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: '(3/3)' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await statusBarItem(page, live).waitFor();
    emit('followed by keyboard');
    await waitForOutput(page, 'followed by keyboard');
  });

  it('discovers, opens rows, uses their context menu and filters them', async () => {
    const { page } = scene;
    await scene.driver.set({ 'controlPlane.sources': null, 'controlPlane.servers': null });
    await scene.connect();
    await run('discover');
    await boxSays(scene, '7 Selected');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    const source = uiText('{0} and {1} more', 'inventory, notifications', 1);
    await focusRows('sources', source);
    await reach('ArrowDown', source);
    await open();
    // The only environment opens by itself.
    // Rows are drawn again when the deployments come, and VS Code opens no menu in that moment.
    const rows = view(page, 'sources').locator('.monaco-list-row');
    await rows.filter({ hasText: /payments\s*running · [0-9a-f]{7}/ }).waitFor();
    await reach('ArrowDown', 'payments, running');
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'copyName');
    await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (text) => text === 'payments',
      'the name is not copied',
    );
    await reach('Shift+Tab', commandTitle('filterSources'));
    await page.keyboard.press('Enter');
    await boxSays(scene, uiText('Filter {0}', viewTitle('sources')));
    await typeAndEnter(scene, 'restart');
    await treeIs(
      page,
      'sources',
      `
      ${source}
        production main
          notifications restarting, ${uiText('desired')}: running, starting · # · n ago
      `,
    );
  });

  it('manages tails in the context menu of their rows and from the status bar', async () => {
    const { page } = scene;
    const is = (state: string): Promise<string[]> =>
      eventually(
        () => treeRows(page, 'logs'),
        (rows) => rows.some((row) => row.startsWith(`${everything} ${state}`)),
        `no row is ${state}`,
      );
    await followEverything();
    await focusRows('logs', everything);
    await reach('ArrowDown', `${everything}, ${live}`);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'pauseLogs');
    await is(paused);
    await reach('ArrowDown', `${everything}, ${paused}`);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'resumeLogs');
    await is(live);

    await run('View: Focus Status Bar');
    await reach('ArrowRight', uiText('Control Plane logs: {0}', live));
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await quickPickItems(page)).join('\n'))
      .toContain(uiText('Stop'));
    await typeAndEnter(scene, uiText('Stop'));
    await statusBarItem(page, uiText('stopped')).waitFor();
  });

  it('reads the hover of a log line, and opens the source file that it names', async () => {
    const { page } = scene;
    await followEverything();
    emit('TypeError: no\n    at priceOf (/app/web-api/src/pricing.ts:3:5)');
    await waitForOutput(page, 'pricing.ts:3:5');
    await page
      .locator('.output-view .view-line .detected-link', { hasText: 'pricing.ts:3:5' })
      .waitFor();
    await run('Output: Focus on Output View');
    await page.locator('.output-view .monaco-editor.focused').waitFor();
    // The line after the last one is empty.
    for (const key of ['Control+End', 'ArrowUp', 'End', 'ArrowLeft', 'ArrowLeft']) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+i');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'workloadName' });
    await hover.waitFor();
    await picture(scene, 'keyboard-hover');
    await page.keyboard.press('Escape');
    await hover.waitFor({ state: 'hidden' });
    await page.keyboard.press('F12');
    await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
    await statusBarItem(page, 'Ln 3, Col 5').waitFor();
  });
});
