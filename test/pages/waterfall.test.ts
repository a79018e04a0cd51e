import { assert } from 'chai';
import type { Locator } from 'playwright';
import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { expect } from '../host/expect';
import { setExplorerPage } from './explorerScene';
import type { RecordParts } from './explorerSide';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const start = Date.parse('2026-11-20T12:00:00Z');

/** A record of the trace, so many milliseconds after its start. */
function at(milliseconds: number, parts: RecordParts): RecordParts {
  const timestamp = new Date(start + milliseconds).toISOString();
  return { timestamp, traceId, workloadId: parts.workloadName ?? '', ...parts };
}

const web = { workloadName: 'web-api', spanId: '00f067aa0ba902b7' };
const payments = { workloadName: 'payments' };
const trace = [
  at(0, { ...web, body: 'checkout started' }),
  at(120, { ...payments, spanId: 'b7ad6b7169203331', body: 'charging' }),
  at(160, { ...payments, spanId: 'c8be6b7169203332', body: 'no answer', severity: 'warn' }),
  at(1760, { ...payments, spanId: 'b7ad6b7169203331', body: 'gave up', severity: 'error' }),
  at(2000, { ...web, body: 'request completed' }),
];

describe('waterfall of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  const { button } = scene;
  const waterfall = (): Locator => scene.page.locator('.waterfall');
  const lines = (): Locator => waterfall().getByRole('row');
  const ticks = (line: number): Locator => lines().nth(line).locator('.tick');
  /** The share of the width that is before an element, and that of itself. */
  const places = async (parts: Locator): Promise<readonly (readonly [number, number])[]> => {
    const axis = (await waterfall().locator('.bars').first().boundingBox())!;
    const all = await parts.all();
    const boxes = await Promise.all(all.map((part) => part.boundingBox()));
    const share = (pixels: number): number => Math.round((pixels / axis.width) * 100);
    return boxes.map((box) => [share(box!.x - axis.x), share(box!.width)]);
  };

  describe('with a trace', () => {
    beforeEach(async () => {
      scene.panel.show({ isTrace: true });
      scene.panel.find(...trace);
      await lines().first().waitFor();
    });

    it('has bars, silences and ticks where the records are, in words, too, and passes axe', async () => {
      await expect(lines().locator('.name')).toHaveText([
        pageText('waterfall.whole'),
        'web-api',
        'payments',
        pageText('waterfall.span', 'b7ad6b7169203331'),
        pageText('waterfall.span', 'c8be6b7169203332'),
      ]);
      const words = [
        ['+120 ms', '1.64 sec', '3 records', 'error: 1', 'warning: 1', 'nothing for 1.6 sec'],
        ['+120 ms', '1.64 sec', '2 records', 'error: 1', 'nothing for 1.64 sec'],
      ].map((parts) => parts.join(' · '));
      await expect(lines().nth(2).locator('.words')).toHaveText(words[0] ?? '');
      await expect(lines().nth(3).locator('.words')).toHaveText(words[1] ?? '');
      await expect(lines().nth(2).locator('.name button')).toHaveAccessibleName(
        'payments: from 120 ms to 1.76 sec after the first record, 3 records, error: 1, warning: 1, nothing for 1.6 sec',
      );
      await expect(lines().nth(2)).toHaveAttribute('aria-level', '2');
      const times = waterfall().locator('.waterfall-axis span');
      await expect(times).toHaveText(['+0 ms', '+500 ms', '+1 sec', '+1.5 sec']);
      await expect
        .poll(async () => (await places(times)).filter(([before, width]) => before + width > 100))
        .toEqual([]);
      await expect
        .poll(() => places(lines().nth(2).locator('.bar')))
        .toEqual([
          [6, 2],
          [88, 0],
        ]);
      await expect.poll(() => places(lines().nth(2).locator('.nothing'))).toEqual([[8, 80]]);
      await expect(ticks(2)).toHaveCount(3);
      // What is bad has an icon: colour is not its only sign.
      await expect(ticks(2).last().locator('.codicon-error')).toBeVisible();
      await expect(ticks(2).nth(1).locator('.codicon-warning')).toBeVisible();
      await expect(ticks(2).first().locator('.codicon')).toHaveCount(0);
      await expect(ticks(2).last()).toHaveAccessibleName('+1.76 sec · error · gave up');
      await scene.isAccessible();
    });

    it('shows a record of the list by click and by keyboard', async () => {
      await ticks(2).last().click();
      await rows.isSelected('gave up');
      await expect(waterfall().locator('.with-mark')).toBeVisible();
      await rows.grid.focus();
      await rows.press('Shift+Tab');
      await rows.hasFocus(ticks(2).last());
      await rows.press('ArrowLeft');
      await rows.hasFocus(ticks(2).nth(1));
      await rows.press('Space');
      await rows.isSelected('no answer');
      await rows.hasFocus(ticks(2).nth(1));
      await rows.press('ArrowLeft', 'ArrowLeft', 'ArrowUp');
      await rows.hasFocus(lines().nth(1).locator('.name button'));
      await rows.press('Enter');
      await rows.isSelected('checkout started');
      await rows.hasFocus(rows.grid);
      await ticks(2).first().focus();
      await rows.press('Escape');
      await rows.hasFocus(rows.grid);
    });

    it('is closed, stays closed and comes back by the toolbar', async () => {
      await expect(button('toolbar.waterfall')).toHaveAttribute('aria-pressed', 'true');
      await button('waterfall.close').click();
      await expect(waterfall()).toBeHidden();
      await rows.hasFocus(rows.grid);
      assert.equal(scene.panel.of('layOut').at(-1)?.layout.hasWaterfall, false);
      await scene.reload();
      await expect(button('toolbar.waterfall')).toHaveAttribute('aria-pressed', 'false');
      const asked = scene.panel.of('waterfall').length;
      scene.panel.find(...trace, at(2100, { ...web, body: 'one more' }));
      await rows.isInView('one more');
      assert.lengthOf(scene.panel.of('waterfall'), asked, 'it costs nothing while it is closed');
      await button('toolbar.waterfall').click();
      await expect(lines()).toHaveCount(5);
      await expect(ticks(0)).toHaveCount(6);
    });

    it('has what is followed, and keeps the focus', async () => {
      await ticks(2).last().focus();
      scene.panel.add(
        // By a clock that is late.
        at(140, { ...payments, spanId: 'b7ad6b7169203331', body: 'charging again' }),
        at(4000, { ...payments, spanId: 'd9', body: 'refunded' }),
      );
      await expect(lines()).toHaveCount(6);
      await expect(ticks(0)).toHaveCount(7);
      await expect(scene.focused()).toHaveAccessibleName('+1.76 sec · error · gave up');
    });

    it('is readable in a narrow page', async () => {
      await scene.page.setViewportSize({ width: 300, height: 800 });
      const name = lines().nth(2).locator('.name');
      const bars = lines().nth(2).locator('.bars');
      await expect
        .poll(async () => (await bars.boundingBox())!.y - (await name.boundingBox())!.y)
        .toBeGreaterThan(10);
      await expect.poll(async () => (await bars.boundingBox())!.width).toBeGreaterThan(240);
    });
  });

  it('is there for a trace only', async () => {
    scene.panel.find(...trace);
    await rows.isInView('request completed');
    await expect(waterfall()).toBeHidden();
    await expect(button('toolbar.waterfall')).toHaveCount(0);
    scene.panel.show({ isTrace: true });
    await expect(lines()).toHaveCount(5);
    scene.panel.show({ isTrace: false });
    await expect(waterfall()).toBeHidden();
    assert.lengthOf(scene.panel.of('waterfall'), 1);
  });
});
