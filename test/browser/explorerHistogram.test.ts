import path from 'node:path';
import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { repository } from '../host/openEditor';
import { runCommand, screenshot } from '../host/workbench';
import { findings, inPage, openExplorer, search, searches, shown } from './explorerPage';
import type { ExplorerScene } from './explorerPage';
import { eventually, inEachLook } from './scene';

describe('the histogram and following of the Log Explorer', () => {
  let scene: ExplorerScene;
  before(async () => {
    scene = await openExplorer({ historyRecords: 3000 });
  });
  after(() => scene.close());

  const button = (name: string): Locator => scene.button(name);
  const focused = (): Locator => scene.focused();
  const becomes: ExplorerScene['becomes'] = (query) => scene.becomes(query);
  const bars = (): Locator => scene.explorer.getByRole('slider', { name: 'Records by time' });
  const zoomOut = (): Locator => button('Zoom Out');
  /** What screen readers say of the bars that are chosen. */
  const chosen = (): Promise<string | null> => bars().getAttribute('aria-valuetext');
  /** The range that was asked for, in milliseconds. */
  const lengthOf = ({ filters }: Awaited<ReturnType<typeof search>>): number =>
    Date.parse(String(filters['to'])) - Date.parse(String(filters['from']));

  /** Waits until the bars are painted with the colour that something has by the theme. */
  const barsAreColouredAs = (sample: string): Promise<number> =>
    eventually(
      () =>
        inPage<number>(
          scene,
          `(() => {
            const { color } = getComputedStyle(document.querySelector('${sample}'));
            const wanted = color.match(/[\\d.]+/g).slice(0, 3).map(Number);
            const canvas = document.querySelector('.bars canvas');
            const { width, height } = canvas;
            const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
            let found = 0;
            for (let at = 0; at < data.length; at += 4) {
              if (wanted.every((part, index) => Math.abs(data[at + index] - part) < 2)) found++;
            }
            return (found * 4) / data.length;
          })()`,
        ),
      (share) => share > 0.05,
      'how much of the plot has the colour',
    );

  it('says how much there is of each severity', async () => {
    await shown(scene, () => search(scene, 'last:6h'));
    const totals = scene.explorer.getByRole('list', { name: 'Records by severity' });
    const texts = await totals.getByRole('listitem').allTextContents();
    assert.include(texts.join(), 'info');
    const sum = texts.map((text) => Number(/[\d,]+$/.exec(text)?.[0].replace(',', '')));
    const summary = await scene.explorer.locator('.summary').textContent();
    assert.include(summary?.replace(',', ''), `${sum.reduce((all, one) => all + one, 0)} records`);
  });

  it('narrows the range to what is dragged over, and gives the former one again', async () => {
    const { page } = scene;
    const box = await bars().boundingBox();
    assert.isNotNull(box);
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 30, { steps: 5 });
    const narrowed = await shown(scene, () => page.mouse.up());
    assert.isBelow(lengthOf(narrowed), 4 * 3_600_000);
    const query = await becomes((now) => now.startsWith('from:'));
    assert.equal(
      query,
      `from:${String(narrowed.filters['from'])} to:${String(narrowed.filters['to'])}`,
    );
    await zoomOut().focus();
    await shown(scene, () => page.keyboard.press('Enter'));
    await becomes('last:6h');
    await zoomOut().waitFor({ state: 'hidden' });
  });

  it('narrows the range to the bar that is clicked', async () => {
    const { page } = scene;
    const box = await bars().boundingBox();
    assert.isNotNull(box);
    const narrowed = await shown(scene, () => page.mouse.click(box.x + box.width / 2, box.y + 20));
    assert.isBelow(lengthOf(narrowed), 1_800_000);
    await shown(scene, () => zoomOut().click());
    await becomes('last:6h');
  });

  it('narrows the range to the bars that were chosen by the keyboard', async () => {
    const { page } = scene;
    await bars().focus();
    await page.keyboard.press('Home');
    const first = await bars().getAttribute('aria-valuetext');
    assert.match(first ?? '', /^.*\d\d:\d\d.*: .*records?/);
    await page.keyboard.press('ArrowRight');
    assert.equal(await bars().getAttribute('aria-valuenow'), '2');
    assert.notEqual(await bars().getAttribute('aria-valuetext'), first);
    await page.keyboard.press('Shift+ArrowRight');
    assert.match((await bars().getAttribute('aria-valuetext')) ?? '', /2 bars: /);
    await shown(scene, () => page.keyboard.press('Enter'));
    await becomes((now) => now.startsWith('from:'));
    await shown(scene, () => zoomOut().click());
  });

  it('gives a choice up by Escape, and a click with Shift adds to it', async () => {
    const { page } = scene;
    const before = searches(scene).length;
    await bars().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+PageDown');
    assert.match((await chosen()) ?? '', /, 11 bars: /);
    await page.keyboard.press('Escape');
    assert.notMatch((await chosen()) ?? '', / bars: /);
    assert.equal(await bars().getAttribute('aria-valuenow'), '11');
    assert.lengthOf(searches(scene), before);
    await page.keyboard.press('Home');
    const box = await bars().boundingBox();
    assert.isNotNull(box);
    // The mouse goes on from where the keys were.
    await page.keyboard.down('Shift');
    const { filters } = await shown(scene, () =>
      page.mouse.click(box.x + box.width / 2, box.y + 20),
    );
    await page.keyboard.up('Shift');
    assert.isAbove(lengthOf({ filters }), 2 * 3_600_000);
    await shown(scene, () => zoomOut().click());
    await becomes('last:6h');
  });

  it('is quiet while records come, and says what there is with the next key', async () => {
    const { explorer, page } = scene;
    await button('Follow').click();
    await explorer.locator('.follow-state').filter({ hasText: 'live' }).waitFor();
    await bars().focus();
    await page.keyboard.press('End');
    const said = await chosen();
    scene.controlPlane.admin.emit(Array.from({ length: 400 }, () => ({ severity: 'fatal' })));
    const totals = explorer.getByRole('list', { name: 'Records by severity' });
    await totals
      .getByRole('listitem')
      .filter({ hasText: /fatal4\d\d/ })
      .waitFor();
    assert.equal(await chosen(), said);
    await page.keyboard.press('End');
    assert.match((await chosen()) ?? '', /4\d\d fatal/);
    await button('Stop').click();
    await button('Follow').waitFor();
  });

  it('says quietly why what has an end is not followed', async () => {
    const { explorer, page } = scene;
    await shown(scene, () => search(scene, 'from:6h to:1h'));
    const why = explorer.getByRole('status').filter({ hasText: /^The range ends at/ });
    assert.equal(await button('Follow').getAttribute('aria-disabled'), 'true');
    assert.match((await button('Follow').getAttribute('title')) ?? '', /^The range ends at/);
    await button('Follow').focus();
    await page.keyboard.press('Enter');
    await why.waitFor();
    assert.equal(await explorer.getByRole('alert').filter({ hasText: /\w/ }).count(), 0);
    assert.deepEqual(await findings(scene), []);
    await button('Dismiss').focus();
    await page.keyboard.press('Enter');
    await why.waitFor({ state: 'hidden' });
    assert.equal(await focused().textContent(), 'Follow');
    await button('Follow').click({ force: true });
    await why.waitFor();
    await shown(scene, () => search(scene, 'last:6h'));
    await why.waitFor({ state: 'hidden' });
  });

  it('is followed from here, paused, resumed and stopped', async () => {
    const { explorer, page } = scene;
    const state = explorer.locator('.follow-state');
    const toolbar = explorer.getByRole('group', { name: 'Log Explorer' });
    await button('Follow').click();
    await state.filter({ hasText: 'live' }).waitFor();
    assert.match((await focused().textContent()) ?? '', /Pause/);
    await page.keyboard.press('Enter');
    await state.filter({ hasText: 'paused' }).waitFor();
    await toolbar.getByRole('button', { name: 'Resume' }).click();
    await state.filter({ hasText: 'live' }).waitFor();
    await button('Stop').click();
    await button('Follow').waitFor();
  });

  it('looks well, and axe finds nothing, in each look and at two widths', async () => {
    const { page } = scene;
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await search(scene, 'severity:info,warn,error (service=web or spanId:*) last:6h');
    for (const width of [700, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await inEachLook(page, async (look) => {
        await barsAreColouredAs('.swatch.info');
        assert.deepEqual(await findings(scene), [], look);
        const name = `explorer-query-${look}-${width}.png`;
        await screenshot(page, path.join(repository, 'dist/screenshots', name));
      });
    }
  });
});
