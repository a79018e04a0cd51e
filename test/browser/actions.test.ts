import { assert } from 'chai';
import * as workbench from '../host/workbench';
import {
  activityIs,
  boxSays,
  chooseInMenu,
  cleanUp,
  clearNotifications,
  openActions,
  openActivity,
  openPane,
  posts,
  typeAndEnter,
  typeCommand,
} from './actionScene';
import { connect, picture, type Scene } from './scene';

const { dialog, notification } = workbench;

describe('what changes something', () => {
  let scene: Scene;
  before(async () => {
    scene = await openActions(6);
    await connect(scene);
    await openActivity(scene, 'Nothing was started');
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());
  afterEach(() => clearNotifications(scene));

  it('is not sent where any question before it is dismissed', async () => {
    const { page } = scene;
    const steps = [
      () => boxSays(scene, 'hel-data-1'),
      async () => {
        await typeAndEnter(scene, 'fra-app-1');
        await boxSays(scene, 'Names of items');
      },
      async () => {
        await typeAndEnter(scene, 'old-api, tmp');
        await boxSays(scene, '2 Selected');
      },
      async () => {
        await page.keyboard.press('Enter');
        await dialog(page).waitFor();
      },
      async () => {
        await page.keyboard.press('Enter');
        await boxSays(scene, 'Type the name of the server');
      },
    ];
    for (let last = 1; last <= steps.length; last++) {
      await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
      for (const step of steps.slice(0, last)) await step();
      await page.keyboard.press('Escape');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await dialog(page).waitFor({ state: 'hidden' });
    }
    for (const text of [undefined, 'data-platform']) {
      await workbench.runCommand(page, 'Control Plane: Sync Environment…');
      await boxSays(scene, 'data-platform');
      if (text !== undefined) {
        await typeAndEnter(scene, text);
        await boxSays(scene, 'production');
      }
      await page.keyboard.press('Escape');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    }
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
    assert.isEmpty(posts(scene, '/syncs'));
    await workbench.view(page, 'Activity').getByText('Nothing was started').waitFor();
  });

  it('retries preview reporting from the view, with the details of what failed', async () => {
    const { page } = scene;
    const pane = await openPane(scene, 'Integrations');
    await pane.hover();
    await pane
      .locator('.pane-header')
      .getByRole('button', { name: /More Actions/ })
      .click();
    await chooseInMenu(scene, 'Retry Preview Reporting');
    const toast = notification(
      page,
      /Retry preview reporting: 3 attempted · 2 succeeded · 1 failed\./,
    );
    await toast.waitFor();
    await toast.locator('.codicon-warning').waitFor();
    await picture(scene, 'preview-reporting');
    await workbench.clickNotification(page, /3 attempted/, 'Show Details');
    await page.locator('.editor-instance .view-line', { hasText: /Failed\s+1/ }).waitFor();
    await workbench.runCommand(page, 'View: Close All Editors');
    await clearNotifications(scene);
    await typeCommand(scene, 'Control Plane: Retry Preview Reporting');
    await notification(page, /1 attempted · 1 succeeded · 0 failed\./).waitFor();
    assert.lengthOf(posts(scene, '/retry-preview-reporting'), 2);
    await pane.locator('.pane-header h3').click();
  });

  it('says what a server says as text (F56)', async () => {
    const { page } = scene;
    scene.controlPlane.admin.fault({
      kind: 'status',
      status: 400,
      message: 'No: [click](command:workbench.action.quit) $(bug)',
      endpoint: 'post_servers_cleanup_orphans',
    });
    await cleanUp(scene, 'old-api');
    const toast = notification(page, /No: \[click\] \(command:workbench\.action\.quit\)/);
    await toast.waitFor();
    assert.equal(await toast.locator('.notification-list-item-message a').count(), 0);
    await activityIs(scene, /Clean up old-api on fra-app-1 refused · No: \[click\]/);
  });

  it('goes on in the background, and at the control plane where nobody watches', async () => {
    const { page } = scene;
    await cleanUp(scene, 'first');
    const progress = notification(page, /Clean up first on fra-app-1/);
    await progress.getByText('Run in Background').click();
    await progress.waitFor({ state: 'hidden' });
    await activityIs(scene, /Clean up first on fra-app-1 (queued|running)/);
    await cleanUp(scene, 'second');
    await notification(page, /Clean up second on fra-app-1/)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await notification(page, /no longer watched\. The control plane goes on\./).waitFor();
    await activityIs(scene, /Clean up first on fra-app-1 succeeded · done/);
    await activityIs(scene, /Clean up second on fra-app-1 no longer watched/);
    await picture(scene, 'activity');
    await workbench.clickRowAction(page, 'Activity', 'Clean up second', 'Watch Again');
    await notification(page, /Clean up second on fra-app-1: succeeded/).waitFor();
    await activityIs(scene, /Clean up second on fra-app-1 succeeded · done/);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 2);
  });

  it('syncs the environment that is picked, and follows what it deploys', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await typeAndEnter(scene, 'data-platform');
    await boxSays(scene, 'production');
    await page.keyboard.press('Enter');
    const toast = notification(page, /Sync production of data-platform/);
    await toast.getByText('Run in Background').waitFor();
    await picture(scene, 'sync-progress');
    await activityIs(scene, /Sync production of data-platform \d (building|deploying|running)/);
    await activityIs(scene, /Sync production of data-platform \d succeeded/);
    await notification(page, /Sync production of data-platform: \d succeeded/).waitFor();
    await picture(scene, 'sync-over');
    await workbench.clickNotification(page, /Sync production/, 'Show Deployments');
    await page.locator('.pane-body .monaco-list-row.focused', { hasText: 'production' }).waitFor();
    assert.lengthOf(posts(scene, '/syncs'), 1);
  });
});
