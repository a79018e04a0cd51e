import { assert } from 'chai';
import { runCommand } from '../host/workbench';
import type { ExplorerScene } from './explorerPage';
import { explorerPage, openExplorer, search, searches } from './explorerPage';
import { eventually } from './scene';

/** What a page would do that someone has smuggled code into. */
const tryEverything = `async (page) => {
  const broken = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    broken.push(event.effectiveDirective);
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
  try {
    result.eval = new Function('return "ran"')();
  } catch {}
  script.remove();
  image.remove();
  style.remove();
  return result;
}`;

interface Tried {
  readonly fetch: string;
  readonly eval: string;
  readonly inline: boolean;
  readonly handler: boolean;
  readonly isHidden: boolean;
  readonly broken: string[];
}

describe('the panel of the Log Explorer', () => {
  let scene: ExplorerScene;
  /** What the browser has refused the page. */
  const refused: string[] = [];
  before(async () => {
    scene = await openExplorer({ historyRecords: 300 });
    scene.page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
    });
    await search(scene, 'severity:error,warn last:24h');
    await scene.explorer.getByRole('row').nth(3).waitFor();
  });
  after(() => scene.close());

  it('runs its own script alone, and neither loads nor asks anything elsewhere (F58)', async () => {
    const page = scene.explorer.locator('#page');
    const tried = await page.evaluate<Tried, undefined>(tryEverything, undefined);
    const nothing = { fetch: 'refused', eval: 'refused', inline: false, handler: false };
    assert.include(tried, { ...nothing, isHidden: false });
    assert.includeMembers(tried.broken, [
      'script-src-elem',
      'img-src',
      'connect-src',
      'style-src-elem',
    ]);
  });

  it('is refused nothing that it needs, and so needs no inline style', async () => {
    refused.length = 0;
    await scene.page.reload();
    const page = explorerPage(scene);
    await page.getByRole('row').nth(3).waitFor();
    await page.locator('.details, [role=grid]').first().waitFor();
    assert.deepEqual(refused, []);
  });

  it('comes back after a reload of the window, with its query, which is run again', async () => {
    const before = searches(scene).length;
    await scene.page.reload();
    const page = explorerPage(scene);
    await page.getByRole('row').nth(3).waitFor();
    const bar = page.getByRole('combobox', { name: 'Query' });
    assert.equal(await bar.inputValue(), 'severity:error,warn last:24h');
    const [again, ...more] = searches(scene).slice(before);
    assert.deepEqual(again?.filters['severities'], ['warn', 'error']);
    assert.lengthOf(more, 0, 'it was run once');
  });

  it('shows nothing any more at once when the key is gone, and says so', async () => {
    const page = explorerPage(scene);
    await runCommand(scene.page, 'Control Plane: Sign Out');
    await page.getByRole('row').nth(3).waitFor({ state: 'detached' });
    await eventually(
      () => page.locator('#page').innerText(),
      (text) => /signed out/i.test(text),
      'it says that nobody is signed in',
    );
  });
});
