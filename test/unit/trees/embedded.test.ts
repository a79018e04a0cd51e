import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../src/api/client';
import { discoveryOffer } from '../../../src/data/discovery/discoveryOffer';
import { discover } from '../../../src/data/discovery/discovery';
import { integrationNodes } from '../../../src/trees/integrations/integrationNodes';
import { serverNodes, serverKeys } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { inMemoryControlPlane, type InMemoryControlPlane } from '../../control-plane/inMemory';
import { testClient } from '../api/testClient';
import { start } from '../control-plane/harness';
import { fakeClock } from '../fakeClock';
import { find, lines, scene, treeText, type Scene } from './treeText';

const { signal } = new AbortController();

function clientOf(server: InMemoryControlPlane, key: string): ControlPlaneClient {
  const { url: baseUrl, fetch } = server;
  return testClient({ baseUrl, token: () => server.keys[key], fetch, clock: fakeClock(start) });
}

describe('The workspace of the embedded control plane', () => {
  let server: InMemoryControlPlane;
  let made: Scene;

  async function open(key: string): Promise<void> {
    const { world } = server;
    made = scene(clientOf(server, key), {
      sources: world.sources.map(({ id, name }) => ({ id, label: name })),
      servers: world.servers.map(({ id, name }) => ({ id, label: name })),
    });
    await Promise.all(
      [
        ...world.sources.flatMap(({ id }) => [
          { kind: 'resources', sourceId: id } as const,
          { kind: 'secrets', sourceId: id } as const,
        ]),
        ...world.workloads.map(({ id }) => ({ kind: 'deployments', resourceId: id }) as const),
        ...serverKeys(made.context),
        { kind: 'integrations' } as const,
        { kind: 'repositories', search: '' } as const,
      ].map((topic) => made.store.refresh(topic, 'person')),
    );
  }

  before(() => {
    server = inMemoryControlPlane({ clock: fakeClock(start), historyRecords: 600 });
  });
  afterEach(() => {
    assert.isEmpty(server.admin.takeReports(), 'a client must not do this');
  });

  it('is found by discovery completely', async () => {
    const client = clientOf(server, 'demo-full');
    const found = await discover({ client, signal });
    const { world } = server;
    assert.sameMembers(
      found.sources.map(({ id }) => id),
      world.sources.map(({ id }) => id),
    );
    assert.sameMembers(
      found.servers.map(({ label }) => label),
      world.servers.map(({ name }) => name),
    );
    assert.equal(found.workloads, world.workloads.length);
    assert.deepEqual(found.unseen, []);
    assert.deepEqual(found.cut, []);
  });

  it('gives a source without a label the same name in the offer and in the tree', async () => {
    const client = clientOf(server, 'demo-full');
    const found = await discover({ client, signal });
    const { context, load } = scene(client, {
      sources: server.world.sources.map(({ id }) => ({ id })),
    });
    await load(
      ...server.world.sources.map(({ id }) => ({ kind: 'resources', sourceId: id }) as const),
    );
    const offer = discoveryOffer(found, { sources: [], servers: [] }, context.t);
    assert.sameMembers(
      offer.sources.map(({ name }) => name),
      sourceNodes(context).map(({ label }) => label),
    );
  });

  it('is found as far as the key allows', async () => {
    const missing = async (key: string): Promise<string[]> => {
      const client = clientOf(server, key);
      const { unseen } = await discover({ client, signal });
      return unseen.map(({ permission, why }) => `${permission} ${why}`);
    };
    assert.deepEqual(await missing('demo-none'), ['logs.read missing']);
    assert.deepEqual(await missing('demo-logs'), ['alert.read missing', 'resource.read missing']);
    assert.deepEqual(await missing('demo-without-alert-read'), ['alert.read missing']);
    assert.deepEqual(await missing('demo-without-repository-read'), ['repository.read missing']);
  });

  it('is shown in the trees', async () => {
    await open('demo-full');
    const states = sourceNodes(made.context).flatMap((source) =>
      source
        .children()
        .flatMap((environment) => [
          `${source.label} ${environment.label}`,
          ...environment.children().map(({ label, description }) => `  ${label} — ${description}`),
        ]),
    );
    assert.equal(
      // Commits are random.
      states.join('\n').replaceAll(/\b[0-9a-f]{7}\b/g, '#'),
      lines(`
        shop-web production
          web-api — running · # · 19 hr. ago
          storefront — running · # · 5 hr. ago
          order-worker — running · # · 18 hr. ago
          Secret Keys — undefined
        shop-web preview:feature-checkout-v2
          Secret Keys — undefined
        shop-web preview:fix-cart-badge
          Secret Keys — undefined
        shop-services production
          payments — running · # · 7 hr. ago
          inventory — running · # · 11 hr. ago
          notifications — restarting (desired: running), starting · # · 22 hr. ago
          Secret Keys — undefined
        data-platform production
          recommender — unhealthy, running · # · 15 hr. ago
          search — drifted: 2 reasons, running · # · 19 hr. ago
          reporting — exited (desired: stopped) · # · 1 day ago
          invoice-export — # · 1 day ago · 5 * * * * UTC
          Secret Keys — 1 missing
        operations production
          cache-warmer — # · 1 day ago · */10 * * * * UTC
          nightly-backup — # · 1 day ago · 30 2 * * * UTC
          Secret Keys — undefined
      `),
    );
    const servers = serverNodes(made.context).map(
      ({ label, status }) => `${label} ${status.words}`,
    );
    assert.deepEqual(servers, ['fra-app-1 1 firing', 'fra-app-2 1 firing', 'hel-data-1 1 firing']);
    const integrations = integrationNodes(made.context);
    assert.lengthOf(find(integrations, 'Repositories').children(), 21);
    assert.include(treeText(integrations), '[ellipsis] Load more…');
    await made.store.loadMore('');
    assert.lengthOf(find(integrationNodes(made.context), 'Repositories').children(), 41);
  });

  it('has times in the format and, if asked for, the zone of the workspace', async () => {
    await open('demo-full');
    const node = find(sourceNodes(made.context), 'web-api');
    const deployed = node.details().find(({ label }) => label === 'Deployed')!.value;
    assert.match(deployed, /^[0-9a-f]{7}, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+[12] \(.+ ago\)$/);
  });
});
