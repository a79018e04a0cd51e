import type { Locator } from 'playwright';
import { severities } from '../../src/logs/explorer/protocol/view';
import { pageText } from '../browser/explorer/pageTexts';
import { expect } from '../host/expect';
import { setExplorerPage } from './explorerScene';

describe('toolbar of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const { button } = scene;
  beforeEach(async () => {
    scene.panel.find({ body: 'one' }, { body: 'two', severity: 'error' });
    await button('toolbar.compare').waitFor();
  });
  const edges = async (part: Locator): Promise<readonly [left: number, right: number]> => {
    const { x, width } = (await part.boundingBox())!;
    return [Math.round(x), Math.round(x + width)];
  };

  it('has what does not fit in its menu, where it does the same', async () => {
    const { page, panel } = scene;
    const height = async (): Promise<number> =>
      (await page.locator('.toolbar').boundingBox())!.height;
    const high = await height();
    await page.setViewportSize({ width: 420, height: 800 });
    await expect(button('toolbar.compare')).toBeHidden();
    await expect(button('toolbar.more')).toBeInViewport({ ratio: 1 });
    await expect.poll(height, 'it is one line').toBeLessThanOrEqual(high);
    await scene.more('toolbar.compareHint');
    await expect.poll(() => panel.of('compare')).toHaveLength(1);
    await scene.more('toolbar.byTraceHint');
    await expect.poll(() => panel.of('layOut').at(-1)?.layout.isByTrace).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(button('toolbar.byTrace')).toHaveAttribute('aria-pressed', 'true');
    await button('toolbar.more').click();
    await expect(page.getByRole('menuitem', { name: pageText('toolbar.compareHint') })).toHaveCount(
      0,
    );
  });

  it('keeps its buttons in their places while records are followed', async () => {
    const { page, panel } = scene;
    const places = async (follow: Locator): Promise<unknown> => [
      await edges(button('toolbar.patterns')),
      await edges(button('toolbar.more')),
      (await edges(follow))[1],
    ];
    /** What it does now is its name. */
    const follow = (): Locator => page.locator('.tool.follow');
    const before = await places(follow());
    await button('toolbar.follow').focus();
    const following = { state: 'live', text: 'live · 12 lines/s', newRecords: 0 } as const;
    panel.show({ following });
    await expect(follow()).toHaveAccessibleName(pageText('toolbar.pause'));
    await expect(follow()).toBeFocused();
    await expect.poll(() => places(follow())).toEqual(before);
    await page.keyboard.press('Enter');
    await expect.poll(() => panel.of('pause')).toHaveLength(1);
    panel.show({ following: { ...following, state: 'paused', text: 'paused (3 new)' } });
    await expect(follow()).toHaveAccessibleName(pageText('toolbar.resume'));
    await expect(follow()).toBeFocused();
    await expect.poll(() => places(follow())).toEqual(before);
    await button('toolbar.stop').focus();
    await page.keyboard.press('Enter');
    panel.show({ following: { ...following, state: 'ended', text: 'stopped' } });
    // The focus moves from what is gone.
    await expect(button('toolbar.follow')).toBeFocused();
  });

  it('shortens large counts, which are whole in the tooltip', async () => {
    const { panel } = scene;
    const counts = severities.map((severity) =>
      severity === 'info' ? 20_481 : severity === 'warn' ? 1999 : 0,
    );
    panel.show({
      histogram: {
        starts: [0, 1],
        length: 1,
        counts: [counts],
        timeZone: 'UTC',
        loaded: { from: 0, to: 1 },
      },
    });
    const info = scene.severity('info');
    await expect(info.locator('.count')).toHaveText('20K');
    await expect(scene.severity('warn').locator('.count')).toHaveText('1,999');
    await expect(info).toHaveAttribute(
      'title',
      pageText('severities.count', pageText('severity.info'), '20,481'),
    );
  });

  it('goes back, and leaves the focus in the list', async () => {
    const { page, panel } = scene;
    panel.show({ canGoBack: true, title: 'Context of a record of web-api' });
    await page.getByRole('heading', { name: 'Context of a record of web-api' }).waitFor();
    await button('toolbar.back').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => panel.of('back')).toHaveLength(1);
    panel.show({ canGoBack: false });
    await expect(page.getByRole('grid')).toBeFocused();
    await expect(button('toolbar.back')).toHaveCount(0);
  });
});
