import { treeRowAt } from '../../host/treeRows';
import { setNamedTrees, showOnly } from '../trees';

describe('A server that lists its sources', () => {
  const scene = setNamedTrees(
    { controlPlane: { like: 'real' } },
    { 'controlPlane.sources': null, 'controlPlane.servers': null },
  );

  it('is asked for them by Sources alone, without anything else to request', async () => {
    await scene.reconnect('demo-full', 'of all views');
    await showOnly(scene.page, 'sources');
    await scene.reconnect('demo-full', 'of the sources alone');
    await treeRowAt(scene.page, 'sources', ['example-shop/shop-services']);
  });
});
