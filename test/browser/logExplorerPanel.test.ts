import { assert } from 'chai';
import { runCommand } from '../host/workbench';
import { openExplorer, search, type ExplorerScene } from './explorerPage';
import { eventually } from './scene';

/** What a page would do that someone has smuggled code into. */
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
    await runCommand(scene.page, 'View: Close Editor');
    refused.length = 0;
    await runCommand(scene.page, 'Control Plane: Search Logs');
    await search(scene, 'severity:error,warn last:24h');
    await scene.explorer.getByRole('row').nth(3).click();
    await scene.explorer.locator('.details').waitFor();
    assert.deepEqual(refused, []);
  });

  it('shows nothing any more at once when the key is gone, and says so', async () => {
    const page = scene.explorer;
    await runCommand(scene.page, 'Control Plane: Sign Out');
    await page.getByRole('row').nth(3).waitFor({ state: 'detached' });
    await eventually(
      () => page.locator('#page').innerText(),
      (text) => text.includes('needs an API key'),
      'it says what is missing',
    );
  });
});
