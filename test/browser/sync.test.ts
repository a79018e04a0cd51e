import path from 'node:path';
import { assert } from 'chai';
import { createGitFolder, type GitFolder } from '../host/gitFolder';
import { temporaryFolder } from '../host/processes';
import { treeRowAt } from '../host/treeRows';
import * as workbench from '../host/workbench';
import {
  activityIs,
  boxSays,
  chooseInRowMenu,
  clearNotifications,
  openActivity,
  posts,
  typeAndEnter,
} from './actionScene';
import { connect, openScene, picture, sideBar, type Scene } from './scene';
import { knownThings, tooltipOf } from './trees';

const { notification } = workbench;
const branchItem =
  '.statusbar .statusbar-item[id="control-plane.deployment-control-plane.controlPlane.branch"]';
const staging = '00000000-0000-4000-8000-000000000abc';

describe('a sync of an environment', () => {
  let scene: Scene;
  let code: GitFolder;

  before(async () => {
    const folder = await temporaryFolder('code');
    const origin = path.join(folder, 'example-shop', 'shop-web.git');
    await (await createGitFolder(origin)).git('config', 'core.bare', 'true');
    code = await createGitFolder(path.join(folder, 'mine'));
    await code.commit('page.ts', 'export const page = 1;\n');
    await code.git('remote', 'add', 'origin', origin);
    scene = await openScene(
      (controlPlane) => ({
        folder: code.folder,
        size: { width: 1280, height: 1200 },
        settings: { ...knownThings(controlPlane), 'git.enabled': true, 'git.autofetch': false },
      }),
      { historyRecords: 0, operationSeconds: 2 },
    );
    // The first app of the source is in an environment of another branch, which is listed first.
    const { world, admin } = scene.controlPlane;
    const [first, ...others] = world.workloads.filter(({ source }) => source.name === 'shop-web');
    admin.change(first!.id, { environment: { id: staging, name: 'staging', branch: 'next' } });
    for (const { id, source } of others) {
      const environment = { id: source.environmentId, name: 'production', branch: 'main' };
      admin.change(id, { environment });
    }
    await workbench.openContainer(scene.page, 'Control Plane');
    await connect(scene);
    await scene.page.locator(branchItem, { hasText: 'production' }).waitFor();
    await openActivity(scene, 'Nothing was started');
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());
  afterEach(() => clearNotifications(scene));

  /** The paths of the syncs that were sent. */
  const sent = (): string[] => posts(scene, '/syncs').map(({ url }) => url);
  const source = (name: string) =>
    scene.controlPlane.world.sources.find((one) => one.name === name)!;
  const pathOf = (name: string): string =>
    `/v1/api/sources/${source(name).id}/environments/${source(name).environmentId}/syncs`;

  /** Waits until it has been sent and all that it has deployed is over. */
  async function isOver(name: string): Promise<void> {
    await notification(
      scene.page,
      new RegExp(`Sync production of ${name}: \\d succeeded`),
    ).waitFor();
    await activityIs(scene, new RegExp(`Sync production of ${name} \\d succeeded`));
  }

  it('is in the menu of its row, and cancelled while nothing is sent', async () => {
    const { page, controlPlane } = scene;
    const row = await treeRowAt(page, 'Sources', ['shop-services', 'production']);
    controlPlane.admin.fault({ kind: 'stall', endpoint: 'get_sources_resources' });
    await chooseInRowMenu(scene, row, 'Sync Environment…');
    const progress = notification(page, /Sync production of shop-services: looking at what is dep/);
    await progress.waitFor();
    await picture(scene, 'sync-looking');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await notification(page, /shop-services: cancelled, nothing was sent\./).waitFor();
    assert.isEmpty(sent());
    await workbench.view(page, 'Activity').getByText('Nothing was started').waitFor();
  });

  it('of a row is sent once, and shows the members of its answer', async () => {
    const { page } = scene;
    const row = await treeRowAt(page, 'Sources', ['data-platform', 'production']);
    await chooseInRowMenu(scene, row, 'Sync Environment…');
    await isOver('data-platform');
    assert.deepEqual(sent(), [pathOf('data-platform')]);
    await workbench.clickRowAction(page, 'Activity', 'Sync production of', 'Show Result');
    const line = page.locator('.editor-instance .view-line');
    const { revision } = source('data-platform');
    await line.filter({ hasText: new RegExp(`Sync\\s›\\sCommit\\ssha\\s+${revision}`) }).waitFor();
    await line.filter({ hasText: /Sync\s›\sState\s+accepted/ }).waitFor();
    await line.filter({ hasText: /Sync\s›\sDeployment\sids\s+[0-9a-f-]{36},\s/ }).waitFor();
    await picture(scene, 'sync-members');
    await workbench.runCommand(page, 'View: Close All Editors');
    const entry = workbench.treeRow(page, 'Activity', 'Sync production of data-platform');
    await tooltipOf(page, entry, revision);
    await page.mouse.move(900, 500);
  });

  it('of the palette asks for source and environment, those of the branch first', async () => {
    const { page } = scene;
    await page.keyboard.press('F1');
    await boxSays(scene, /./);
    await typeAndEnter(scene, 'Control Plane: Sync Environment');
    await boxSays(scene, 'of the folder that is open');
    const sources = await workbench.quickPickItems(page);
    assert.match(sources[0]!, /^shop-web · \w{8} · of the folder that is open$/);
    assert.lengthOf(sources, 4);
    await page.keyboard.press('Enter');
    await boxSays(scene, 'of the branch that is checked out');
    await picture(scene, 'sync-environments');
    assert.deepEqual(await workbench.quickPickItems(page), [
      'production · main · 2 apps and jobs · of the branch that is checked out',
      'staging · next · 1 app or job',
    ]);
    await page.keyboard.press('Enter');
    await isOver('shop-web');
    assert.deepEqual(sent(), [pathOf('shop-web')]);
  });

  it('of the status bar is that of the branch', async () => {
    const { page } = scene;
    await page.locator(branchItem, { hasText: 'production' }).click();
    await workbench.clickPick(page, 'Sync Environment…');
    await isOver('shop-web');
    assert.deepEqual(sent(), [pathOf('shop-web')]);
  });

  it('of a source without an environment to sync says so', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await workbench.clickPick(page, 'operations');
    await notification(page, 'This source has no environment to sync.').waitFor();
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    assert.isEmpty(sent());
  });

  it('of which no answer came is not sent again, and leads to what is deployed', async () => {
    const { page, controlPlane } = scene;
    const endpoint = 'post_sources_environments_syncs';
    controlPlane.admin.fault({ kind: 'status', status: 502, accepted: true, endpoint });
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await workbench.clickPick(page, 'data-platform');
    await workbench.clickPick(page, 'production');
    const toast = notification(
      page,
      /Sync production of data-platform: no answer came, so whether/,
    );
    await toast.waitFor();
    await picture(scene, 'sync-unknown');
    // It is looked at, which tells what the outcome is, and still not sent again.
    await activityIs(scene, /Sync production of data-platform outcome unknown · \d succeeded/);
    await workbench.clickNotification(page, /Sync production of data-platform/, 'Show Deployments');
    await page.locator('.pane-body .monaco-list-row.focused', { hasText: 'production' }).waitFor();
    assert.deepEqual(sent(), [pathOf('data-platform')]);
    await picture(scene, 'sync-unknown-row', sideBar);
  });
});
