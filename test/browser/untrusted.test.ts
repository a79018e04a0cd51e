import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { buildDemoExtension } from '../../.config/build';
import { repository } from '../host/openEditor';
import {
  clickPick,
  dismiss,
  inputBox,
  notification,
  notifications,
  openContainer,
  quickPickItems,
  runCommand,
  statusBarItem,
  treeRow,
  waitForOutput,
} from '../host/workbench';
import { connect, eventually, openScene, picture, type Scene } from './scene';

const hostile =
  '[click](command:workbench.action.toggleSidebarVisibility) $(error) <img src=x> **bold**';

describe('what a control plane says', () => {
  let scene: Scene;
  before(async () => {
    const demo = await buildDemoExtension();
    scene = await openScene(
      (controlPlane) => {
        controlPlane.admin.fault({ kind: 'status', status: 401, message: hostile, times: 100 });
        return {
          // The demo connects by itself, so that the answer comes as a notification.
          extensions: [repository, demo],
          env: { DCP_DEMO_URL: controlPlane.url, DCP_DEMO_KEY: controlPlane.keys['demo-full'] },
        };
      },
      { historyRecords: 0 },
    );
  });
  after(() => scene.close());

  /**
   * Moves the mouse onto something until its tooltip is there: a row that is drawn again, since its
   * rate has changed, closes it, and an item of the status bar moves away from under the mouse when
   * the message beside it goes.
   */
  const hoverUntil = async (target: Locator, tooltip: Locator): Promise<void> => {
    await eventually(
      async () => {
        await scene.page.mouse.move(800, 300);
        await target.hover();
        return tooltip.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      },
      (isShown) => isShown,
      `the tooltip of ${String(target)}`,
    );
  };

  /** Nothing of the hostile text became a link, an image or bold anywhere in the window. */
  const staysText = async (): Promise<void> => {
    const { page } = scene;
    assert.equal(await page.locator('img[src="x"], img[src$="/x"]').count(), 0, 'no image');
    const links = page.locator('a', { hasText: /^click$/ });
    assert.equal(await links.count(), 0, 'no link');
  };

  it('F56 is text in a notification', async () => {
    const { page } = scene;
    const toast = notification(page, /does not accept this API key/).first();
    await toast.waitFor();
    const [message = ''] = await notifications(page);
    assert.include(message, '[click] (command:workbench.action.toggleSidebarVisibility)');
    assert.equal(await toast.locator('.notification-list-item-message a').count(), 0);
    await staysText();
    await picture(scene, 'hostile-notification');
    // The demo goes on to follow, which asks for a connection.
    await inputBox(page);
    await dismiss(page);
    scene.controlPlane.admin.reset();
  });

  it('F57 is text in the pick, the view, tooltips, the status bar and the channel', async () => {
    const { page, controlPlane } = scene;
    await openContainer(page, 'Control Plane');
    await connect(scene);
    controlPlane.admin.emit([{ workloadName: hostile, body: `first ${hostile}` }]);
    await runCommand(page, 'Control Plane: Follow Logs…');
    await eventually(
      () => quickPickItems(page),
      (items) => items.some((item) => item.startsWith('[click]')),
      'the workload is offered',
    );
    await staysText();
    await picture(scene, 'hostile-pick');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: '[click]' })
      .first()
      .click();
    await statusBarItem(page, 'live').waitFor();
    await waitForOutput(page, 'first [click](command:workbench');

    const tooltip = page.locator('.workbench-hover:visible', { hasText: /<img\ssrc=x>/ });
    await hoverUntil(treeRow(page, 'Logs', '[click]'), tooltip);
    await staysText();
    await picture(scene, 'hostile-tooltip');
    await hoverUntil(statusBarItem(page, 'live'), tooltip);
    await staysText();
    await hoverUntil(
      page.locator('.output-view .view-line', { hasText: 'first' }).last(),
      page.locator('.monaco-hover:visible', { hasText: 'workloadName' }),
    );
    await staysText();
    await picture(scene, 'hostile-hover');
    await statusBarItem(page, 'live').click();
    await quickPickItems(page);
    await staysText();
    await clickPick(page, 'Stop');
    await statusBarItem(page, 'stopped').waitFor();
  });
});
