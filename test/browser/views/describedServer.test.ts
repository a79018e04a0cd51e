import path from 'node:path';
import { assert } from 'chai';
import { createGitFolder, gitFolder, type GitFolder } from '../../host/gitFolder';
import { temporaryFolder } from '../../host/processes';
import { uiPattern, uiText } from '../../host/texts';
import { openRow, treeRows } from '../../host/treeRows';
import * as workbench from '../../host/workbench';
import { expect, picture, setScene } from '../scene';
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
});
