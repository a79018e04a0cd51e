import { assert } from 'chai';
import * as workbench from '../host/workbench';
import { activityIs, cleanUp, openActions, openActivity, posts } from './actionScene';
import { connect, eventually, picture, type Scene } from './scene';

const { dialog, notification } = workbench;

describe('what is under way when its window ends', () => {
  let scene: Scene;
  before(async () => {
    scene = await openActions(25);
    await connect(scene);
    await openActivity(scene, 'Nothing was started');
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());

  it('is watched again after a reload, by one of two windows (F44)', async () => {
    const { page, window, controlPlane } = scene;
    await cleanUp(scene, 'old-api');
    await activityIs(scene, /Clean up old-api on fra-app-1 queued/);
    const other = await window.newWindow();
    await workbench.openContainer(other, 'Control Plane');
    await openActivity({ ...scene, page: other }, /Clean up old-api/);
    await workbench.reload(page);
    await activityIs(scene, /Clean up old-api on fra-app-1 succeeded · done/, 60_000);
    await activityIs({ ...scene, page: other }, /Clean up old-api on fra-app-1 succeeded · done/);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
    assert.lengthOf(controlPlane.admin.operations(), 1);
    assert.equal(await dialog(other).count(), 0);
    await other.close();
  });

  it('is asked about after a reload where no answer came, and sent once more at most (F44)', async () => {
    const { page, controlPlane } = scene;
    controlPlane.admin.fault({ kind: 'stall', endpoint: 'post_servers_cleanup_orphans' });
    await cleanUp(scene, 'stuck');
    await activityIs(scene, /Clean up stuck on fra-app-1 sending/);
    await eventually(
      () => Promise.resolve(controlPlane.admin.operations().length),
      (count) => count === 2,
      'accepted, and nobody knows',
    );
    await workbench.reload(page);
    const question = notification(page, /Clean up stuck on fra-app-1: whether it has started/);
    await question.waitFor({ timeout: 60_000 });
    await picture(scene, 'clean-up-unknown');
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1, 'not without a word of the person');
    await workbench.clickNotification(page, /whether it has started/, 'Send Again…');
    await dialog(page).waitFor();
    await picture(scene, 'clean-up-again-modal');
    await dialog(page).getByRole('button', { name: 'Send Again' }).click();
    await activityIs(scene, /Clean up stuck on fra-app-1 (queued|running|succeeded).*replayed/);
    const sent = posts(scene, '/cleanup-orphans');
    assert.lengthOf(sent, 2);
    assert.equal(sent[0]?.body, sent[1]?.body);
    assert.equal(sent[0]?.headers['idempotency-key'], sent[1]?.headers['idempotency-key']);
    assert.lengthOf(controlPlane.admin.operations(), 2);
  });
});
