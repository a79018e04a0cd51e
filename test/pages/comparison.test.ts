import { assert } from 'chai';
import type { Locator } from 'playwright';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { pageText } from '../browser/explorer/pageTexts';
import { apartRow, changeRow, ComparisonSide, comparisonWith, keyOfRow } from './comparisonPanel';
import { setPage } from './pageScene';

const choose = pageText('comparison.choose');
const chat = pageText('comparison.askChat');
const link = pageText('toolbar.copyLink');
const text = pageText('toolbar.openAsText');

describe('head of the page of a comparison', () => {
  const scene = setPage('logComparison', (post) => new ComparisonSide(post));
  const tools = (): Locator => scene.page.locator('.tool:visible');
  const tool = (name: string): Locator => scene.page.getByRole('button', { name, exact: true });

  it('offers what its state allows', async () => {
    const { panel } = scene;
    await expect(tools()).toHaveText([choose, text, chat, link]);
    panel.show({ canRead: true });
    await expect(tools()).toHaveText([choose, pageText('comparison.more'), text, chat, link]);
    panel.show({ state: 'loading', progress: '1,000', canRead: true });
    await expect(tools()).toHaveText([choose, pageText('query.cancel'), link]);
    await expect(scene.page.getByRole('status')).toHaveText(
      `${pageText('comparison.working')} 1,000`,
    );
    panel.show({ hasChat: false });
    await expect(tools()).toHaveText([choose, text, link]);
    panel.show({ state: 'idle', sides: undefined, rows: [] });
    await expect(tools()).toHaveText([choose]);
  });

  it('offers to try again after a failure, says why, and helps', async () => {
    const { page, panel } = scene;
    const failure = {
      message: 'The control plane is not available.',
      help: 'diagnostics',
    } as const;
    panel.show({ state: 'failed', failure, rows: [] });
    const again = pageText('comparison.again');
    await expect(tools()).toHaveText([choose, again, link]);
    await tool(again).click();
    await expect(page.getByRole('alert').filter({ hasText: failure.message })).toBeVisible();
    await page.getByRole('button', { name: pageText('notices.diagnostics') }).click();
    await expect
      .poll(() => panel.asked)
      .toEqual([{ kind: 'read' }, { kind: 'help', action: 'diagnostics' }]);
    panel.show({});
    await expect(page.locator('vscode-button')).toHaveCount(0);
    await expect(tool(again)).toHaveCount(0);
  });

  it('says how to connect if it is not', async () => {
    const { page, panel } = scene;
    panel.show({ state: 'signedOut', rows: [] });
    await expect(page.getByRole('alert')).toContainText(pageText('empty.signedOut'));
    await expect(page.locator('.changes')).toBeHidden();
    await page.getByRole('button', { name: pageText('notices.connect') }).click();
    await expect.poll(() => panel.asked).toEqual([{ kind: 'help', action: 'connect' }]);
  });

  it('shows why an action failed until the next one', async () => {
    const { page, panel } = scene;
    panel.refusal = 'There is no chat.';
    await tool(chat).click();
    const alert = page.getByRole('alert').filter({ hasText: panel.refusal });
    await expect(alert).toBeVisible();
    panel.refusal = undefined;
    await tool(link).click();
    await expect(alert).toHaveCount(0);
    // Nothing is drawn around what is empty.
    await expect(page.locator('.notice:visible')).toHaveCount(0);
  });

  it('says what sets the sides apart, or nothing', async () => {
    const { page, panel } = scene;
    panel.show({ apart: [apartRow] });
    const apart = page.getByRole('group', { name: pageText('comparison.apart') });
    await expect(apart).toContainText('eu-central');
    const width = async (side: string): Promise<number> =>
      (await apart.locator(`.bar.${side}`).boundingBox())?.width ?? 0;
    const [now, before] = [await width('now'), await width('before')];
    assert.approximately(now / before, 9, 0.2);
    panel.show({ apart: [] });
    await expect(apart).toHaveCount(0);
  });

  it('shows the queries, and keeps the focus on the name of a side when other parts change', async () => {
    const { page, panel } = scene;
    await expect(page.locator('.before .query')).toHaveText('from:11:00 to:12:00');
    const name = page.locator('.before button').first();
    await name.focus();
    panel.show({ notices: ['The control plane left out records.'] });
    await expect(page.locator('.notes li')).toHaveCount(1);
    await expect(name).toBeFocused();
    await name.press('Enter');
    await expect.poll(() => panel.asked).toEqual([{ kind: 'records', side: 'before' }]);
  });

  it('remembers the queries of both sides', async () => {
    await expect(tools()).toHaveCount(4);
    const saved = await scene.page.evaluate<string>("sessionStorage.getItem('state')");
    assert.deepEqual(JSON.parse(saved), { now: 'last:1h', before: 'from:11:00 to:12:00' });
  });
});

describe('patterns of the page of a comparison', () => {
  const scene = setPage('logComparison', (post) => new ComparisonSide(post));
  const patterns = (): Locator => scene.page.locator('.template');
  const pattern = (name: string): Locator => scene.page.getByRole('button', { name, exact: true });
  const details = (): Locator => scene.page.locator('.details');
  const areOpen = (...open: readonly boolean[]): Promise<unknown> =>
    eventually(
      async () =>
        Promise.all((await patterns().all()).map((one) => one.getAttribute('aria-expanded'))),
      (now) => now.join() === open.join(),
      'which patterns are open',
    );
  beforeEach(() => void (scene.panel.apartOf = () => [apartRow]));

  it('open their details with a click, one at a time, and close them with another', async () => {
    const { panel } = scene;
    await areOpen(false, false);
    await pattern('payment failed').click();
    await areOpen(true, false);
    await expect(details().locator('.whole')).toHaveText('payment failed');
    await expect(details()).toContainText('eu-central');
    await pattern('cache warmed up').click();
    await areOpen(false, true);
    await expect(details().locator('.whole')).toHaveText('cache warmed up');
    await pattern('cache warmed up').click();
    await areOpen(false, false);
    await expect(details()).toHaveCount(0);
    assert.deepEqual(panel.asked, [
      { kind: 'apart', key: keyOfRow('payment failed') },
      { kind: 'apart', key: keyOfRow('cache warmed up') },
    ]);
  });

  it('say it if nothing sets one apart, and why that cannot be said', async () => {
    const { page, panel } = scene;
    panel.apartOf = () => [];
    await pattern('payment failed').click();
    await expect(details()).toContainText(pageText('comparison.apartNone'));
    panel.refusal = 'This pattern is gone.';
    await pattern('cache warmed up').click();
    await expect(page.getByRole('alert').filter({ hasText: panel.refusal })).toBeVisible();
  });

  it('keep their details and the focus when more is read, until something else is compared', async () => {
    const { panel } = scene;
    await pattern('payment failed').focus();
    await scene.page.keyboard.press('Enter');
    await expect(details()).toContainText('eu-central');
    const old = comparisonWith().rows;
    const rows = [changeRow('new one'), ...[...old].reverse()];
    panel.show({ rows });
    await areOpen(false, false, true);
    await expect(details().locator('.whole')).toHaveText('payment failed');
    await expect(pattern('payment failed')).toBeFocused();
    panel.show({ rows, epoch: 2 });
    await areOpen(false, false, false);
    await expect(details()).toHaveCount(0);
  });

  it('show their records of a side and their code, by keyboard', async () => {
    const { page, panel } = scene;
    panel.show({ rows: [changeRow('a', { place: 'src/cart.ts:9' }), changeRow('b')] });
    await expect(patterns()).toHaveText(['a', 'b']);
    await pattern('b').focus();
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('ArrowUp', 'ArrowRight', 'Enter', 'ArrowLeft', 'ArrowLeft', 'Enter');
    await press('ArrowLeft', 'Enter');
    await expect
      .poll(() => panel.asked)
      .toEqual([
        { kind: 'openCode', key: keyOfRow('a') },
        { kind: 'records', side: 'before', key: keyOfRow('a') },
        { kind: 'records', side: 'now', key: keyOfRow('a') },
      ]);
    // The grid is one stop.
    await expect(page.locator('.change-rows [tabindex="0"]')).toHaveCount(1);
  });

  for (const width of [1400, 700]) {
    it(`fit into ${width} pixels`, async () => {
      const { page, panel } = scene;
      await page.setViewportSize({ width, height: 800 });
      panel.show({ rows: [changeRow('word '.repeat(100), { place: 'src/cart.ts:9'.repeat(9) })] });
      await patterns().first().click();
      await expect(details()).toContainText('eu-central');
      const isWithin = await page
        .locator('#page')
        .evaluate(
          ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
            scrollWidth <= clientWidth,
        );
      assert.isTrue(isWithin);
      await scene.isAccessible();
    });
  }
});
