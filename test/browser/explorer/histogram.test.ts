import type { Locator } from 'playwright';
import { uiPattern, uiText } from '../../host/texts';
import { inPage } from '../../host/pageFrame';
import { search, setExplorer, shown } from './explorerPage';
import { pageText } from './pageTexts';
import { eventually, expect, inEachLook, picture } from '../scene';

describe('histogram of the Log Explorer', () => {
  const scene = setExplorer({ controlPlane: { historyRecords: 2000 } });
  const { becomes, button } = scene;
  beforeEach(() => shown(scene, () => search(scene, 'last:6h')));

  const bars = (): Locator =>
    scene.explorer.getByRole('slider', { name: pageText('histogram.label') });
  const zoomOut = (): Locator => button('histogram.zoomOut');
  /** What screen readers say of the bars that are chosen. */
  const chosen = async (): Promise<string> => (await bars().getAttribute('aria-valuetext')) ?? '';
  const isAllAgain = async (action: () => Promise<unknown>): Promise<void> => {
    await shown(scene, action);
    await becomes('last:6h');
    await zoomOut().waitFor({ state: 'hidden' });
  };

  it('shows counts by severity, loads the whole range, has the colours of each theme, and marks deployments, whose menu compares before and after, and narrows the range', async () => {
    const { page, explorer } = scene;
    const texts = await explorer.locator('.severities .count').allTextContents();
    const sum = texts.map((text) => Number(text.replace(',', '')));
    const total = sum.reduce((all, one) => all + one, 0);
    await expect(explorer.locator('.summary')).toContainText(uiText('{0} records loaded', total));

    // The range is longer than what is loaded.
    await bars().focus();
    await page.keyboard.press('Home');
    const whenAndWhat = (what: string | RegExp): RegExp =>
      uiPattern('{0}: {1}', /\d\d:\d\d.*/, what);
    await expect.poll(chosen).toMatch(whenAndWhat(uiText('not loaded')));
    await button('histogram.loadWhole').click();
    await button('histogram.loadWhole').waitFor({ state: 'hidden' });
    await bars().focus();
    await page.keyboard.press('Home');
    await eventually(
      chosen,
      (now) => whenAndWhat(uiPattern('{0} record')).test(now),
      'the first bar of the range',
    );

    await inEachLook(page, () =>
      eventually(
        () =>
          inPage<number>(
            scene,
            `(() => {
              const { color } = getComputedStyle(document.querySelector('.bars .sample.info'));
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
        (share) => share > 0.02,
        'how much of the plot has the colour',
      ),
    );

    const marks = explorer.getByRole('toolbar', { name: pageText('deployments.label') });
    const first = marks.getByRole('button').first();
    await first.waitFor();
    for (const width of [1400, 900]) {
      await page.setViewportSize({ width, height: 800 });
      await picture(scene, `explorer-histogram-${width}`);
    }
    // Commit, environment and outcome.
    await expect(first).toHaveAttribute('aria-label', /[0-9a-f]{7} .*(prod|preview)/);
    await first.focus();
    await page.keyboard.press('Enter');
    const items = explorer.getByRole('menu', { name: pageText('deployments.label') });
    await items.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Enter');
    await explorer.locator('.side.before').waitFor();
    for (const name of [uiText('This time'), uiText('The other time')]) {
      await expect(explorer.locator('.sides')).toContainText(name);
    }
    await scene.driver.run('workbench.action.closeActiveEditor');
    await first.focus();
    await page.keyboard.press('Enter');
    await items.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await shown(scene, () => page.keyboard.press('Enter'));
    await becomes((now) => now.startsWith('from:'));
    await isAllAgain(() => zoomOut().click());
  });
});
