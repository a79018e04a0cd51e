import { assert } from 'chai';
import { resourceKeyName } from '../../../src/inventory/resourceKeyName';
import { gives, scene, uuid } from './treeText';

describe('the name of what was asked for', () => {
  it('is that of its row (F75)', async () => {
    const source = { id: uuid(1), label: 'shop-web' };
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', { resources: [{ id: uuid(9), name: 'web-api' }] }),
      },
      { sources: [source] },
    );
    const resources = { kind: 'resources', sourceId: source.id } as const;
    await load(resources);
    assert.equal(resourceKeyName(resources, context), 'shop-web');
    assert.equal(resourceKeyName({ ...resources, kind: 'secrets' }, context), 'shop-web');
    assert.equal(resourceKeyName({ kind: 'deployments', resourceId: uuid(9) }, context), 'web-api');
    assert.equal(resourceKeyName({ kind: 'integrations' }, context), 'Integrations');
    const unknown = uuid(77);
    assert.include(unknown, resourceKeyName({ kind: 'deployments', resourceId: unknown }, context));
    assert.include(unknown, resourceKeyName({ kind: 'alerts', serverId: unknown }, context));
  });
});
