import { assert } from 'chai';
import type { ListingKind } from '../../../src/data/listings';
import type { DataChange } from '../../../src/data/labels';
import { firingCount } from '../../../src/trees/alerts/alertWatch';
import { integrationNodes } from '../../../src/trees/integrations/integrationNodes';
import type { TreeNode } from '../../../src/trees/nodes';
import { serverNodes } from '../../../src/trees/servers/serverNodes';
import { ReadListings } from '../../../src/data/readListings';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { gives, scene, treeText, uuid } from '../trees/treeText';

const [sources, servers] = [[{ id: uuid(1) }], [{ id: uuid(2) }]];
const resource = { id: uuid(3), name: 'web-api', config: { server: 'eu-1' } };
const keys = [
  { kind: 'alerts', id: uuid(2) },
  { kind: 'resources', id: uuid(1) },
  { kind: 'secrets', id: uuid(1) },
  { kind: 'deployments', id: uuid(3) },
  { kind: 'repositories', id: '' },
  { kind: 'integrations', id: '' },
] as const;

/** What is loaded, and what is made of it. */
async function make(roots: (context: ReturnType<typeof scene>['context']) => readonly TreeNode[]) {
  const { store, context, load } = scene(
    {
      listAlertRules: gives('AlertListing', { workloads: [resource] }),
      listResources: gives('ResourceListing', { resources: [resource] }),
      listSecrets: gives('SecretListing', {}),
      listDeployments: gives('DeploymentListing', {}),
      listRepositories: gives('RepositoryListing', {}),
      listIntegrations: gives('IntegrationListing', { integrations: [] }),
    },
    { sources, servers },
  );
  await load(...keys);
  const listings = new ReadListings(store);
  listings.clear();
  treeText(roots({ ...context, store: listings }));
  const shown = (): ListingKind[] =>
    keys.filter((key) => listings.dependOn({ kind: 'entry', key })).map(({ kind }) => kind);
  return { store, listings, shown };
}

describe('What is made of listings', () => {
  it('depends on those that it was made of, such as the rows of a tree, and on no others', async () => {
    const { shown } = await make(serverNodes);
    assert.deepEqual(shown(), ['alerts', 'resources'], 'a server is named by what runs there');
    assert.deepEqual((await make(integrationNodes)).shown(), ['repositories', 'integrations']);
    const ofSources = await make(sourceNodes);
    assert.deepEqual(ofSources.shown(), ['resources', 'secrets', 'deployments']);
  });

  it('depends on what is read by a key, and on no other listing of that kind', async () => {
    const { store, listings } = await make(() => []);
    assert.equal(firingCount(listings, servers), 0);
    listings.entry({ kind: 'deployments', id: uuid(3) });
    const dependsOn = (kind: ListingKind, id: string): boolean =>
      listings.dependOn({ kind: 'entry', key: { kind, id } });
    assert.isTrue(dependsOn('alerts', uuid(2)));
    assert.isFalse(dependsOn('alerts', uuid(5)));
    assert.isTrue(dependsOn('deployments', uuid(3)));
    listings.clear();
    assert.isFalse(dependsOn('alerts', uuid(2)), 'it is made again');
    assert.strictEqual(listings.read('alerts', uuid(2)), store.read('alerts', uuid(2)));
  });

  it('depends on everything else that changes: another connection, the lists', async () => {
    const { listings } = await make(() => []);
    const others: readonly DataChange[] = [{ kind: 'reset' }, { kind: 'context' }];
    assert.deepEqual(
      others.map((change) => listings.dependOn(change)),
      [true, true],
    );
  });

  it('depends on every answer that brings other formats of times', async () => {
    let timeZone = 'UTC';
    const { store, load } = scene({
      listIntegrations: () =>
        gives('IntegrationListing', { localization: { timeZone, timestamps: {} } })(),
    });
    const listings = new ReadListings(store);
    const change = { kind: 'entry', key: { kind: 'integrations', id: '' } } as const;
    assert.isTrue(listings.dependOn(change), 'nothing was made of them yet');
    listings.clear();
    assert.isFalse(listings.dependOn(change));
    await load(change.key);
    assert.isTrue(listings.dependOn(change));
    listings.clear();
    assert.isFalse(listings.dependOn(change));
    timeZone = 'Europe/Berlin';
    await load(change.key);
    assert.isTrue(listings.dependOn(change));
  });
});
