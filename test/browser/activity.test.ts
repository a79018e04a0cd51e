import { assert } from 'chai';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import {
  accepted,
  activityIs,
  chooseInRowMenu,
  clearNotifications,
  openActions,
  openActivity,
  posts,
  typeCommand,
} from './actionScene';
import { connect, enterConnection, eventually, keyOf, picture, sideBar, type Scene } from './scene';

const { notification } = workbench;
const over = { state: 'succeeded', phase: 'done', finishedAt: '2026-11-21T12:00:00.000Z' };

/** Makes room for the rows of the side bar: draws its edge this far to the right. */
async function widen({ page }: Scene, to: number): Promise<void> {
  const box = await page.locator(sideBar).boundingBox();
  if (box === null) throw new Error('There is no side bar.');
  await page.mouse.move(box.x + box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(to, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
}

describe('the activity', () => {
  let scene: Scene;
  /** Ids of operations that go on until a test ends them. */
  const going: string[] = [];
  before(async () => {
    scene = await openActions(3600);
    await connect(scene);
    await openActivity(scene, 'Nothing was started');
    for (const title of ['Logs', 'Sources']) {
      await workbench.view(scene.page, title).locator('.pane-header h3').click();
    }
    await widen(scene, 760);
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());
  afterEach(async () => {
    for (const id of going.splice(0)) scene.controlPlane.admin.change(id, over);
    await clearNotifications(scene);
  });

  async function begin(item: string): Promise<string> {
    const id = await accepted(scene, item);
    going.push(id);
    return id;
  }

  /** Starts a clean-up of this item, sends it to the background, and makes it what a test wants. */
  async function start(item: string, members: object = {}): Promise<string> {
    const id = await begin(item);
    // What is over by then cannot be sent there.
    await workbench.runCommand(scene.page, 'Control Plane: Run in Background');
    scene.controlPlane.admin.change(id, { ...members });
    return id;
  }

  const row = (text: string) => workbench.treeRow(scene.page, 'Activity', text);

  it('shows a state that nobody knows, and a cancellation that was asked for, as they are', async () => {
    const { page, controlPlane } = scene;
    const id = await start('frozen', {
      state: 'defrosting [x](command:workbench.action.quit)',
      phase: 'phase 7 $(bug) <b>',
    });
    await activityIs(
      scene,
      /^Clean up frozen on fra-app-1 defrosting \[x\] \(command:workbench\.action\.quit\) · phase 7 \$\(bug\) <b> · by demo-full · /,
    );
    assert.equal(await row('frozen').locator('a[href], b').count(), 0);
    await row('frozen').locator('.codicon-circle-large-outline').waitFor();
    assert.include(await row('frozen').getAttribute('aria-label'), 'defrosting');
    const cancelRequestedAt = '2026-11-21T12:00:00.000Z';
    controlPlane.admin.change(id, { state: 'running', phase: 'removing', cancelRequestedAt });
    await activityIs(scene, /frozen on fra-app-1 running · removing · cancel requested · by /);
    controlPlane.admin.change(id, { state: 'mothballed', finishedAt: cancelRequestedAt });
    await activityIs(scene, /frozen on fra-app-1 mothballed · removing · cancel requested · by /);
    await row('frozen').locator('.codicon-circle-large-outline').waitFor();
    assert.isEmpty(await workbench.notifications(page), 'nobody asked to be told of its end');
  });

  it('shows what was deleted, what has expired and what nobody knows as they are', async () => {
    const { page, controlPlane } = scene;
    await start('deleted', { state: 'running', deletedAt: '2026-11-21T12:00:00.000Z' });
    await activityIs(scene, /Clean up deleted on fra-app-1 running · queued · deleted · by /);
    // It is over, whatever it was doing: nothing turns.
    await row('Clean up deleted').locator('.codicon-trash').waitFor();
    await start('expired', { state: 'expired', phase: 'expired' });
    await activityIs(scene, /Clean up expired on fra-app-1 expired · by demo-full · /);
    await row('Clean up expired').locator('.codicon-history').waitFor();
    for (const [status, item, words] of [
      [410, 'removed', 'expired: the control plane has removed the operation'],
      [404, 'lost', 'outcome unknown: the control plane does not know the operation'],
    ] as const) {
      await start(item);
      controlPlane.admin.fault({ kind: 'status', status, times: 3, endpoint: 'get_operation' });
      await activityIs(scene, new RegExp(`Clean up ${item} on fra-app-1 ${words} · queued · `));
      await row(`Clean up ${item}`).locator('.codicon-question').waitFor();
      controlPlane.admin.reset();
    }
    await start('goes-on', { state: 'running', phase: 'removing' });
    await activityIs(scene, /goes-on on fra-app-1 running · removing · by demo-full · /);
    await page.mouse.move(1000, 500);
    await picture(scene, 'activity-states');
  });

  it('counts what goes on in the badge of the container', async () => {
    const { page, controlPlane } = scene;
    const badge = page
      .locator('.activitybar')
      .getByRole('tab', { name: 'Control Plane' })
      .locator('.badge-content');
    const count = async (): Promise<number> =>
      (await badge.isVisible()) ? Number(await badge.innerText()) : 0;
    // Alert rules that fire are counted too.
    const before = controlPlane.world.servers.length;
    const is = (running: number): Promise<number> =>
      eventually(count, (number) => number === before + running, `${running} are running`);
    await is(0);
    const id = await start('one');
    await is(1);
    await start('two');
    await is(2);
    controlPlane.admin.change(id, over);
    await is(1);
  });

  it('does what its menu offers, with the keyboard alone', async () => {
    const { page, controlPlane } = scene;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = await start('menu');
    await activityIs(scene, /Clean up menu on fra-app-1 queued/);
    await chooseInRowMenu(scene, row('Clean up menu'), 'Copy Id');
    await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (text) => text === id,
      'the id of the operation',
    );
    await chooseInRowMenu(scene, row('Clean up menu'), 'Stop Watching');
    await activityIs(scene, /Clean up menu on fra-app-1 no longer watched · queued/);
    await chooseInRowMenu(scene, row('Clean up menu'), 'Show Result');
    await page.locator('.editor-instance .view-line', { hasText: id }).first().waitFor();
    await workbench.runCommand(page, 'View: Close All Editors');
    await chooseInRowMenu(scene, row('Clean up menu'), 'Watch Again');
    await notification(page, /Clean up menu on fra-app-1: queued — Run in Background/).waitFor();
    controlPlane.admin.change(id, over);
    await activityIs(scene, /Clean up menu on fra-app-1 succeeded · done/);
    await chooseInRowMenu(scene, row('Clean up menu'), 'Remove from List');
    await eventually(
      () => treeRows(page, 'Activity'),
      (rows) => !rows.some((one) => one.includes('Clean up menu')),
      'it is taken off the list',
    );
  });

  it('shows how far something is that is watched again, and nothing else (a second progress)', async () => {
    const { page, controlPlane } = scene;
    const id = await begin('again');
    const progress = notification(page, /Clean up again on fra-app-1: (queued|running)/);
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await notification(page, /Clean up again on fra-app-1: no longer watched/).waitFor();
    await workbench.clickNotification(page, /Clean up again/, 'Watch Again');
    await progress.getByText('Run in Background').waitFor();
    controlPlane.admin.change(id, { state: 'running', phase: 'half of it' });
    await notification(page, /Clean up again on fra-app-1: running · half of it/).waitFor();
    await picture(scene, 'watched-again');
    assert.lengthOf(await workbench.notifications(page), 1);
    controlPlane.admin.change(id, over);
    await notification(page, /Clean up again on fra-app-1: succeeded · done\./).waitFor();
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
  });

  it('goes on in the background, sent there by the keyboard', async () => {
    const { page, controlPlane } = scene;
    const byLink = await begin('link');
    const progress = (item: string) => notification(page, new RegExp(`Clean up ${item} on fra`));
    await progress('link').getByText('Run in Background').waitFor();
    await typeCommand(scene, 'Notifications: Focus Notification Toast');
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
    const seen: string[] = [];
    while (seen.length < 6 && (await focused()).trim() !== 'Run in Background') {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    assert.equal((await focused()).trim(), 'Run in Background', seen.join(' | '));
    await page.keyboard.press('Enter');
    await progress('link').waitFor({ state: 'hidden' });
    const byCommand = await begin('palette');
    await progress('palette').getByText('Run in Background').waitFor();
    await typeCommand(scene, 'Control Plane: Run in Background');
    await progress('palette').waitFor({ state: 'hidden' });
    await activityIs(scene, /Clean up link on fra-app-1 queued/);
    await activityIs(scene, /Clean up palette on fra-app-1 queued/);
    [byLink, byCommand].forEach((id) => controlPlane.admin.change(id, over));
    await activityIs(scene, /Clean up link on fra-app-1 succeeded · done/);
    await activityIs(scene, /Clean up palette on fra-app-1 succeeded · done/);
    assert.isEmpty(await workbench.notifications(page));
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 2);
  });

  it('stays with its connection: another shows none of it, and the first goes on', async () => {
    const { page, controlPlane } = scene;
    const id = await start('mine');
    await activityIs(scene, /Clean up mine on fra-app-1 queued/);
    await enterConnection(page, controlPlane.url, keyOf(scene, 'demo-full'), {
      name: 'elsewhere',
    });
    await workbench.view(page, 'Activity').getByText('Nothing was started').waitFor();
    controlPlane.admin.change(id, over);
    await workbench.runCommand(page, 'Control Plane: Switch Connection…');
    await workbench.clickPick(page, new URL(controlPlane.url).host);
    await activityIs(scene, /Clean up mine on fra-app-1 succeeded · done/);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
  });
});
