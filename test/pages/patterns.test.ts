import { assert } from 'chai';
import type { Locator } from 'playwright';
import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { expect } from '../host/expect';
import { setExplorerPage } from './explorerScene';

describe('patterns of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  const patterns = (): Locator => scene.page.locator('.pattern');
  beforeEach(async () => {
    scene.panel.find(
      ...Array.from({ length: 30 }, (_, index) => ({ body: `charged ${index} EUR` })),
      ...Array.from({ length: 10 }, (_, index) => ({ body: `no stock of item ${index}` })),
      { body: 'shutting down', severity: 'error' },
    );
    await rows.isInView('shutting down');
    await scene.button('toolbar.patterns').click();
    await patterns().first().waitFor();
  });

  it('show count, share and severity, and pass axe', async () => {
    await expect(patterns().locator('.template')).toHaveText([
      'charged <n> EUR',
      'no stock of item <n>',
      'shutting down',
    ]);
    await expect(patterns().locator('.count')).toHaveText(['30', '10', '1']);
    await expect(patterns().locator('.share')).toHaveText(['73.2%', '24.4%', '2.4%']);
    await expect(patterns().last()).toHaveAttribute('data-severity', 'error');
    await expect(patterns().last().locator('.severity')).toHaveText(pageText('severity.error'));
    await expect(scene.page.locator('.total')).toHaveText(pageText('patterns.total', 3, 41));
    await scene.isAccessible();
  });

  it('are used by keyboard, keep the focus when they are loaded again, and give it back', async () => {
    const second = patterns().nth(1).getByRole('button');
    await patterns().first().locator('.template').focus();
    await rows.press('ArrowDown');
    await rows.hasFocus(second.first());
    await rows.press('ArrowRight');
    await rows.hasFocus(second.last());
    const loads = scene.panel.of('patterns').length;
    await rows.press('Enter');
    await expect.poll(() => scene.panel.of('patterns').length).toBe(loads + 1);
    const [asked] = scene.panel.of('narrowPattern');
    assert.equal(asked?.how, 'exclude');
    await rows.hasFocus(second.last());
    await rows.press('Escape');
    await rows.hasFocus(rows.grid);
    await expect(patterns().first()).toBeHidden();
  });
});
