import { assert } from 'chai';
import type { Locator } from 'playwright';
import { pageText } from '../browser/explorer/pageTexts';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { inPage } from '../host/pageFrame';
import { escaped, uiPattern } from '../host/texts';
import { setExplorerPage } from './explorerScene';

const hour = 3_600_000;

describe('histogram of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const { becomes, button, ran } = scene;
  beforeEach(async () => {
    const now = Date.now();
    const severities = ['info', 'warn', 'error'] as const;
    scene.panel.find(
      ...Array.from({ length: 360 }, (_, index) => ({
        body: `record ${index}.`,
        severity: severities[index % 3] ?? 'info',
        timestamp: new Date(now - (360 - index) * 60_000).toISOString(),
      })),
    );
    await scene.search('last:6h');
    await bars().waitFor();
  });

  const bars = (): Locator => scene.page.getByRole('slider', { name: pageText('histogram.label') });
  const zoomOut = (): Locator => button('histogram.zoomOut');
  /** The length of the range of a query, in milliseconds. */
  const lengthOf = (query: string): number => {
    const [from = '', to = ''] = [...query.matchAll(/(?:from|to):(\S+)/g)].map(([, at]) => at);
    return Date.parse(to) - Date.parse(from);
  };
  const isAllAgain = async (action: () => Promise<unknown>): Promise<void> => {
    await ran(action);
    await becomes('last:6h');
    await zoomOut().waitFor({ state: 'hidden' });
  };

  it('is as wide as the page', async () => {
    const { page } = scene;
    const width = async (): Promise<number> =>
      (await page.locator('.bars canvas').boundingBox())!.width;
    for (const wide of [1280, 700]) {
      await page.setViewportSize({ width: wide, height: 800 });
      await eventually(width, (now) => Math.abs(now - wide) < 40, 'the width of the plot');
    }
  });

  it('narrows the range by dragging and clicking', async () => {
    const { page } = scene;
    const box = (await bars().boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 30, { steps: 5 });
    const dragged = await ran(() => page.mouse.up());
    assert.isBelow(lengthOf(dragged), 4 * hour);
    await becomes(dragged);
    const option = page.locator('.query-line select option:checked');
    await expect(option).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d(?!.*[TZ])/);
    await isAllAgain(() => zoomOut().click());

    const middle = [box.x + box.width / 2, box.y + 20] as const;
    const clicked = await ran(() => page.mouse.click(...middle));
    assert.isBelow(lengthOf(clicked), hour / 2);
    await isAllAgain(() => zoomOut().click());

    // With Shift, the mouse extends the selection of the keys.
    await bars().focus();
    await page.keyboard.press('Home');
    await page.keyboard.down('Shift');
    const extended = await ran(() => page.mouse.click(...middle));
    await page.keyboard.up('Shift');
    assert.isAbove(lengthOf(extended), 2 * hour);
  });

  it('narrows the range by keyboard', async () => {
    const { page, panel } = scene;
    /** What screen readers say of the bars that are chosen. */
    const chosen = async (): Promise<string> => (await bars().getAttribute('aria-valuetext')) ?? '';
    /** What they say of several bars. */
    const several = (count?: number): RegExp => uiPattern('{0}, {1} bars: {2}', undefined, count);
    await bars().focus();
    await page.keyboard.press('Home');
    await expect.poll(chosen).toMatch(uiPattern('{0}: {1}', /\d\d:\d\d.*/, /.+/));
    const before = panel.searches.length;
    await page.keyboard.press('Shift+PageDown');
    await expect.poll(chosen).toMatch(several(11));
    await page.keyboard.press('Escape');
    await expect.poll(chosen).not.toMatch(several());
    await expect(bars()).toHaveAttribute('aria-valuenow', '11');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(chosen).toMatch(several(2));
    assert.lengthOf(panel.searches, before);
    const narrowed = await ran(() => page.keyboard.press('Enter'));
    assert.match(narrowed, /^from:/);
    await becomes(narrowed);
    await zoomOut().focus();
    await isAllAgain(() => page.keyboard.press('Enter'));
  });

  it('says where loading the whole range stopped, and goes on from there', async () => {
    const { page, panel } = scene;
    const shown = (rest: typeof panel.rest): void => {
      panel.rest = rest;
      panel.show({});
    };
    shown('canLoad');
    await button('histogram.loadWhole').click();
    shown('loading');
    await scene.page
      .locator('.histogram')
      .getByRole('button', { name: pageText('query.cancel') })
      .waitFor();
    shown('stopped');
    await expect(page.locator('.stopped')).toHaveText(
      uiPattern('Loaded so far: {0}', /.*\d\d:\d\d.*/),
    );
    await button('histogram.loadOn').click();
    await expect.poll(() => panel.of('loadWhole').length).toBe(2);
    // The focus stays in the histogram when the button goes.
    shown(undefined);
    await expect(bars()).toBeFocused();
    await expect(page.locator('.stopped')).toHaveText('');
  });

  it('does not say every change while records are followed', async () => {
    const { page, panel } = scene;
    panel.show({ following: { state: 'live', text: 'live', newRecords: 0 } });
    await bars().focus();
    await page.keyboard.press('End');
    const before = (await bars().getAttribute('aria-valuetext')) ?? '';
    const timestamp = new Date().toISOString();
    panel.add(...Array.from({ length: 40 }, () => ({ severity: 'trace' as const, timestamp })));
    await page.locator('.severity.trace .count', { hasText: '40' }).waitFor();
    await expect(bars()).toHaveAttribute('aria-valuetext', before);
    await page.keyboard.press('End');
    const traces = pageText('histogram.count', 40, pageText('severity.trace'));
    await expect(bars()).toHaveAttribute('aria-valuetext', new RegExp(escaped(traces)));
  });

  it('folds itself in a low window until the user shows it', async () => {
    const { page } = scene;
    await page.setViewportSize({ width: 620, height: 420 });
    await bars().waitFor({ state: 'hidden' });
    await eventually(
      () =>
        inPage<{ readonly inView: number }>(
          scene,
          `(() => {
            const rows = [...document.querySelectorAll('.rows .row')];
            const ends = rows.map((row) => Math.round(row.getBoundingClientRect().bottom));
            return { ends, innerHeight, inView: ends.filter((end) => end <= innerHeight).length };
          })()`,
        ),
      ({ inView }) => inView > 6,
      'where rows end',
    );
    await button('histogram.label').click();
    await bars().waitFor();
  });

  it('is a few stops of Tab from the query to the list, which F8 reaches from everywhere', async () => {
    const { page, bar } = scene;
    const grid = page.locator('.grid');
    const hasFocus = (): Promise<boolean> =>
      inPage<boolean>(scene, "document.activeElement.matches('.grid')");
    await scene.search('last:5h');
    await eventually(hasFocus, Boolean, 'Enter moves to the list');
    await bar.focus();
    let stops = 0;
    for (; !(await hasFocus()) && stops < 30; stops++) await page.keyboard.press('Tab');
    assert.isAtMost(stops, 9);
    await bar.focus();
    await page.keyboard.press('Shift+F8');
    await eventually(hasFocus, Boolean, 'F8 moves to the list');
    const selected = grid.locator('.row[aria-selected=true]');
    await expect(selected).toHaveAttribute('data-severity', /error|fatal/);
    await scene.isAccessible();
  });
});
