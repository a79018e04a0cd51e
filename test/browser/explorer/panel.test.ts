import { assert } from 'chai';
import type { ConsoleMessage } from 'playwright';
import { uiPattern } from '../../host/texts';
import { covers } from '../../unit/covers';
import { inPage } from '../../host/pageFrame';
import { asked, explorerPage, search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { expect } from '../scene';

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

  it(`is restored after a reload, with its search and wrapped lines, and runs only its own script and makes no other requests ${covers('F58', 'editor')}`, async () => {
    const refused: string[] = [];
    const listen = (message: ConsoleMessage): void => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
    };
    scene.page.on('console', listen);
    await search(scene, 'severity:error last:6h');
    await scene.more('toolbar.wrap');
    const wraps = (): Promise<unknown> =>
      expect(scene.explorer.locator('.list.wrap')).toHaveCount(1);
    await wraps();
    const { filters } = await asked(scene, () => scene.reload());
    assert.deepEqual(filters['severities'], ['error']);
    await scene.becomes('severity:error last:6h');
    await wraps();
    await rows.row('TypeError').click();
    await rows.details.locator('pre').waitFor();
    assert.deepEqual(refused, [], 'no inline style, no other address');

    const tried = await inPage<Tried>(scene, tryEverything);
    const nothing = { fetch: 'refused', eval: 'refused', inline: false, handler: false };
    assert.include(tried, { ...nothing, isHidden: false });
    assert.includeMembers(tried.broken, [
      'script-src-elem',
      'img-src',
      'connect-src',
      'style-src-elem',
    ]);
    assert.isNotEmpty(refused, 'what is refused is seen');
    scene.page.off('console', listen);
  });

  it(`shows times in the zone of each workspace, brings back no query of one that was left, also not by Undo, and removes its records with the key ${covers('F79', 'editor')}`, async () => {
    await scene.driver.set({ 'controlPlane.logs.timeZone': 'workspace' });
    try {
      await search(scene, 'customer-of-the-first last:6h');
      scene.controlPlane.admin.emit([{ body: 'in the zone of the workspace' }]);
      await scene.reconnect('demo-full', 'a workspace with a time zone');
      await expect(scene.bar).toHaveValue('');
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
    await scene.bar.press('Control+z');
    await expect(scene.bar).toHaveValue('');
    // Undo works as before.
    await scene.bar.pressSequentially('severity:error');
    await scene.bar.press('Control+z');
    await expect(scene.bar).toHaveValue('');

    await search(scene, 'last:6h');
    await rows.row('TypeError').waitFor();
    await scene.signOut();
    await rows.row('TypeError').waitFor({ state: 'detached' });
    await explorerPage(scene).locator('.notice-parts .codicon-plug').waitFor();
    await button('notices.connect').waitFor();
  });
});
