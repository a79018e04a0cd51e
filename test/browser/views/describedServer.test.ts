import { uiText } from '../../host/texts';
import { openRow, treeRows } from '../../host/treeRows';
import { expect, picture, setScene } from '../scene';
import { showOnly, steady } from '../trees';

/** A server with more than the API document says, and other names where that leaves them open. Nothing is set. */
describe('a server that describes itself', () => {
  const scene = setScene({
    controlPlane: { like: 'real', operationSeconds: 2 },
    size: { width: 1280, height: 1600 },
  });

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

  it('shows its sources, servers and repositories by their names, without Discover', async () => {
    const { page } = scene;
    await showOnly(page, 'sources');
    const source = 'example-shop/shop-services';
    await openRow(page, 'sources', [source, 'production', uiText('Secret Keys')]);
    await openRow(page, 'sources', [source, 'staging', uiText('Secret Keys')]);
    await openRow(page, 'sources', [source, 'staging', 'payments']);
    const keys = uiText('{0} keys', 4);
    await shows(
      'sources',
      'example-shop/data-platform',
      '    orders-db running',
      '  staging develop',
      '      # succeeded_with_warnings',
      `      deployment ${keys} · ${uiText('revision {0}', '')}`,
      `      deployment ${keys} · ${uiText('{0} missing', 1)}`,
    );
    await picture(scene, 'described-sources');
    await showOnly(page, 'servers');
    await openRow(page, 'servers', ['fra-app-1', uiText('Alert Rules')]);
    await shows('servers', `fra-app-1 ${uiText('{0} firing', 1)}`, '    web-api: GET /healthz');
    await showOnly(page, 'integrations');
    await openRow(page, 'integrations', [uiText('Repositories')]);
    await shows('integrations', '  example-shop/billing-api main');
  });
});
