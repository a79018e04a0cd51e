import { assert } from 'chai';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import type { ControlPlane } from '../control-plane/server';
import { connect, eventually, picture, type Scene } from './scene';
import { openTrees } from './trees';

const { dialog, notification } = workbench;

/** What was posted to an end of a path. */
function posts({ controlPlane }: Scene, path: string) {
  return controlPlane.admin
    .requests()
    .filter(({ method, url }) => method === 'POST' && url.endsWith(path));
}

/** The servers by their names, as a person may call them. */
function named({ world }: ControlPlane): Record<string, unknown> {
  return {
    'controlPlane.servers': world.servers.map(({ id, name }) => ({ id, label: name })),
  };
}

/** Waits until a row of the activity reads like this. */
async function activityIs({ page }: Scene, pattern: RegExp): Promise<string> {
  const rows = await eventually(
    () => treeRows(page, 'Activity'),
    (all) => all.some((row) => pattern.test(row)),
    `no row of the activity is ${String(pattern)}`,
  );
  return rows.find((row) => pattern.test(row)) ?? '';
}

/** A toast that says how far something is. */
function toasts({ page }: Scene) {
  return page.locator('.notifications-toasts .notification-list-item');
}

describe('what changes something', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openTrees(
      (controlPlane) => ({
        settings: named(controlPlane),
        size: { width: 1280, height: 1000 },
      }),
      { operationSeconds: 6, historyRecords: 300 },
    );
    await connect(scene);
    await workbench.runCommand(scene.page, 'Control Plane: Focus on Activity View');
    await workbench.view(scene.page, 'Activity').getByText('Nothing was started').waitFor();
  });
  afterEach(() => scene.close());

  it('syncs the environment that is picked, and follows what it deploys', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await workbench.clickPick(page, 'data-platform');
    await workbench.clickPick(page, 'production');
    const toast = notification(page, /Sync production of data-platform/);
    await toast.waitFor();
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

  it('cleans up what is typed, once the modal and the name of the server agree', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await workbench.clickPick(page, 'fra-app-1');
    await workbench.answer(page, 'old-api, [x](command:workbench.action.quit), old-api');
    await page.locator('.quick-input-widget', { hasText: '2 Selected' }).waitFor();
    await picture(scene, 'clean-up-items');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await picture(scene, 'clean-up-modal');
    assert.include(await dialog(page).innerText(), 'Clean up 2 items on fra-app-1?');
    await dialog(page).getByRole('button', { name: 'Clean Up' }).click();
    await workbench.answer(page, 'fra-app-2');
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
    await picture(scene, 'clean-up-name');
    await workbench.answer(page, 'fra-app-1');
    await notification(page, /Clean up 2 items on fra-app-1/).waitFor();
    await picture(scene, 'clean-up-progress');
    await notification(page, /Clean up 2 items on fra-app-1: succeeded/).waitFor();
    await picture(scene, 'clean-up-over');
    await workbench.clickNotification(page, /Clean up 2 items/, 'Show Details');
    await page.locator('.editor-instance .view-line', { hasText: 'removed' }).first().waitFor();
    await picture(scene, 'clean-up-result');
    const [sent] = posts(scene, '/cleanup-orphans');
    assert.equal(
      sent?.body,
      '{"items":[{"name":"old-api"},{"name":"[x](command:workbench.action.quit)"}]}',
    );
    assert.equal(await toasts(scene).count(), 0);
  });
});
