import { assert } from 'chai';
import { integrationKeys } from '../../../src/trees/integrations/integrationNodes';
import type { CacheKey } from '../../../src/data/store';
import { serverKeys } from '../../../src/trees/servers/serverNodes';
import { viewMessage, viewState, welcomeKey } from '../../../src/trees/viewState';
import { testClient } from '../api/testClient';
import { Harness, start } from '../control-plane/harness';
import { fakeClock } from '../fakeClock';
import { scene } from './treeText';

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
