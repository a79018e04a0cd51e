import { assert } from 'chai';
import * as workbench from '../host/workbench';
import {
  activityIs,
  boxSays,
  cleanUp,
  clearNotifications,
  openActions,
  openActivity,
  openPane,
  posts,
} from './actionScene';
import { connect, enterConnection, keyOf, picture, waitUntilConnected, type Scene } from './scene';

const { dialog, notification } = workbench;

describe('an action that the key may not do', () => {
  let scene: Scene;
  before(async () => {
    scene = await openActions(1);
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());
  afterEach(() => clearNotifications(scene));

  const use = async (key: string): Promise<void> => {
    await connect(scene, keyOf(scene, key));
    await clearNotifications(scene);
  };
  /** Waits for the modal that says what the key lacks. */
  const isSaid = (permission: string): Promise<void> =>
    dialog(scene.page)
      .filter({ hasText: `The API key lacks the permission ${permission}` })
      .waitFor();
  const quickInput = () => scene.page.locator('.quick-input-widget:visible');

  it('is refused after the modal, with the permission; from then on said before any question', async () => {
    const { page } = scene;
    await use('demo-without-server-remove');
    await openActivity(scene, 'Nothing was started');
    await cleanUp(scene, 'old-api');
    const refusal = notification(page, /Clean up old-api on fra-app-1: The API key lacks the per/);
    await refusal.waitFor();
    const text = await refusal.innerText();
    assert.match(text, /request req_[0-9a-f]+\)\sIt needs the permission server\.remove\./);
    await picture(scene, 'permission-after');
    await activityIs(scene, /Clean up old-api on fra-app-1 refused · /);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
    await clearNotifications(scene);

    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await isSaid('server.remove, which a clean-up needs.');
    await picture(scene, 'permission-before');
    assert.equal(await quickInput().count(), 0, 'nothing is asked');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    assert.equal(await quickInput().count(), 0, 'whoever dismisses it does not go on');

    // It may have been granted meanwhile.
    scene.controlPlane.admin.changeAccess('demo-without-server-remove', ['server.remove']);
    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await isSaid('server.remove, which a clean-up needs.');
    await dialog(page).getByRole('button', { name: 'Try Anyway' }).click();
    await workbench.clickPick(page, 'fra-app-1');
    await workbench.answer(page, 'granted');
    await page.locator('.quick-input-widget', { hasText: '1 Selected' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Clean Up' }).click();
    await activityIs(scene, /Clean up granted on fra-app-1 succeeded/);
    await clearNotifications(scene);
    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await workbench.clickPick(page, 'fra-app-1');
    await boxSays(scene, 'Names of items');
    await workbench.dismiss(page);
    assert.isEmpty(await workbench.notifications(page), 'it has the permission now');
  });

  it('is known by what a view was refused, and forgotten with the key', async () => {
    const { page } = scene;
    await use('demo-without-integration-manage');
    await openPane(scene, 'Integrations');
    await workbench.treeRow(page, 'Integrations', 'Missing permission').waitFor();
    await workbench.runCommand(page, 'Control Plane: Retry Preview Reporting');
    await isSaid('integration.manage, which preview reporting needs.');
    assert.isEmpty(posts(scene, '/retry-preview-reporting'));
    await dialog(page).getByRole('button', { name: 'Connect…' }).click();
    for (const text of ['demo', scene.controlPlane.url, keyOf(scene, 'demo-full')]) {
      await workbench.answer(page, text);
    }
    // With a key that may do it, what was asked for goes on.
    await notification(page, /Retry preview reporting: 3 attempted · 2 succeeded · 1/).waitFor();
    assert.lengthOf(posts(scene, '/retry-preview-reporting'), 1);
  });

  it('is known by the check of the connection', async () => {
    const { page } = scene;
    await use('demo-readonly');
    await workbench.runCommand(page, 'Control Plane: Check Connection and Permissions');
    const line = page.locator('.editor-instance .view-line');
    await line.filter({ hasText: /integration\.manage\s+✗/ }).waitFor();
    await workbench.runCommand(page, 'Control Plane: Retry Preview Reporting');
    await isSaid('integration.manage, which preview reporting needs.');
    await page.keyboard.press('Escape');
    assert.isEmpty(posts(scene, '/retry-preview-reporting'));
  });

  it('of a sync is refused with the permission, which the check then knows too', async () => {
    const { page } = scene;
    await use('demo-without-repository-sync');
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await workbench.clickPick(page, 'data-platform');
    await workbench.clickPick(page, 'production');
    const refusal = notification(page, /Sync production of data-platform: .*repository\.sync\./);
    await refusal.waitFor();
    await clearNotifications(scene);
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await isSaid('repository.sync, which a sync needs.');
    assert.equal(await quickInput().count(), 0, 'nothing is asked');
    await page.keyboard.press('Escape');
    await workbench.runCommand(page, 'Control Plane: Check Connection and Permissions');
    const line = page.locator('.editor-instance .view-line');
    await line.filter({ hasText: /repository\.sync\s+✗\smissing:\sthe\slast/ }).waitFor();
    assert.lengthOf(posts(scene, '/syncs'), 1);
  });

  it('says which permission is missing to list what could be synced', async () => {
    const { page } = scene;
    await enterConnection(page, scene.controlPlane.url, keyOf(scene, 'demo-logs'));
    await waitUntilConnected(scene);
    await clearNotifications(scene);
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await workbench.clickPick(page, 'data-platform');
    await notification(
      page,
      /cannot be listed\. .*It needs the permission repository\.read/,
    ).waitFor();
    assert.isEmpty(posts(scene, '/syncs'));
  });
});
