import { assert } from 'chai';
import { discover } from '../../../src/data/discovery/discovery';
import { discoveryOffer } from '../../../src/data/discovery/discoveryOffer';
import { integrationKeys } from '../../../src/trees/integrations/integrationNodes';
import { serverNodes, serverKeys } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import type { CacheKey } from '../../../src/data/store';
import { viewMessage, treeState, welcomeKey } from '../../../src/trees/treeState';
import { inMemoryControlPlane } from '../../control-plane/inMemory';
import { testClient } from '../api/testClient';
import { start } from '../control-plane/harness';
import { fakeClock } from '../fakeClock';
import { find, lines, scene } from './treeText';

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

describe('The workspace of the embedded control plane', () => {
  const server = inMemoryControlPlane({ clock: fakeClock(start), historyRecords: 600 });
  const { world } = server;

  afterEach(() => {
    assert.isEmpty(server.admin.takeReports(), 'a client must not do this');
  });

  function clientOf(key: string) {
    const { url: baseUrl, fetch } = server;
    return testClient({ baseUrl, token: () => server.keys[key], fetch, clock: fakeClock(start) });
  }

  /** Everything that a key may read, loaded, and what each view requests for it. */
  async function open(key: string) {
    const { context, store } = scene(clientOf(key), {
      sources: world.sources.map(({ id, name }) => ({ id, label: name })),
      servers: world.servers.map(({ id, name }) => ({ id, label: name })),
    });
    /** The keys of each view, which what is loaded may change: its own, and those of its open rows. */
    const ofViews = (): Record<View, readonly [own: CacheKey[], open: CacheKey[]]> => ({
      sources: [
        world.sources.flatMap(({ id: sourceId }): CacheKey[] => [
          { kind: 'resources', id: sourceId },
          { kind: 'secrets', id: sourceId },
        ]),
        world.workloads.map(({ id }) => ({ kind: 'deployments', id })),
      ],
      servers: [[...serverKeys(context)], []],
      integrations: [[...integrationKeys(context)], [{ kind: 'repositories', id: '' }]],
    });
    const all = Object.values(ofViews()).flat(2);
    await Promise.all(all.map((one) => store.refresh(one, 'person')));
    return { context, store, ofViews: ofViews() };
  }

  it('is found by discovery completely, with the names that the tree has without labels', async () => {
    const client = clientOf('demo-full');
    const nothing = { sources: [], servers: [] };
    const found = await discover(client, nothing, new AbortController().signal);
    assert.sameMembers(
      found.sources.map(({ id }) => id),
      world.sources.map(({ id }) => id),
    );
    assert.sameMembers(
      found.servers.map(({ label }) => label),
      world.servers.map(({ name }) => name),
    );
    assert.deepInclude(found, { workloads: world.workloads.length, unseen: [], cut: [] });

    const sources = world.sources.map(({ id }) => ({ id }));
    const { context, load } = scene(client, { sources });
    await load(...sources.map(({ id }) => ({ kind: 'resources', id }) as const));
    assert.sameMembers(
      discoveryOffer(found, nothing, context.t).sources.map(({ name }) => name),
      sourceNodes(context).map(({ label }) => label),
    );
  });

  it('is shown in the trees', async () => {
    const { context } = await open('demo-full');
    const states = sourceNodes(context).flatMap((source) =>
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
          notifications — restarting, desired: running, starting · # · 22 hr. ago
          Secret Keys — undefined
        data-platform production
          recommender — unhealthy, running · # · 15 hr. ago
          search — drifted: 2 reasons, running · # · 19 hr. ago
          reporting — exited · # · 1 day ago
          invoice-export — every hour at minute 5 · next in 5 min. · # · 1 day ago
          Secret Keys — 1 missing
        operations production
          cache-warmer — every 10 minutes · next in 10 min. · # · 1 day ago
          nightly-backup — daily at 02:30 UTC · next in 14 hr. · # · 1 day ago
          Secret Keys — undefined
      `),
    );
    const servers = serverNodes(context).map(({ label, status }) => `${label} ${status.words}`);
    assert.deepEqual(servers, ['fra-app-1 1 firing', 'fra-app-2 1 firing', 'hel-data-1 1 firing']);
  });

  it('has times in the format and, if asked for, the zone of the workspace', async () => {
    const { context } = await open('demo-full');
    const node = find(sourceNodes(context), 'web-api');
    const deployed = node.details().find(({ label }) => label === 'Deployed')!.value;
    assert.match(deployed, /^[0-9a-f]{7}, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+[12] \(.+ ago\)$/);
  });

  it('is shown as far as each key allows, and each view names what the key lacks', async () => {
    const shown: Record<string, Partial<Record<View, string>>> = {};
    for (const key of Object.keys(server.keys)) {
      const { store, ofViews } = await open(key);
      shown[key] = {};
      for (const view of ['sources', 'servers', 'integrations'] as const) {
        const [own, ofRows] = ofViews[view];
        const roots = { shown: 1, all: 1 };
        const state = treeState('signedIn', store, [...own, ...ofRows], own, roots);
        const missing = viewMessage(state)?.missing.map(({ permission }) => permission) ?? [];
        const text = [welcomeKey(state), ...missing].join(' without ');
        if (text !== 'shown') shown[key][view] = text;
      }
    }
    assert.deepEqual(shown, expected);
  });
});
