import { assert } from 'chai';
import type { Locator } from 'playwright';
import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { uiPattern } from '../host/texts';
import { defaultLayout, rowFields } from '../../src/logs/explorer/protocol/view';
import { setExplorerPage } from './explorerScene';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

const [time, severity, workload] = [
  pageText('listTime'),
  pageText('listSeverity'),
  pageText('listWorkload'),
];

describe('columns of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  beforeEach(async () => {
    scene.panel.find(
      { body: 'order paid', traceId: trace, attributes: { user: 'ann' } },
      { body: 'nothing to do' },
      { body: 'no stock', severity: 'error', traceId: trace, attributes: { user: 'ann' } },
      { body: 'the last one', attributes: { user: 'bob\u202e' } },
    );
    await rows.isInView('the last one');
  });

  const headings = (): Promise<string[]> =>
    scene.explorer.getByRole('columnheader').allInnerTexts();
  const have = (...names: string[]): Promise<unknown> =>
    eventually(
      headings,
      (now) => now.join() === [...names, pageText('listBody')].join(),
      'the columns',
    );
  const heading = (name: string): Locator => scene.explorer.locator('.heading', { hasText: name });
  const widthOf = async (name: string): Promise<number> =>
    (await heading(name).boundingBox())!.width;
  const addUser = async (): Promise<void> => {
    await rows.row('the last one').click();
    const user = rows.details.getByRole('row', { name: /^attr\.user/ });
    await user.hover();
    await user.getByRole('button', { name: pageText('detailsColumn') }).click();
    await have(time, severity, workload, 'attr.user');
  };

  it('show workloads whole rather than dates in a narrow list', async () => {
    await scene.page.setViewportSize({ width: 640, height: 800 });
    scene.panel.find({
      body: 'the only one',
      severity: 'warn',
      workloadName: 'notifications',
    });
    const isWhole = (): Promise<boolean> =>
      rows
        .row('the only one')
        .locator('.workload')
        .evaluate(
          ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
            scrollWidth <= clientWidth,
        );
    await eventually(isWhole, Boolean, 'the workload is whole');
  });

  it('are added from the details, with the values of all rows, and keep the selection', async () => {
    await addUser();
    await rows.row('order paid').locator('.value', { hasText: 'ann' }).waitFor();
    const own = rows.row('the last one').locator('.value');
    await expect.poll(() => own.innerText()).toBe('bob\\u{202e}');
    await expect.poll(() => rows.row('nothing to do').locator('.value').innerText()).toBe('');
    await rows.isSelected('the last one');
    const button = rows.details.getByRole('button', {
      name: `${pageText('detailsColumn')}: attr.user`,
    });
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await scene.isAccessible();
    await rows.details.getByRole('row', { name: /^attr\.user/ }).hover();
    await button.click();
    await have(time, severity, workload);
  });

  it('are moved, resized and removed by keyboard, and said', async () => {
    const { explorer } = scene;
    await addUser();
    await scene.button('detailsClose').click();
    await rows.hasFocus(rows.grid);
    await rows.tabTo(heading(time));
    await rows.press('End');
    await rows.hasFocus(heading('attr.user'));
    await rows.press('Control+ArrowLeft');
    await have(time, severity, 'attr.user', workload);
    await rows.hasFocus(heading('attr.user'));
    const said = explorer.getByRole('status').filter({
      hasText: pageText('columns.moved', 'attr.user', 3, 5),
    });
    await said.waitFor({ state: 'attached' });
    const before = await widthOf('attr.user');
    await rows.press('Shift+ArrowRight', 'Shift+ArrowRight');
    await eventually(
      () => widthOf('attr.user'),
      (now) => now > before,
      'wider',
    );
    await rows.press('Enter');
    const menu = explorer.getByRole('menu', { name: pageText('columns.menu') });
    await menu.getByRole('menuitem', { name: pageText('columns.fit') }).waitFor();
    await scene.isAccessible();
    await rows.press('Escape');
    await rows.hasFocus(heading('attr.user'));
    await rows.press('ArrowLeft', 'Delete');
    await have(time, 'attr.user', workload);
    await rows.hasFocus(heading('attr.user'));
    await rows.press('Escape');
    await rows.hasFocus(rows.grid);
  });

  it('are resized by mouse', async () => {
    const { page } = scene;
    await addUser();
    await scene.button('detailsClose').click();
    const sizer = heading(workload).locator('..').locator('.sizer');
    const box = (await sizer.boundingBox())!;
    const before = await widthOf(workload);
    await page.mouse.move(box.x + box.width / 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 60, box.y + 5, { steps: 4 });
    await page.mouse.up();
    await eventually(
      () => widthOf(workload),
      (now) => Math.abs(now - before - 60) < 12,
      'it went with the mouse',
    );
    const [layout] = scene.panel.of('layOut').slice(-1);
    const width = layout?.layout.columns.find(({ field }) => field === 'workload')?.width ?? 0;
    assert.isAbove(width, 'web-api'.length);
  });

  it('leave the body its space, however many there are', async () => {
    const { page, explorer, panel } = scene;
    const more = ['service', 'stream', 'env', 'trace', 'spanId', 'server', 'deployment'];
    const names = [...more, 'preview', 'container'];
    const columns = [...rowFields, ...names].map((field) => ({ field }));
    panel.layOut({ ...defaultLayout, columns });
    await have(time, severity, workload, ...names);
    await page.setViewportSize({ width: 900, height: 800 });
    const end = async (of: Locator): Promise<number> => {
      const { x, width } = (await of.boundingBox())!;
      return x + width;
    };
    const body = rows.row('the last one').locator('.body');
    const row = explorer.locator('.list .row').first();
    await eventually(
      async () => (await end(row)) - (await end(body)),
      (left) => left >= 0,
      'the body ends in its row',
    );
    await expect.poll(async () => (await body.boundingBox())?.width).toBeGreaterThan(100);
  });
});

describe('times of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  beforeEach(async () => {
    scene.panel.find({ body: 'only one' });
    await rows.isInView('only one');
  });

  it('are absolute, relative or both, with the exact time as tooltip', async () => {
    const time = (): Locator => rows.row('only one').locator('.time');
    const text = (): Promise<string> => time().innerText();
    const is = (pattern: RegExp): Promise<unknown> =>
      eventually(text, (now) => pattern.test(now), String(pattern));
    const choose = async (name: string): Promise<void> => {
      await scene.button('toolbar.more').click();
      await scene.explorer.getByRole('menuitemradio', { name, exact: true }).click();
    };
    await is(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
    const exact = await text();
    await choose(pageText('time.relative'));
    await is(/^\d+[sm] ago$/);
    const before = await text();
    await eventually(text, (now) => now !== before, 'time passes');
    await expect(time()).toHaveAttribute('title', exact);
    await choose(pageText('time.both'));
    await is(/^\d{4}-.*\d\s*\d+[sm] ago$/);
    await scene.button('toolbar.more').click();
    const item = scene.explorer.getByRole('menuitemradio', { name: pageText('time.both') });
    await expect(item).toHaveAttribute('aria-checked', 'true');
    await scene.isAccessible();
    await rows.press('Escape');
  });
});

describe('traces of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  beforeEach(async () => {
    scene.panel.find(
      { body: 'order received', traceId: trace },
      { body: 'nothing to do' },
      { body: 'no stock', severity: 'error', traceId: trace },
    );
    await rows.isInView('no stock');
    await scene.button('toolbar.byTrace').click();
    await line('nothing to do').waitFor();
  });

  const grid = (): Locator => scene.explorer.getByRole('treegrid', { name: pageText('listLabel') });
  const line = (text: string | RegExp): Locator =>
    grid().getByRole('row').filter({ hasText: text });
  const selected = (): Locator => grid().locator('[role=row][aria-selected=true]');
  const anyTrace = uiPattern('{0} records in {1}');
  const isOpen = (open: boolean): Promise<unknown> =>
    line(anyTrace)
      .and(scene.explorer.locator(`[aria-expanded=${open}]`))
      .waitFor();

  it('are one row each with the worst severity, opened in place by keyboard and mouse', async () => {
    const inTrace = grid().locator('[role=row][aria-level="2"]');
    await isOpen(false);
    const ofTwo = uiPattern('{0} records in {1}', 2, /.*order received$/);
    await expect(line(ofTwo)).toHaveCount(1);
    await expect(line(anyTrace)).toHaveAttribute('data-severity', 'error');
    await expect(inTrace).toHaveCount(0);
    await grid().focus();
    await rows.press('Home', 'ArrowRight');
    await isOpen(true);
    await expect(inTrace).toHaveCount(2);
    await scene.isAccessible();
    await rows.press('ArrowRight');
    await selected().filter({ hasText: 'order received' }).and(inTrace).waitFor();
    await rows.press('ArrowLeft', 'ArrowLeft');
    await isOpen(false);
    await rows.press('Enter');
    await isOpen(true);
    await line(anyTrace).click();
    await isOpen(false);
    await scene.button('toolbar.byTrace').click();
    await rows.row('order received').and(rows.selected).waitFor();
    await rows.hasCount(3);
  });
});
