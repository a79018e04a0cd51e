import { assert } from 'chai';
import type { Page } from 'playwright-core';
import { createPackage } from '../../.config/vsix';
import { temporaryFolder } from '../host/processes';
import { answer, openContainer, view, waitForOutput } from '../host/workbench';
import { keyOf, openScene, picture, type Scene } from './scene';

/** Keeps the title of every box that opens from now on, once for each time. */
async function watchBoxes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`{
    let last = '';
    const titles = (globalThis.boxTitles = []);
    const look = () => {
      const box = document.querySelector('.quick-input-widget');
      const isOpen = box !== null && box.style.display !== 'none';
      const title = isOpen ? box.querySelector('.quick-input-title').textContent : '';
      if (title !== '' && title !== last) titles.push(title);
      last = title;
    };
    new MutationObserver(look).observe(document.body, {
      attributes: true, characterData: true, childList: true, subtree: true,
    });
  }`);
  return () => page.evaluate('globalThis.boxTitles');
}

describe('the package', () => {
  let scene: Scene;
  before(async () => {
    const { file } = await createPackage(await temporaryFolder('package'));
    scene = await openScene({ extensions: [file] });
  });
  after(() => scene.close());

  it('brings logs by one click and three inputs: the URL, the key and what to follow', async () => {
    const { page, controlPlane } = scene;
    await openContainer(page, 'Control Plane');
    const boxes = await watchBoxes(page);
    await view(page, 'Logs').getByRole('button', { name: 'Connect…' }).click();
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: 'Follow Logs' }).waitFor();
    // Everything is what the box proposes.
    await page.keyboard.press('Enter');
    // What has been logged before comes first.
    await waitForOutput(page, /\]\s\S/);
    controlPlane.admin.emit([{ body: 'seen by the package' }]);
    await waitForOutput(page, 'seen by the package');
    assert.deepEqual(await boxes(), [
      'Connect to a Control Plane (1/3)',
      `Connect to ${new URL(controlPlane.url).host} (2/3)`,
      'Follow Logs (3/3)',
    ]);
    await picture(scene, 'packaged');
  });
});
