import { assert } from 'chai';
import { treeRows } from '../host/treeRows';
import { answer, inputBox, quickPickItems, statusBarItem, waitForOutput } from '../host/workbench';
import { boxSays, chooseInMenu, typeAndEnter, typeCommand } from './actionScene';
import { eventually, keyOf, openScene, picture, type Scene } from './scene';

describe('a person without a mouse', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
    // The palette lists what was known when it was opened.
    await scene.page.locator('.activitybar').getByRole('tab', { name: 'Control Plane' }).waitFor();
    await scene.page.evaluate(`{
      globalThis.pressed = 0;
      addEventListener('mousedown', () => globalThis.pressed++, true);
    }`);
  });
  after(() => scene.close());
  afterEach(async () => {
    assert.equal(await scene.page.evaluate('globalThis.pressed'), 0, 'no button of a mouse');
  });

  /** What has the focus, as a screen reader is told; a list marks that of its items. */
  const focused = (): Promise<string> =>
    scene.page.evaluate(`{
      const element = document.activeElement;
      const item = element.querySelector('.monaco-list-row.focused') ?? element;
      item.getAttribute('aria-label') ?? item.textContent;
    }`);

  /** Presses a key until the focus is there. */
  const reach = (key: string, there: RegExp): Promise<string> =>
    eventually(
      async () => {
        const at = await focused();
        if (!there.test(at)) await scene.page.keyboard.press(key);
        return at;
      },
      (at) => there.test(at),
      `${key} leads to ${String(there)}`,
    );

  /** Runs a command of the palette, which takes no Enter while it lists anew what there is. */
  async function run(title: string): Promise<void> {
    const palette = scene.page.locator('.quick-input-widget input[aria-label^="Type the name"]');
    await typeCommand(scene, title);
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
      `${title} is run`,
    );
  }

  const emit = (body: string): void => void scene.controlPlane.admin.emit([{ body }]);

  it('connects from the view and follows', async () => {
    const { page, controlPlane } = scene;
    await run('Control Plane: Focus on Logs View');
    await reach('Tab', /^Connect…$/);
    await page.keyboard.press('Enter');
    assert.equal((await inputBox(page)).title, 'Connect to a Control Plane (1/3)');
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: 'Follow Logs (3/3)' }).waitFor();
    await page.keyboard.press('Enter');
    await statusBarItem(page, 'live').waitFor();
    emit('followed by keyboard');
    await waitForOutput(page, 'followed by keyboard');
  });

  it('discovers', async () => {
    const { page } = scene;
    await run('Control Plane: Discover…');
    await boxSays(scene, '7 Selected');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await run('Control Plane: Focus on Sources View');
    await reach('ArrowDown', /^web-api, storefront and 1 more/);
  });

  it('pauses and resumes by the menu of a row', async () => {
    const { page } = scene;
    const is = (row: RegExp): Promise<string[]> =>
      eventually(
        () => treeRows(page, 'Logs'),
        (rows) => rows.some((one) => row.test(one)),
        `a row is ${String(row)}`,
      );
    await run('Control Plane: Focus on Logs View');
    await reach('ArrowDown', /^everything, live/);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'Pause Logs');
    await is(/^everything paused/);
    await reach('ArrowDown', /^everything, paused/);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'Resume Logs');
    await is(/^everything live/);
  });

  it('reads what is known of a line, and opens the source that it names', async () => {
    const { page } = scene;
    emit('TypeError: no\n    at priceOf (/app/web-api/src/pricing.ts:3:5)');
    await waitForOutput(page, 'pricing.ts:3:5');
    await page
      .locator('.output-view .view-line .detected-link', { hasText: 'pricing.ts:3:5' })
      .waitFor();
    await run('Output: Focus on Output View');
    await page.locator('.output-view .monaco-editor.focused').waitFor();
    // Below the last line is an empty one.
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

  it('manages what is followed from the status bar', async () => {
    const { page } = scene;
    await run('View: Focus Status Bar');
    await reach('ArrowRight', /^Control Plane.*live|everything.*live/);
    await page.keyboard.press('Enter');
    assert.include((await quickPickItems(page)).join('\n'), 'Stop');
    await typeAndEnter(scene, 'Stop');
    await statusBarItem(page, 'stopped').waitFor();
  });
});
