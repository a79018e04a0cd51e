import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually, inEachLook, picture } from './scene';
import { findings, openExplorer, search, type ExplorerScene } from './explorerPage';

/** What is used of an element in the page; the tests are not compiled against the DOM. */
interface PageElement {
  readonly scrollTop: number;
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
  const clipboard = (): Promise<string> =>
    scene.page.evaluate<string>('navigator.clipboard.readText()');
  const top = (): Promise<number> => grid.evaluate((element: PageElement) => element.scrollTop);

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
    await press('PageUp', 'Home');
    assert.equal(await selected().getAttribute('aria-rowindex'), '2');
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
    const box = await selected().boundingBox();
    const frame = await grid.boundingBox();
    assert.isAtLeast(box!.y, frame!.y, 'and in view');
    assert.isAtMost(box!.y, frame!.y + frame!.height);
    await eventually(
      async () => {
        await press('Home');
        return scene.explorer.getByText('Start of the range').count();
      },
      Boolean,
      'the start',
    );
    assert.equal(await count(), 4007, 'everything, and the header');
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

  it('opens the details by keyboard, with the source of a stack frame', async () => {
    await press('Enter');
    await hasFocus(details);
    await details.getByRole('link', { name: '/app/web-api/src/pricing.ts:12:9' }).waitFor();
    assert.equal(await details.locator('.frame').count(), 1, 'the other one is nowhere');
    await picture(scene, 'explorer-details');
    await press('Escape');
    await hasFocus(grid);
    await press('ArrowDown');
    await details.getByText('"statusCode": 503').waitFor();
    await press('Escape');
    await details.waitFor({ state: 'hidden' });
    await press('ArrowUp', 'Enter');
    await details.getByRole('link', { name: '/app/web-api/src/pricing.ts:12:9' }).click();
    await scene.page.locator('.tab', { hasText: 'pricing.ts' }).waitFor();
    await scene.page.keyboard.press('Control+w');
  });

  it('shows JSON on many lines or as it came, and copies values, lines and records', async () => {
    await row('statusCode').last().click();
    const body = details.locator('pre');
    await body.getByText('"statusCode": 503').waitFor();
    await details.getByRole('switch', { name: 'Format JSON' }).click();
    assert.equal(await body.innerText(), json);
    await details.getByRole('switch', { name: 'Format JSON' }).click();
    const copies = async (name: string, expected: RegExp): Promise<void> => {
      await details.getByRole('button', { name }).click();
      await eventually(clipboard, (text) => expected.test(text), name);
    };
    await copies('Copy Value: attr.path /api/orders', /^\/api\/orders$/);
    await copies('Copy as JSON', /^\{[^]*"eventId": "[^]*\}$/);
    await copies('Copy Line', /^\d{4}-\d\d-\d\d .* \[info\] .*request completed/);
    await grid.focus();
    await press('ArrowUp', 'Control+c');
    await eventually(clipboard, (text) => text.includes('TypeError: no price'), 'the line');
  });

  it('has a menu on its rows, by mouse and by keyboard', async () => {
    const item = (name: string): Locator => scene.page.getByRole('menuitem', { name });
    await row('out of memory').last().click({ button: 'right' });
    await isSelected('out of memory');
    await item('Show Trace').waitFor();
    await eventually(
      async () => {
        // A menu that has just opened takes no click yet: it could belong to what opened it.
        if (await item('Copy as JSON').isVisible()) await item('Copy as JSON').click();
        return clipboard();
      },
      (text) => /^\{[^]*"out of memory"/.test(text),
      'the record',
    );
    await grid.focus();
    await press('ArrowDown', 'ContextMenu');
    await item('Copy Line').waitFor();
    const focused = scene.page.locator('.monaco-menu .action-item.focused');
    await eventually(
      async () => {
        await press('ArrowDown');
        return focused.innerText();
      },
      (text) => text.includes('Copy Line'),
      'the item',
    );
    await press('Enter');
    await eventually(clipboard, (text) => text.trimEnd().endsWith('the last one'), 'the line');
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

  it('adds to the query and excludes, by mouse and by keyboard', async () => {
    await row('statusCode').last().click();
    const value = details.getByRole('row', { name: /^attr\.user/ });
    await value.hover();
    await value.getByRole('button', { name: 'Add to Query: attr.user 42' }).click();
    await eventually(
      () => scene.bar.inputValue(),
      (text) => text.includes('attr.user=42'),
      'query',
    );
    await eventually(
      async () => grid.getAttribute('aria-rowcount'),
      (count) => count === '2',
      'one record has it',
    );
    await search(scene, 'last:2d');
    await row('the last one').waitFor();
    await grid.focus();
    await press('End', 'ArrowUp', 'Enter');
    await hasFocus(details);
    await details.getByRole('grid', { name: 'Fields' }).waitFor();
    const exclude = details.getByRole('button', { name: 'Exclude: severity fatal' });
    for (let tabs = 0; tabs < 15; tabs++) {
      if (await details.locator('.values :focus').count()) break;
      await press('Tab');
    }
    await press('ArrowDown', 'ArrowRight');
    await hasFocus(exclude);
    await press('Enter');
    await eventually(
      () => scene.bar.inputValue(),
      (text) => text.startsWith('severity:trace,'),
      'the query',
    );
    await row('the last one').waitFor();
    await eventually(
      () => row('out of memory').count(),
      (count) => count === 0,
      'it is gone',
    );
  });

  it('shows the context of a record, which stays in view and selected', async () => {
    await search(scene, 'last:2d "no price"');
    await row('TypeError: no price').click();
    await details.getByRole('button', { name: 'Show Context' }).click();
    await row('before the special ones').or(grid.locator('.in-focus')).first().waitFor();
    await isSelected('TypeError: no price');
    assert.isAbove(Number(await grid.getAttribute('aria-rowcount')), 2);
    await details.getByText('TypeError: no price').waitFor();
  });

  it('follows from here: scrolling up pauses, a button shows what is new', async () => {
    const { admin } = scene.controlPlane;
    await search(scene, 'last:2d');
    await row('the last one').waitFor();
    await scene.explorer.getByRole('button', { name: 'Follow' }).click();
    await eventually(
      () => Promise.resolve(admin.streams()),
      (count) => count > 0,
      'no stream',
    );
    admin.emit([{ body: 'live one' }]);
    await row('live one').waitFor();
    const atEnd = await top();
    await grid.hover();
    await scene.page.mouse.wheel(0, -300);
    const goOn = scene.explorer.locator('.go-on');
    await goOn.waitFor();
    const stands = await top();
    assert.isBelow(stands, atEnd);
    admin.emit([{ body: 'live two' }, { body: 'live three' }]);
    await goOn.filter({ hasText: '2 New' }).waitFor();
    assert.equal(await top(), stands);
    await picture(scene, 'explorer-paused');
    await goOn.click();
    await row('live three').waitFor();
    await goOn.waitFor({ state: 'hidden' });
    admin.emit([{ body: 'live four' }]);
    await row('live four').waitFor();
  });
});
