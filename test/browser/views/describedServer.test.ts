import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { assert } from 'chai';
import { createGitFolder, gitFolder, type GitFolder } from '../../host/gitFolder';
import { temporaryFolder } from '../../host/processes';
import { scaled } from '../../host/slowness';
import { uiPattern, uiText } from '../../host/texts';
import { openRow, treeRows } from '../../host/treeRows';
import * as workbench from '../../host/workbench';
import { activityIs, agreeToCleanUp, boxSays, posts } from '../actionScene';
import { expect, keyOf, picture, setScene } from '../scene';
import { showOnly, steady } from '../trees';

const good = 'export const cents = 100;\n';

/** A server with more than the API document says, and other names where that leaves them open. Nothing is set. */
describe('a server that describes itself', () => {
  let code: GitFolder;
  const scene = setScene({
    folder: async () => {
      const base = await temporaryFolder('described');
      const origin = path.join(base, 'example-shop', 'shop-web.git');
      const { folder } = await createGitFolder(path.join(base, 'shop-web'));
      code = gitFolder(folder);
      await code.git('init', '--quiet', '--bare', origin);
      await code.git('remote', 'add', 'origin', origin);
      await code.commit('src/price.ts', good, 'Show prices');
      await code.git('push', '--quiet', '--set-upstream', 'origin', 'main');
      return code.folder;
    },
    settings: { 'git.enabled': true, 'git.autofetch': false },
    controlPlane: { like: 'real', operationSeconds: 2 },
    size: { width: 1280, height: 1600 },
  });

  /** Requests that failed, as text. */
  const failed = (): readonly string[] =>
    scene.controlPlane.admin
      .requests()
      .filter(({ status = 0 }) => status >= 400)
      .map(
        ({ at, method, url, status }) => `${new Date(at).toISOString()} ${method} ${url} ${status}`,
      );
  /** Waits until rows of a tree begin with these lines. */
  async function shows(
    name: 'sources' | 'servers' | 'integrations',
    ...starts: readonly string[]
  ): Promise<void> {
    const missing = async (): Promise<readonly string[]> => {
      const rows = (await treeRows(scene.page, name)).map(steady);
      return starts.filter((one) => !rows.some((row) => row.startsWith(one)));
    };
    await expect.poll(missing).toEqual([]);
  }
  const named = (name: string) =>
    scene.controlPlane.world.sources.find((one) => one.name === name)!;
  const apps = () =>
    scene.controlPlane.world.workloads.filter(({ source }) => source.name === 'shop-web');

  it('shows its sources, servers and repositories by their names, without Discover', async () => {
    const { page } = scene;
    await showOnly(page, 'sources');
    const source = 'example-shop/shop-services';
    await openRow(page, 'sources', [source, 'production', uiText('Secret Keys')]);
    await openRow(page, 'sources', [source, 'staging', uiText('Secret Keys')]);
    await openRow(page, 'sources', [source, 'staging', 'payments']);
    const empty = 'example-shop/data-platform';
    await openRow(page, 'sources', [empty, 'experiments']);
    const keys = uiText('{0} keys', 4);
    await shows(
      'sources',
      empty,
      '  experiments experiments',
      `    ${uiText('Secret Keys of Previews')}`,
      '    orders-db running',
      '  staging develop',
      '      # succeeded with warnings',
      `      deployment ${keys} · ${uiText('revision {0}', '')}`,
      `      deployment ${keys} · ${uiText('{0} missing', 1)}`,
    );
    await picture(scene, 'described-sources');
    await showOnly(page, 'servers');
    await openRow(page, 'servers', ['fra-app-1', uiText('Alert Rules')]);
    await shows('servers', `fra-app-1 ${uiText('{0} firing', 1)}`, '    web-api: GET /healthz');
    await showOnly(page, 'integrations');
    await openRow(page, 'integrations', [uiText('Repositories')]);
    const select = uiText('Select a Connection…');
    await shows('integrations', `  ${select} `);
    await workbench.treeRow(page, 'integrations', select).click();
    await workbench.clickPick(page, 'Forge of shop');
    await shows(
      'integrations',
      `${uiText('Repositories')} shop-forge · `,
      '  example-shop/billing-api main',
    );
  });

  it('follows a push of three apps, with hardly a request too many', async () => {
    const { page, driver } = scene;
    const { admin } = scene.controlPlane;
    await showOnly(page, 'sources', 'activity');
    const steps = [{ afterSeconds: 0, state: 'switching_traffic' }];
    const deploy = (commitSha: string): string[] =>
      apps().map(({ id }) => admin.deploy(id, { commitSha }, steps));
    const end = (deployments: readonly string[]): void => {
      const finishedAt = new Date().toISOString();
      for (const id of deployments) {
        admin.change(id, { state: 'succeeded_with_warnings', finishedAt });
      }
    };
    end(deploy(await code.git('rev-parse', 'HEAD')));
    await driver.run('controlPlane.refresh');
    await workbench.statusBarItem(page, /production/).waitFor();
    const sha = await code.commit('src/price.ts', `${good}// in euros\n`, 'Say what prices are in');
    await code.git('push', '--quiet');
    const deployments = deploy(sha);
    await workbench.statusBarItem(page, /production 0.3/).waitFor();
    end(deployments);
    const live = [sha.slice(0, 7), 'production', /.+/] as const;
    const notice = uiPattern('{1} is live in {2}: {0} apps in {3}', '3', ...live);
    await workbench.notification(page, notice).waitFor({ timeout: 60_000 });
    const [first] = admin.requests();
    const isLate = (at: number): boolean => at > (first?.at ?? 0) + 60_000;
    const all = admin.requests();
    assert.isEmpty(all.filter(({ status }) => status === 400));
    assert.isEmpty(
      all.filter(({ status, at }) => status === 404 && isLate(at)),
      failed().join(),
    );
    assert.isAtMost(all.filter(({ status }) => status === 429).length, 1);
  });

  it('says that a sync pauses the automatic deployment, for a key that may not deploy', async () => {
    const { page, driver } = scene;
    await scene.reconnect('demo-member', 'of a member');
    const { id: sourceId, environmentId } = named('shop-web');
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
    await scene.reconnect('demo-full', 'of a broken configuration');
    await showOnly(page, 'sources', 'activity');
    const synced = scene.driver.run('controlPlane.syncEnvironment');
    await workbench.clickPick(page, 'example-shop/shop-services');
    await workbench.clickPick(page, 'staging');
    await workbench.proceed(workbench.dialog(page)).click();
    await synced;
    const problem = 'apps.payments.rollout: Unrecognized key: "replcias"';
    const words = `${uiText('the configuration was not imported')}: ${problem}`;
    const title = uiText('Sync {0} of {1}', 'staging', 'example-shop/shop-services');
    await activityIs(scene, `${title} ${words} · ${uiText('{0} more problem', 1)}`, 60_000);
    await workbench.notification(page, words).waitFor();
    await picture(scene, 'described-sync-problem');
  });

  it('cleans up what it lists as orphans, with their kinds, and lists them again if they have changed', async () => {
    const { page, controlPlane } = scene;
    const { admin } = controlPlane;
    const { id: serverId } = controlPlane.world.servers[0]!;
    await scene.reconnect('demo-full', 'of orphans');
    await showOnly(page, 'activity');
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
    // Of what is sent in a minute from here, the extension may have used all.
    let answer = await fetch(theirs, { method: 'POST', headers, body });
    while (answer.status === 429) {
      await setTimeout(Number(answer.headers.get('retry-after')) * 1000);
      answer = await fetch(theirs, { method: 'POST', headers, body });
    }
    assert.equal(answer.status, 202);
    const states = (): unknown[] => admin.operations().map(({ state }) => state);
    await expect.poll(states).toEqual(['succeeded']);
    await agreeToCleanUp(scene);
    const title = (name: string): string => uiText('Clean up {0} on {1}', name, 'fra-app-1');
    await activityIs(scene, `${title('web-api-old-0')} ${uiText('refused')}`, 120_000);
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
    await activityIs(scene, `${title('old-data-0')} ${gone}`, 120_000);
    assert.deepInclude(
      posts(scene, '/cleanup-orphans').map((one) => one.body),
      '{"items":[{"kind":"volume","name":"old-data-0"}]}',
    );
  }).timeout(scaled(400_000));
});
