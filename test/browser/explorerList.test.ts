import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually, inEachLook, picture } from './scene';
import { findings, openExplorer, search, type ExplorerScene } from './explorerPage';

/** What is used of an element in the page; the tests are not compiled against the DOM. */
interface PageElement {
  matches(selector: string): boolean;
}

/** Bodies that would act, were they anything but text. */
const hostile = {
  body: '<img src=x onerror="document.title=1"><script>document.title=2</script> \u001b[31mred\u001b]8;;https://evil.example\u0007link \u202eabc [x](command:y)',
  attributes: JSON.parse(
    '{"__proto__":"own","<b>bold</b>":"</script><script>document.title=3</script>","id":"9007199254740993"}',
  ) as Record<string, string>,
};
const json = '{"msg":"request completed","res":{"statusCode":503}}';
const stack =
  'TypeError: no price\n    at total (/app/web-api/src/pricing.ts:12:9)\n    at main (/nowhere/else.js:1:1)';

describe('the list of the Log Explorer', () => {
  let scene: ExplorerScene;
  let grid: Locator;
  let details: Locator;
  before(async () => {
    scene = await openExplorer({ historyRecords: 4000 });
    scene.controlPlane.admin.emit([
      { severity: 'info', body: 'before the special ones' },
      { severity: 'error', body: stack },
      { severity: 'info', body: json, attributes: { user: '42', path: '/api/orders' } },
      { severity: 'warn', ...hostile },
      { severity: 'fatal', body: 'out of memory', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
      { severity: 'info', body: 'the last one' },
    ]);
    grid = scene.explorer.getByRole('grid', { name: 'Log Records' });
    details = scene.explorer.locator('.details');
    await search(scene, 'last:2d');
    await row('the last one').waitFor();
  });
  after(() => scene.close());

  const row = (text: string | RegExp): Locator => grid.getByRole('row').filter({ hasText: text });
  const selected = (): Locator => grid.locator('[role=row][aria-selected=true]');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await scene.page.keyboard.press(key);
  };
  const isSelected = (text: string | RegExp): Promise<void> =>
    selected().filter({ hasText: text }).waitFor();
  const hasFocus = (what: Locator): Promise<unknown> =>
    eventually(
      () => what.evaluate((element: PageElement) => element.matches(':focus, :focus-within')),
      Boolean,
      'it has no focus',
    );

  it('begins at its newest end, and goes through it by keyboard, as screen readers are told', async () => {
    await grid.focus();
    await press('End');
    await isSelected('the last one');
    await press('ArrowUp');
    await isSelected('out of memory');
    const active = selected();
    assert.equal(
      await active.getAttribute('id'),
      await grid.getAttribute('aria-activedescendant'),
      'the selected row is the active one',
    );
    const count = Number(await grid.getAttribute('aria-rowcount'));
    assert.equal(await active.getAttribute('aria-rowindex'), String(count - 1));
    assert.match(await active.innerText(), /^\d{4}-.*\sfatal\s.*\sout of memory$/s);
    await press('PageUp');
    assert.isBelow(Number(await selected().getAttribute('aria-rowindex')), count - 2);
  });

  it('goes to the next and the previous error', async () => {
    await press('End', 'Shift+F8');
    await isSelected('out of memory');
    await press('Shift+F8');
    await isSelected('TypeError: no price');
    await press('F8');
    await isSelected('out of memory');
  });

  it('loads what is older where its top is reached, and stays where it is', async () => {
    const count = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'));
    const before = await count();
    await press('Home');
    const first = await selected().innerText();
    await eventually(count, (now) => now > before, 'nothing older came');
    assert.equal(await selected().innerText(), first, 'the same row is selected');
    await eventually(
      async () => [await selected().boundingBox(), await grid.boundingBox()],
      ([box, frame]) => !!box && !!frame && box.y >= frame.y && box.y < frame.y + frame.height,
      'and in view',
    );
    await eventually(
      async () => {
        await press('Home');
        return scene.explorer.getByText('Start of the range').count();
      },
      Boolean,
      'the start',
    );
    await eventually(count, (now) => now === 4007, 'everything, and the header');
  });

  it('finds text within, by keyboard', async () => {
    await press('Control+f');
    const find = scene.explorer.getByRole('textbox', { name: 'Find in Loaded Records' });
    await hasFocus(find);
    await scene.page.keyboard.type('OUT OF MEM');
    await isSelected('out of memory');
    await scene.explorer.getByText(/^\d+ of \d+$/).waitFor();
    await scene.page.keyboard.type('!');
    await scene.explorer.getByText('No Results').waitFor();
    await press('Backspace');
    assert.equal(await row('out of memory').last().locator('mark').innerText(), 'out of mem');
    await picture(scene, 'explorer-find');
    await press('Escape');
    await hasFocus(grid);
    assert.equal(await grid.locator('mark').count(), 0);
  });

  it('wraps long lines and takes it back, and the selected row stays in view', async () => {
    await press('End', 'Shift+F8', 'Shift+F8');
    const height = async (): Promise<number> => (await selected().boundingBox())!.height;
    const low = await height();
    await press('Alt+z');
    await eventually(height, (now) => now > 2 * low, 'it has three lines');
    await press('Alt+z');
    await eventually(height, (now) => now === low, 'it has one');
    await isSelected('TypeError');
  });

  it('F54 F55 F58 F59 shows hostile bodies and attributes as text', async () => {
    await row('document.title=2').last().click();
    await details.getByText('attr.__proto__').waitFor();
    const text = await details.innerText();
    for (const part of [
      '<img src=x onerror="document.title=1">',
      'attr.<b>bold</b>',
      '</script><script>document.title=3</script>',
      '9007199254740993',
    ]) {
      assert.include(text, part);
    }
    for (const sign of ['\u001b', '\u202e', '\u0007']) assert.notInclude(text, sign);
    assert.equal(await scene.explorer.locator('#page img, #page script, #page b').count(), 0);
    assert.equal(await scene.explorer.locator('head title').innerText(), 'Log Explorer');
    await picture(scene, 'explorer-hostile');
  });

  it('moves the border of the details by keyboard and by mouse', async () => {
    const splitter = scene.explorer.getByRole('separator', { name: 'Size of the Details' });
    const width = async (): Promise<number> => (await details.boundingBox())!.width;
    const height = async (): Promise<number> => (await details.boundingBox())!.height;
    await scene.page.setViewportSize({ width: 1700, height: 900 });
    await eventually(height, (now) => now > 400, 'beside the list');
    const before = await width();
    await splitter.focus();
    await press('ArrowLeft');
    await eventually(width, (now) => now > before, 'wider');
    await scene.page.setViewportSize({ width: 1000, height: 800 });
    await eventually(height, (now) => now < 400, 'below the list');
    const low = await height();
    const box = (await splitter.boundingBox())!;
    await scene.page.mouse.move(box.x + 50, box.y);
    await scene.page.mouse.down();
    await scene.page.mouse.move(box.x + 50, box.y - 40, { steps: 4 });
    await scene.page.mouse.up();
    await eventually(height, (now) => Math.abs(now - low - 40) < 6, 'it went with the mouse');
    await picture(scene, 'explorer-700');
    const [list, chosen] = [await grid.boundingBox(), await selected().boundingBox()];
    assert.isAtMost(chosen!.y + chosen!.height, list!.y + list!.height, 'the row is still in view');
    await scene.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has nothing that axe finds, in any look', async () => {
    await inEachLook(scene.page, async (look) => {
      assert.deepEqual(await findings(scene), [], look);
    });
  });
});
