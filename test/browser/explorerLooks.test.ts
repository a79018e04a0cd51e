import path from 'node:path';
import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { repository } from '../host/openEditor';
import { notification, runCommand, screenshot } from '../host/workbench';
import { asked, findings, inPage, openExplorer, search, type ExplorerScene } from './explorerPage';
import { inEachLook } from './scene';

/** A half and a whole wide screen, and a small one of which everything is twice as large. */
const sizes = {
  700: { width: 700, height: 800 },
  1400: { width: 1400, height: 800 },
  'at-200-percent': { width: 640, height: 400 },
};

/** What reaches beyond the page, or is cut within its own box, in words. */
const cutScript = `(() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push('the page: ' + page.scrollWidth);
  if (page.scrollHeight > page.clientHeight) found.push('the page is ' + page.scrollHeight + ' high');
  for (const element of document.querySelectorAll('button, vscode-button, select, input, .chip, .notices *')) {
    const { left, right, width } = element.getBoundingClientRect();
    const isHidden = width === 0 || element.closest('[aria-hidden=true], .visually-hidden');
    if (!isHidden && (left < -1 || right > page.clientWidth + 1)) {
      found.push((element.getAttribute('aria-label') ?? element.textContent) + ': ' + left + ' to ' + right);
    }
  }
  return found;
})()`;

describe('the looks of the Log Explorer', () => {
  let scene: ExplorerScene;
  before(async () => {
    scene = await openExplorer({ historyRecords: 3000 });
    await notification(scene.page, 'The views can show them').waitFor();
    await runCommand(scene.page, 'Notifications: Clear All Notifications');
    scene.controlPlane.admin.emit([
      { severity: 'error', body: 'TypeError: no price\n    at total (/app/src/pricing.ts:12:9)' },
      {
        severity: 'info',
        body: '{"msg":"done","res":{"statusCode":503}}',
        attributes: { user: '42' },
      },
    ]);
    await runCommand(scene.page, 'View: Toggle Primary Side Bar Visibility');
  });
  after(() => scene.close());

  const button = (name: string): Locator =>
    scene.explorer.getByRole('button', { name, exact: true });
  const details = (): Locator => scene.explorer.locator('.details');
  const press = (key: string): Promise<void> => scene.page.keyboard.press(key);
  const grid = (): Locator => scene.explorer.getByRole('grid', { name: 'Log Records' });

  /** Pictures in each look and size; in each look axe has nothing to say, in each size all fits. */
  async function looksWell(name: string): Promise<void> {
    const { page } = scene;
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await inEachLook(page, async (look) => {
        const file = `explorer-${name}-${size}-${look}.png`;
        await screenshot(page, path.join(repository, 'dist/screenshots', file));
        if (size !== '700') assert.deepEqual(await findings(scene), [], `${look}, ${size}`);
      });
      assert.deepEqual(await inPage(scene, cutScript), [], size);
    }
    // In a low window the list is below: whoever goes there sees it.
    await grid().focus();
    await screenshot(page, path.join(repository, `dist/screenshots/explorer-${name}-list.png`));
    const [list, editor] = [
      await grid().boundingBox(),
      await page.locator('.editor-group-container').boundingBox(),
    ];
    assert.isAtMost(list!.y + 60, editor!.y + editor!.height, 'rows are in view');
    await page.setViewportSize(sizes[1400]);
  }

  it('before anything was searched for', () => looksWell('first'));

  it('with results, details, conditions, the find bar and a notice, all at once', async () => {
    scene.controlPlane.admin.fault({ kind: 'partial', endpoint: 'post_logs_query' });
    await search(scene, 'env:production (service~web or service~api or spanId:*) last:6h');
    await button('Conditions').click();
    await grid().focus();
    await press('End');
    await press('Enter');
    await details().getByText('statusCode').first().waitFor();
    await grid().focus();
    await press('Control+f');
    await scene.page.keyboard.type('status');
    await scene.explorer.getByText(/^\d+ of \d+$/).waitFor();
    await looksWell('all');
    await button('Close').click();
    await button('Conditions').click();
    await button('Add Condition').waitFor({ state: 'hidden' });
    await details().getByRole('button', { name: 'Close Details' }).click();
  });

  it('with results and details', async () => {
    await search(scene, 'severity:info,error last:6h');
    await grid().focus();
    await press('End');
    await press('Enter');
    await details().getByText('statusCode').first().waitFor();
    await looksWell('results');
    await details().getByRole('button', { name: 'Close Details' }).click();
  });

  it('with what failed', async () => {
    const message = 'The key may not read these logs.';
    const endpoint = 'post_logs_query';
    scene.controlPlane.admin.fault({ kind: 'status', status: 403, endpoint, message });
    await scene.bar.fill('severity:fatal last:6h');
    await scene.bar.press('Enter');
    await scene.explorer.getByRole('alert').filter({ hasText: message }).waitFor();
    await looksWell('failed');
    // There is nothing yet that other records could be older or newer than.
    await asked(scene, () => button('Try again').click());
    await button('Try again').waitFor({ state: 'hidden' });
  });

  it('where nothing is found', async () => {
    await scene.bar.fill('"no such text anywhere" last:6h');
    await scene.bar.press('Enter');
    await button('Last 24 hours').waitFor();
    await looksWell('empty');
  });

  it('while it follows', async () => {
    await search(scene, 'last:1h');
    await button('Follow').click();
    await scene.explorer.locator('.follow-state').filter({ hasText: 'live' }).waitFor();
    scene.controlPlane.admin.emit([{ body: 'live one' }]);
    await grid().getByText('live one').waitFor();
    await looksWell('following');
    await button('Stop').click();
  });
});
