import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { treeRows } from '../../host/treeRows';
import * as workbench from '../../host/workbench';
import { activityIs, agreeToCleanUp, boxSays, posts, setActions } from '../actionScene';
import { expect, keyOf, picture } from '../scene';

/** What a server with more than the API document says of actions. Nothing is set. */
describe('An action of a server that describes itself', () => {
  // Its limit of requests is what test/browser/views/describedServer.test.ts is about.
  const perMinute = { key: 10_000, workspace: 10_000 };
  const scene = setActions({ like: 'real', operationSeconds: 2, unkind: { perMinute } });
  before(() => scene.driver.set({ 'controlPlane.sources': null, 'controlPlane.servers': null }));

  it('says that a sync pauses the automatic deployment, for a key that may not deploy', async () => {
    const { page, driver, controlPlane } = scene;
    await scene.reconnect('demo-member', 'of a member');
    const { id: sourceId, environmentId } = controlPlane.world.sources.find(
      ({ name }) => name === 'shop-web',
    )!;
    const synced = driver.run('controlPlane.syncEnvironment', { sourceId, environmentId });
    await expect(workbench.dialog(page)).toContainText('deployment.create');
    await picture(scene, 'described-sync');
    await workbench.proceed(workbench.dialog(page)).click();
    await synced;
    const imported = [uiText('configuration imported'), uiText('automatic deployment is paused')];
    await expect
      .poll(async () => (await treeRows(page, 'activity')).join('\n'))
      .toContain(imported.join(' · '));
    await picture(scene, 'described-sync-ended');
  });

  it('says what is wrong with the configuration after a sync', async () => {
    const { page } = scene;
    const synced = scene.driver.run('controlPlane.syncEnvironment');
    await workbench.clickPick(page, 'example-shop/shop-services');
    await workbench.clickPick(page, 'staging');
    await workbench.proceed(workbench.dialog(page)).click();
    await synced;
    const problem = 'apps.payments.rollout: Unrecognized key: "replcias"';
    const words = `${uiText('the configuration was not imported')}: ${problem}`;
    const title = uiText('Sync {0} of {1}', 'staging', 'example-shop/shop-services');
    await activityIs(scene, `${title} ${words} · ${uiText('{0} more problem', 1)}`);
    await workbench.notification(page, words).waitFor();
    await picture(scene, 'described-sync-problem');
  });

  it('cleans up what it lists as orphans, with their kinds, and lists them again if they have changed', async () => {
    const { page, controlPlane } = scene;
    const { admin } = controlPlane;
    const { id: serverId } = controlPlane.world.servers[0]!;
    const headers = {
      authorization: `Bearer ${keyOf(scene, 'demo-full')}`,
      'content-type': 'application/json',
      'idempotency-key': 'of a colleague',
    };
    /** Chooses an orphan in the list, which has nothing ticked. */
    async function choose(name: string): Promise<void> {
      await boxSays(scene, name);
      await boxSays(scene, '0 Selected');
      await picture(scene, 'described-orphans');
      await workbench.clickPick(page, name);
      await boxSays(scene, '1 Selected');
      await page.keyboard.press('Enter');
      await workbench.dialog(page).waitFor();
    }
    scene.driver.run('controlPlane.cleanUpOrphans', { serverId }).catch(() => undefined);
    await choose('web-api-old-0');
    await expect(workbench.dialog(page)).toContainText('web-api-old-0 (container)');
    // Meanwhile, a colleague cleans it up.
    const body = JSON.stringify({ items: [{ kind: 'container', name: 'web-api-old-0' }] });
    const theirs = `${controlPlane.url}/v1/api/servers/${serverId}/actions/cleanup-orphans`;
    const { status } = await fetch(theirs, { method: 'POST', headers, body });
    assert.equal(status, 202);
    const states = (): unknown[] => admin.operations().map(({ state }) => state);
    await expect.poll(states).toEqual(['succeeded']);
    await agreeToCleanUp(scene);
    const title = (name: string): string => uiText('Clean up {0} on {1}', name, 'fra-app-1');
    await activityIs(scene, `${title('web-api-old-0')} ${uiText('refused')}`);
    assert.lengthOf(
      posts(scene, '/cleanup-orphans').filter(({ status }) => status === 409),
      1,
      'it was sent once',
    );
    await picture(scene, 'described-orphans-refused');
    await workbench.clickNotification(page, /ORPHAN_SNAPSHOT_STALE/, uiText('List Again…'));
    await choose('old-data-0');
    await agreeToCleanUp(scene);
    const gone = uiText('not listed as orphans any more');
    await activityIs(scene, `${title('old-data-0')} ${gone}`);
    assert.deepInclude(
      posts(scene, '/cleanup-orphans').map((one) => one.body),
      '{"items":[{"kind":"volume","name":"old-data-0"}]}',
    );
  });
});
