import { assert } from 'chai';
import { answer, inputBox, openContainer, runCommand, statusBarItem } from '../host/workbench';
import { connect, eventually, openScene, picture, type Scene } from './scene';

describe('logs as text', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
    await openContainer(scene.page, 'Control Plane');
    await connect(scene);
  });
  after(() => scene.close());

  it('are opened by a query from the command palette, and their errors are symbols', async () => {
    const { page, controlPlane } = scene;
    controlPlane.admin.emit([
      { body: 'fine' },
      { body: 'broken\nError: no\n    at a (b.ts:1:2)\n    at c (d.ts:3:4)', severity: 'error' },
    ]);
    await runCommand(page, 'Control Plane: Open Logs as Text…');
    const box = await inputBox(page);
    assert.equal(box.title, 'Open Logs as Text');
    await answer(page, 'last:5m');
    await page.locator('.tab.active', { hasText: /^Logs .*\.log$/ }).waitFor();
    await page.locator('.editor-instance .view-line', { hasText: 'broken' }).waitFor();
    await statusBarItem(page, 'Log').waitFor();
    await picture(scene, 'logs-as-text');

    await runCommand(page, 'Fold All');
    await eventually(
      () => page.locator('.editor-instance .view-line', { hasText: 'd.ts:3:4' }).count(),
      (count) => count === 0,
      'the record is folded',
    );
    await runCommand(page, 'Go to Symbol in Editor...');
    const symbols = page.locator('.quick-input-list .monaco-list-row .label-name');
    await symbols.filter({ hasText: 'broken' }).waitFor();
    assert.lengthOf(await symbols.filter({ hasText: 'fine' }).all(), 0);
    await picture(scene, 'logs-as-text-symbols');
    await page.keyboard.press('Escape');
  });
});
