import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { statusBarItem } from '../host/workbench';
import { chooseInMenu } from './actionScene';
import { asked, search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { eventually, picture } from './scene';

const json = '{"msg":"request completed","res":{"statusCode":503}}';
const stack =
  'TypeError: no price\n    at total (/app/web-api/src/pricing.ts:12:9)\n    at main (/nowhere/else.js:1:1)\n\n';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
/** As VS Code shows it in the list and in a copied line. */
const line =
  /^\d{4}-\d\d-\d\d [\d:.]+ \[error\] \[web-api\] TypeError: no price\n {4}.*12:9\)\n {4}.*1:1\)$/;

describe('the details of a record, by mouse and by keyboard', () => {
  const scene = setExplorer({ controlPlane: { historyRecords: 0 } });
  const rows = explorerRows(scene);
  before(() => {
    scene.controlPlane.admin.emit([
      { severity: 'info', body: 'the first one', containerId: '' },
      { severity: 'error', body: stack, traceId },
      { severity: 'info', body: json, attributes: { user: '42', path: '/api/orders' } },
      { severity: 'fatal', body: 'the last one' },
    ]);
  });
  beforeEach(async () => {
    await search(scene, 'last:1h');
    await rows.row('the last one').waitFor();
  });

  const inDetails = (name: string): Locator =>
    rows.details.getByRole('button', { name, exact: true });
  /** What is still of the record before takes neither a click nor the focus. */
  const areThere = (): Promise<void> =>
    scene.explorer.locator('.details[aria-busy=false]').waitFor();
  /** Shows a record by the mouse, or by the keyboard, which is in the details then. */
  const click = async (text: string): Promise<void> => {
    await rows.row(text).locator('.body').click();
    await areThere();
  };
  const enter = async (text: string): Promise<void> => {
    await rows.grid.focus();
    await rows.press('Home');
    for (let presses = 0; presses < 4; presses++) {
      if ((await rows.selected.innerText()).includes(text)) break;
      await rows.press('ArrowDown');
    }
    await rows.press('Enter');
    await rows.hasFocus(rows.details);
    await areThere();
  };
  const hasBody = (text: string): Promise<void> =>
    rows.details.locator('pre').filter({ hasText: text }).waitFor();

  it('open, go along with the selected row, and close', async () => {
    const { details, grid } = rows;
    await click('the first one');
    await hasBody('the first one');
    await inDetails('Close Details').click();
    await details.waitFor({ state: 'hidden' });
    await rows.hasFocus(grid);
    await rows.press('End', 'Space');
    await hasBody('the last one');
    await rows.hasFocus(grid);
    await rows.press('Home');
    await hasBody('the first one');
    await rows.press('End');
    await hasBody('the last one');
    await rows.press('Escape');
    await details.waitFor({ state: 'hidden' });
    await rows.press('Enter');
    await rows.hasFocus(details);
    await rows.press('Escape');
    await rows.hasFocus(grid);
    await rows.press('Enter');
    await rows.tabTo(inDetails('Close Details'));
    await rows.press('Enter');
    await details.waitFor({ state: 'hidden' });
    await rows.hasFocus(grid);
  });

  it('have the fields and the attributes as tables, and offer what there is alone', async () => {
    const { details } = rows;
    const actions = async (): Promise<(string | null)[]> => {
      const buttons = await details.getByRole('toolbar').getByRole('button').all();
      return Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    };
    const [trace, context] = ['Show Trace', 'Show Context'];
    const rest = ['Show Deployment', 'Show Resource', 'Copy as JSON', 'Copy Line'];
    await click('statusCode');
    const attributes = details.getByRole('grid', { name: 'Attributes' });
    const fields = details.getByRole('grid', { name: 'Fields' });
    await attributes.getByRole('row', { name: /^attr\.user 42/ }).waitFor();
    await attributes.getByRole('row', { name: /^attr\.path \/api\/orders/ }).waitFor();
    await fields.getByRole('row', { name: /^severity info/ }).waitFor();
    assert.equal(await fields.getByRole('row', { name: /^trace/ }).count(), 0);
    assert.deepEqual(await actions(), [context, ...rest]);
    await click('TypeError');
    await fields.getByRole('row', { name: `trace ${traceId}` }).waitFor();
    assert.deepEqual(await actions(), [trace, context, ...rest]);
    await picture(scene, 'explorer-details');
    await click('the first one');
    await hasBody('the first one');
    assert.deepEqual(await actions(), rest);
  });

  it('open the source of a stack frame where there is one', async () => {
    const { page } = scene;
    const link = rows.details.getByRole('link', { name: '/app/web-api/src/pricing.ts:12:9' });
    const tab = page.locator('.tab', { hasText: 'pricing.ts' });
    const isOpen = async (): Promise<void> => {
      await tab.waitFor();
      await statusBarItem(page, 'Ln 12, Col 9').waitFor();
      await page.keyboard.press('Control+w');
      await tab.waitFor({ state: 'detached' });
    };
    await click('TypeError');
    await link.click();
    await isOpen();
    await enter('TypeError');
    assert.equal(await rows.details.locator('.frame').count(), 1, 'the other one is nowhere');
    await rows.tabTo(link);
    await rows.press('Enter');
    await isOpen();
  });

  it('show JSON on many lines, or as it came', async () => {
    const body = rows.details.locator('pre');
    const toggle = rows.details.getByRole('switch', { name: 'Format JSON' });
    await click('statusCode');
    await hasBody('"statusCode": 503');
    await toggle.click();
    assert.equal(await body.innerText(), json);
    await enter('statusCode');
    await rows.tabTo(toggle);
    await rows.press('Space');
    await hasBody('"statusCode": 503');
  });

  it('copy a record, its line and a value', async () => {
    const isLine = (text: string): boolean => line.test(text);
    const isRecord = (text: string): boolean => text.startsWith('{\n') && text.endsWith('\n}');
    await click('TypeError');
    await rows.copies(() => inDetails('Copy Line').click(), isLine);
    const copied = await rows.copies(() => inDetails('Copy as JSON').click(), isRecord);
    assert.include(JSON.parse(copied) as object, { body: stack, traceId });
    await enter('TypeError');
    await rows.tabTo(inDetails('Copy as JSON'));
    assert.equal(await rows.copies(() => rows.press('Enter'), isRecord), copied);
    await rows.tabTo(inDetails('Copy Line'));
    await rows.copies(() => rows.press('Enter'), isLine);
    await rows.grid.focus();
    await rows.copies(() => rows.press('Control+c'), isLine);
    await click('statusCode');
    const value = inDetails('Copy Value: attr.path /api/orders');
    await rows.details.getByRole('row', { name: /^attr\.path/ }).hover();
    await rows.copies(
      () => value.click(),
      (text) => text === '/api/orders',
    );
    await enter('statusCode');
    await rows.tabTo(rows.details.getByRole('grid', { name: 'Attributes' }));
    await rows.press('End', 'ArrowRight', 'ArrowRight');
    await rows.hasFocus(value);
    await rows.copies(
      () => rows.press('Enter'),
      (text) => text === '/api/orders',
    );
  });

  it('are in the menu of the row, which offers what there is alone', async () => {
    const { page } = scene;
    const labels = (): Promise<string[]> =>
      page.locator('.monaco-menu .action-label:not(.separator)').allInnerTexts();
    const copies = ['Copy Line', 'Copy as JSON'];
    const offers = async (text: string, expected: readonly string[]): Promise<void> => {
      await rows.row(text).locator('.body').click({ button: 'right' });
      await rows.isSelected(text);
      await page.getByRole('menuitem', { name: 'Copy as JSON' }).waitFor();
      assert.deepEqual(await labels(), expected);
      await page.keyboard.press('Escape');
      // Who closes it is where they were.
      await rows.hasFocus(rows.grid);
    };
    await offers('TypeError', ['Show Trace', 'Show Context', ...copies]);
    await offers('statusCode', ['Show Context', ...copies]);
    await offers('the first one', copies);
    await rows.row('the last one').locator('.body').click({ button: 'right' });
    const item = page.getByRole('menuitem', { name: 'Copy as JSON' });
    await rows.copies(
      () =>
        eventually(
          async () => {
            // A menu that has just opened takes no click yet: it could belong to what opened it.
            await item.click({ timeout: 1000 }).catch(() => undefined);
            return item.count();
          },
          (count) => count === 0,
          'the menu is still there',
        ),
      (text) => text.includes('"body": "the last one"'),
    );
    await rows.hasFocus(rows.grid);
    await rows.press('Home', 'ArrowDown', 'Shift+F10');
    await rows.copies(
      () => chooseInMenu(scene, 'Copy Line'),
      (text) => line.test(text),
    );
  });

  it('add a value to the query, and exclude it', async () => {
    const { details } = rows;
    const attribute = { key: 'user', value: '42' };
    const hasQuery = (query: string): Promise<string> =>
      eventually(
        () => scene.bar.inputValue(),
        (text) => text === query,
        'the query',
      );
    const all = async (): Promise<void> => {
      await search(scene, 'last:1h');
      await rows.hasCount(4);
    };
    await click('statusCode');
    await details.getByRole('row', { name: /^attr\.user/ }).hover();
    const byMouse = await asked(scene, () => inDetails('Add to Query: attr.user 42').click());
    assert.deepEqual(byMouse.filters['attributes'], [attribute]);
    await hasQuery('attr.user=42 last:1h');
    await rows.hasCount(1);

    await all();
    await enter('statusCode');
    await rows.tabTo(details.getByRole('grid', { name: 'Attributes' }));
    const byKeyboard = await asked(scene, () => rows.press('Enter'));
    assert.deepEqual(byKeyboard.filters['attributes'], [attribute]);
    await rows.hasCount(1);

    await all();
    await click('the last one');
    await details.getByRole('row', { name: /^severity/ }).hover();
    const without = await asked(scene, () => inDetails('Exclude: severity fatal').click());
    assert.notInclude(without.filters['severities'] as string[], 'fatal');
    await rows.hasCount(3);

    await all();
    await enter('TypeError');
    await rows.tabTo(details.getByRole('grid', { name: 'Fields' }));
    await rows.press('ArrowDown', 'ArrowRight');
    await rows.hasFocus(inDetails('Exclude: severity error'));
    const less = await asked(scene, () => rows.press('Enter'));
    assert.notInclude(less.filters['severities'] as string[], 'error');
    await rows.hasCount(3);
  });
});
