import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../src/api/client';
import { discoveryOffer } from '../../../src/data/discovery/discoveryOffer';
import { discover } from '../../../src/data/discovery/discovery';
import {
  integrationNodes,
  integrationKeys,
} from '../../../src/trees/integrations/integrationNodes';
import { serverNodes, serverKeys } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import type { CacheKey } from '../../../src/data/store';
import { viewMessage, viewState, welcomeKey } from '../../../src/trees/viewState';
import { inMemoryControlPlane, type InMemoryControlPlane } from '../../control-plane/inMemory';
import { testClient } from '../api/testClient';
import { start, Harness } from '../control-plane/harness';
import { fakeClock } from '../fakeClock';
import { find, lines, scene, treeText, type Scene } from './treeText';

const { signal } = new AbortController();

function clientOf(server: InMemoryControlPlane, key: string): ControlPlaneClient {
  const { url: baseUrl, fetch } = server;
  return testClient({ baseUrl, token: () => server.keys[key], fetch, clock: fakeClock(start) });
}

const nothing = { sources: [], servers: [] };

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
    const found = await discover(client, nothing, signal);
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
    const found = await discover(client, nothing, signal);
    const { context, load } = scene(client, {
      sources: server.world.sources.map(({ id }) => ({ id })),
    });
    await load(
      ...server.world.sources.map(({ id }) => ({ kind: 'resources', sourceId: id }) as const),
    );
    const offer = discoveryOffer(found, nothing, context.t);
    assert.sameMembers(
      offer.sources.map(({ name }) => name),
      sourceNodes(context).map(({ label }) => label),
    );
  });

  it('is found as far as the key allows', async () => {
    const missing = async (key: string): Promise<string[]> => {
      const client = clientOf(server, key);
      const { unseen } = await discover(client, nothing, signal);
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

type View = 'sources' | 'servers' | 'integrations';

/**
 * The views that do not show everything: why they are empty, or which permissions their message
 * names.
 */
const expected: Readonly<Record<string, Partial<Record<View, string>>>> = {
  'demo-full': {},
  'demo-readonly': { integrations: 'missingPermission integration.manage' },
  'demo-logs': {
    sources: 'missingPermission repository.read',
    servers: 'missingPermission alert.read',
    integrations: 'missingPermission integration.manage',
  },
  'demo-none': {
    sources: 'missingPermission repository.read',
    servers: 'missingPermission alert.read',
    integrations: 'missingPermission integration.manage',
  },
  'demo-production': {},
  'demo-without-logs-read': {},
  'demo-without-server-remove': {},
  'demo-without-alert-read': { servers: 'missingPermission alert.read' },
  'demo-without-repository-read': { sources: 'shown without repository.read' },
  'demo-without-secret-list': { sources: 'shown without secret.list' },
  'demo-without-repository-connect': { integrations: 'shown without repository.connect' },
  'demo-without-resource-read': { sources: 'shown without resource.read' },
  'demo-without-repository-sync': {},
  'demo-without-integration-manage': { integrations: 'shown without integration.manage' },
};

describe('The views with a key that lacks permissions', () => {
  let harness: Harness;
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness.server.close());

  /** The state or message of each view that does not show everything, with every row expanded. */
  async function told(key: string): Promise<Partial<Record<View, string>>> {
    const { world, url, keys } = harness.server;
    const token = (): string | undefined => keys[key];
    const client = testClient({ baseUrl: url, token, fetch, clock: fakeClock(start) });
    const { context, store } = scene(client, {
      sources: [...world.sources],
      servers: [...world.servers],
    });
    const { sources } = world;
    const ofSources = sources.flatMap(({ id: sourceId }): CacheKey[] => [
      { kind: 'resources', sourceId },
      { kind: 'secrets', sourceId },
    ]);
    const open = {
      sources: world.workloads.map(({ id }) => ({ kind: 'deployments', resourceId: id }) as const),
      servers: [],
      integrations: [{ kind: 'repositories', search: '' } as const],
    };
    const essential = {
      sources: () => ofSources,
      servers: () => serverKeys(context),
      integrations: () => integrationKeys(context),
    };
    const all = [...ofSources, ...essential.servers(), ...essential.integrations()];
    await Promise.all(
      [...all, ...open.sources, ...open.integrations].map((key) => store.refresh(key, 'person')),
    );
    const say = (view: View): string => {
      const own = essential[view]();
      const roots = { shown: 1, all: 1 };
      const state = viewState('signedIn', store, [...own, ...open[view]], own, roots);
      const missing = viewMessage(state)?.missing.map(({ permission }) => permission) ?? [];
      return [welcomeKey(state), ...missing].join(' without ');
    };
    const views = ['sources', 'servers', 'integrations'] as const;
    return Object.fromEntries(
      views.flatMap((view): [View, string][] => {
        const text = say(view);
        return text === 'shown' ? [] : [[view, text]];
      }),
    );
  }

  for (const [key, views] of Object.entries(expected)) {
    it(`name what ${key} lacks, and show the rest`, async () => {
      assert.deepEqual(await told(key), views);
    });
  }

  it('are tested for each permission', () => {
    assert.sameMembers(Object.keys(expected), Object.keys(harness.server.keys));
  });
});
