import { assert } from 'chai';
import type { ConsoleMessage } from 'playwright';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { isAccessible, inPage } from '../../host/pageFrame';
import { asked, explorerPage, search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { eventually, expect, inEachLook, picture } from '../scene';

/** What a page would do that code was smuggled into. */
const tryEverything = `(async () => {
  const page = document.querySelector('#page');
  const broken = [];
  const isAsked = new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      broken.push(event.effectiveDirective);
      if (event.effectiveDirective === 'connect-src') resolve();
    });
  });
  const script = document.createElement('script');
  script.textContent = 'window.ranInline = true';
  const image = document.createElement('img');
  image.setAttribute('onerror', 'window.ranHandler = true');
  const over = new Promise((resolve) => image.addEventListener('error', resolve));
  image.src = 'https://evil.example/x.png';
  const style = document.createElement('style');
  style.textContent = '#page { display: none }';
  page.append(script, image, style);
  await over;
  const result = {
    fetch: await fetch('https://evil.example').then(() => 'came through', () => 'refused'),
    eval: 'refused',
    inline: 'ranInline' in window,
    handler: 'ranHandler' in window,
    isHidden: getComputedStyle(page).display === 'none',
    broken,
  };
  await isAsked;
  try {
    result.eval = new Function('return "ran"')();
  } catch {}
  script.remove();
  image.remove();
  style.remove();
  return result;
})()`;

interface Tried {
  readonly fetch: string;
  readonly eval: string;
  readonly inline: boolean;
  readonly handler: boolean;
  readonly isHidden: boolean;
  readonly broken: string[];
}

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

/** Whether all looks are looked at, and not the light one alone. */
const isLong = process.env['TEST_LONG'] === '1' || process.env['DCP_PICTURES'] === '1';

describe('panel of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  const { button } = scene;
  before(() => {
    scene.controlPlane.admin.emit([
      { severity: 'error', body: 'TypeError: no price\n    at total (/app/src/pricing.ts:12:9)' },
      {
        severity: 'info',
        body: '{"msg":"done","res":{"statusCode":503}}',
        attributes: { user: '42' },
      },
    ]);
  });
  afterEach(() => scene.driver.run('workbench.view.extension.controlPlane'));

  it(`runs only its own script and makes no other requests ${covers('F58', 'editor')}`, async () => {
    const refused: string[] = [];
    const listen = (message: ConsoleMessage): void => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
    };
    scene.page.on('console', listen);
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.driver.run('controlPlane.searchLogs');
    await search(scene, 'severity:error last:24h');
    await rows.row('TypeError').click();
    await rows.details.locator('pre').waitFor();
    assert.deepEqual(refused, [], 'no inline style, no other address');
    scene.page.off('console', listen);

    const tried = await inPage<Tried>(scene, tryEverything);
    const nothing = { fetch: 'refused', eval: 'refused', inline: false, handler: false };
    assert.include(tried, { ...nothing, isHidden: false });
    assert.includeMembers(tried.broken, [
      'script-src-elem',
      'img-src',
      'connect-src',
      'style-src-elem',
    ]);
  });

  it('is restored after a reload, with its search and wrapped lines', async () => {
    await search(scene, 'severity:error last:6h');
    await scene.more('toolbar.wrap');
    const wraps = (): Promise<unknown> =>
      expect(scene.explorer.locator('.list.wrap')).toHaveCount(1);
    await wraps();
    const { filters } = await asked(scene, () => scene.reload());
    assert.deepEqual(filters['severities'], ['error']);
    await scene.becomes('severity:error last:6h');
    await wraps();
  });

  it('shows times in the zone of the workspace, also of one that it was switched to', async () => {
    await scene.driver.set({ 'controlPlane.logs.timeZone': 'workspace' });
    try {
      scene.controlPlane.admin.emit([{ body: 'in the zone of the workspace' }]);
      await scene.reconnect('demo-full', 'a workspace with a time zone');
      const time = rows.row('in the zone of the workspace').locator('.time');
      await time.waitFor();
      // The summary has the date once.
      const clock = (await time.innerText()).slice('2026-11-20 '.length);
      await scene.explorer
        .locator('.summary', { hasText: uiPattern('{0} to {1}', undefined, clock) })
        .first()
        .waitFor();
    } finally {
      await scene.driver.set({ 'controlPlane.logs.timeZone': null });
    }
  });

  it(`brings back no query of a connection that was left, also not by Undo ${covers('F79', 'editor')}`, async () => {
    await search(scene, 'customer-of-the-first last:6h');
    await scene.reconnect('demo-full', 'another connection');
    await expect(scene.bar).toHaveValue('');
    await scene.bar.press('Control+z');
    await expect(scene.bar).toHaveValue('');
    // Undo works as before.
    await scene.bar.pressSequentially('severity:error');
    await scene.bar.press('Control+z');
    await expect(scene.bar).toHaveValue('');
  });

  it('removes its records at once when the API key is gone, and offers to connect', async () => {
    await search(scene, 'last:6h');
    await rows.row('TypeError').waitFor();
    await scene.signOut();
    await rows.row('TypeError').waitFor({ state: 'detached' });
    await explorerPage(scene).locator('.notice-parts .codicon-plug').waitFor();
    await button('notices.connect').waitFor();
    await isAccessible(scene);
  });

  /** In no size anything is cut, and axe has nothing to say. */
  async function looksWell(name: string): Promise<void> {
    const { page } = scene;
    await scene.driver.run('workbench.action.closeSidebar');
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await eventually(
        () => inPage<string[]>(scene, cutScript),
        (cut) => cut.length === 0,
        `${size}: what is cut`,
      );
      await picture(scene, `explorer-${name}-${size}`);
      if (isLong) {
        await inEachLook(page, async (look) => {
          await isAccessible(scene, `${look}, ${size}`);
        });
      }
    }
    if (!isLong) await isAccessible(scene);
  }

  it('passes axe before a search, after a failure and without results', async () => {
    const { bar, explorer } = scene;
    await looksWell('first');
    const message = 'The key may not read these logs.';
    const endpoint = 'post_logs_query';
    scene.controlPlane.admin.fault({ kind: 'status', status: 403, endpoint, message });
    await bar.fill('severity:fatal last:6h');
    await bar.press('Enter');
    await explorer.getByRole('alert').filter({ hasText: message }).waitFor();
    await looksWell('failed');
    // There is nothing yet that other records could be older or newer than.
    await asked(scene, () => scene.buttonSaying(uiText('Try again')).click());
    await button('range.24h').waitFor();
    await looksWell('empty');
  });

  it('passes axe with a notice, conditions, details and the find bar', async () => {
    const { explorer, page } = scene;
    scene.controlPlane.admin.fault({ kind: 'partial', endpoint: 'post_logs_query' });
    await search(scene, 'env:production (service~e or service~a or spanId:*) last:6h');
    await explorer.locator('.notice-list .warning').waitFor();
    await button('toolbar.follow').click();
    await explorer
      .locator('.follow-state')
      .filter({ hasText: uiText('live') })
      .waitFor();
    await button('builder.toggle').click();
    await rows.grid.focus();
    await rows.press('End', 'Enter');
    await rows.details.locator('pre').waitFor();
    await rows.grid.focus();
    await rows.press('Control+f');
    await page.keyboard.type('t');
    await explorer.getByText(uiPattern('{0} of {1}', /^\d+/, /\d+$/)).waitFor();
    await looksWell('all');
    // In a low window the list is below: its rows are in view once it has the focus.
    await rows.grid.focus();
    const editor = (await page.locator('.editor-group-container').boundingBox())!;
    await expect
      .poll(async () => (await rows.grid.boundingBox())?.y, 'rows are in view')
      .toBeLessThanOrEqual(editor.y + editor.height - 60);
  });
});
