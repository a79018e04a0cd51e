import { assert } from 'chai';
import type { FrameLocator, Locator } from 'playwright';
import { hour, minute } from '../../../src/base/clock';
import { uiText } from '../../host/texts';
import { answer } from '../../host/workbench';
import { searches, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { eventually, expect } from '../scene';

describe('comparison of logs', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  const page = (): FrameLocator =>
    scene.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
  const changes = (): Locator => page().locator('.change-rows .change');
  const texts = (part: string): Promise<string[]> => changes().locator(part).allTextContents();
  let now = 0;
  const query = (from: number, to: number, filter = ''): string =>
    `${filter} from:${new Date(from).toISOString()} to:${new Date(to).toISOString()}`.trim();
  /** The last hour compared with the one before, without the Log Explorer. */
  const compare = async (filter?: string): Promise<void> => {
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.driver.run('controlPlane.compareLogs', {
      query: query(now - hour, now, filter),
      other: query(now - 2 * hour, now - hour - 1, filter),
    });
    await changes().first().waitFor();
  };

  before(() => {
    now = Date.now();
    const emit = (
      count: number,
      body: (index: number) => string,
      ago: number,
      more: object = {},
    ): void => {
      scene.controlPlane.admin.emit(
        Array.from({ length: count }, (_, index) => ({
          body: body(index),
          timestamp: new Date(now - ago - Math.floor((index * 50 * minute) / count)).toISOString(),
          severity: 'info' as const,
          ...more,
        })),
      );
    };
    emit(120, (index) => `charged ${index} EUR for order ${index + 1000}`, hour + 5 * minute);
    emit(8, () => 'cache warmed up', hour + 5 * minute);
    emit(20, (index) => `retry ${index} of request`, hour + 5 * minute, { severity: 'warn' });
    emit(125, (index) => `charged ${index} EUR for order ${index + 1000}`, 5 * minute);
    emit(64, (index) => `retry ${index} of request`, 5 * minute, { severity: 'warn' });
    emit(1, () => 'rebalanced the partitions', 5 * minute);
    emit(
      30,
      (index) => `payment of order ${index} failed: <b>card</b> declined by provider`,
      5 * minute,
      { severity: 'error', attributes: { region: 'eu-central', provider: 'acme' } },
    );
  });

  it('is asked for in the Log Explorer, has what changed first, says what sets a pattern apart, and shows its records, by keyboard', async () => {
    await scene.bar.fill(query(now - hour, now));
    await scene.bar.press('Enter');
    await rows.hasCount(220);
    await scene.button('toolbar.compare').click();
    await answer(scene.page, uiText('The Period Before'));
    await changes().first().waitFor();
    const has = (part: string, ...texts: readonly string[]): Promise<void> =>
      expect(changes().locator(part)).toHaveText(texts);
    await has(
      '.template',
      'payment of order <n> failed: <b>card</b> declined by provider',
      'retry <n> of request',
      'cache warmed up',
      'charged <n> EUR for order <n>',
      'rebalanced the partitions',
    );
    await has(
      '.words',
      uiText('New'),
      `${uiText('More often')} ×3.2`,
      uiText('Gone'),
      uiText('About the same'),
      uiText('Too rare to tell'),
    );
    await has('.count.now', '30', '64', '0', '125', '1');
    await has('.count.before', '0', '20', '8', '120', '0');

    await changes().first().locator('.template').focus();
    await scene.page.keyboard.press('Enter');
    const apart = changes().first().locator('.apart-rows li');
    await apart.filter({ hasText: 'attr.region' }).waitFor();
    await apart.filter({ hasText: 'eu-central' }).first().waitFor();
    await scene.page.keyboard.press('ArrowDown');
    for (let left = 0; left < 2; left++) await scene.page.keyboard.press('ArrowLeft');
    const before = searches(scene).length;
    await scene.page.keyboard.press('Enter');
    await scene.becomes((text) => text.startsWith('"of request"'));
    await rows.hasCount(64);
    assert.isAbove(searches(scene).length, before);
  });

  it('is restored after a reload of the window, is shared by a link, opens as text, and is gone at once when the API key is gone', async () => {
    await compare('severity:warn,error');
    await scene.reload();
    await changes().first().waitFor();
    await expect.poll(() => texts('.template')).toHaveLength(2);
    await page()
      .getByRole('button', { name: pageText('toolbar.copyLink') })
      .click();
    const link = await eventually(
      () => rows.clipboard(),
      (text) => text.includes('/compare?q='),
      'the copied link',
    );
    assert.include(decodeURIComponent(link), 'severity:warn,error from:');
    await page()
      .getByRole('button', { name: pageText('toolbar.openAsText') })
      .click();
    const line = (text: string): Locator =>
      scene.page.locator('.editor-instance .view-line', { hasText: text });
    await line(`${uiText('New')} (1)`)
      .first()
      .waitFor();
    await line(`${uiText('More often')} ×3.2`)
      .first()
      .waitFor();

    await scene.driver.run('workbench.action.closeActiveEditor');
    await changes().first().waitFor();
    await scene.signOut();
    await page().getByText(pageText('empty.signedOut')).waitFor();
    await eventually(texts.bind(undefined, '.template'), (all) => all.length === 0, 'no patterns');
  });
});
