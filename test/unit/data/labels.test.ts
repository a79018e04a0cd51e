import { assert } from 'chai';
import { labelOfKey } from '../../../src/data/labels';
import { shortId } from '../../../src/data/targets';
import { covers } from '../covers';
import { gives, scene, uuid } from '../trees/treeText';

describe('The name of requested data', () => {
  it(`is that of its row ${covers('F75', 'unit')}`, async () => {
    const source = { id: uuid(1), label: 'shop-web' };
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', { resources: [{ id: uuid(9), name: 'web-api' }] }),
      },
      { sources: [source] },
    );
    const resources = { kind: 'resources', id: source.id } as const;
    await load(resources);
    assert.equal(labelOfKey(resources, context), 'shop-web');
    assert.equal(labelOfKey({ ...resources, kind: 'secrets' }, context), 'shop-web');
    assert.equal(labelOfKey({ kind: 'deployments', id: uuid(9) }, context), 'web-api');
    assert.equal(labelOfKey({ kind: 'integrations', id: '' }, context), 'Integrations');
    const unknown = uuid(77);
    // The digits by which a person tells ids apart.
    const short = shortId(unknown);
    assert.lengthOf(short, 8);
    assert.isTrue(unknown.startsWith(short));
    assert.equal(labelOfKey({ kind: 'deployments', id: unknown }, context), short);
    assert.equal(labelOfKey({ kind: 'alerts', id: unknown }, context), short);
  });
});
