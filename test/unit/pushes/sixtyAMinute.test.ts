import { assert } from 'chai';
import { second, minute } from '../../../src/base/clock';
import { makeConnection } from '../../../src/connection/connections';
import { DescribedServer } from '../../../src/connection/describedServer';
import { signInto } from '../../../src/connection/session';
import type { CacheKey } from '../../../src/data/store';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { DataContext } from '../../../src/data/labels';
import { ErrorFeed } from '../../../src/logs/errors/errorFeed';
import { ErrorGroups } from '../../../src/logs/errors/errorGroups';
import { Tail } from '../../../src/logs/tail/tail';
import { appsOf, pushKind } from '../../../src/pushes/pushKind';
import { isOfKind } from '../../../src/activity/entryKind';
import {
  integrationKeys,
  integrationNodes,
} from '../../../src/trees/integrations/integrationNodes';
import type { TreeNode } from '../../../src/trees/nodes';
import { serverKeys, serverNodes } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { createDisk, openWindow } from '../activity/windows';
import { defaults } from '../api/cannedAnswers';
import { historyOf, sha } from '../deployed/pushStories';
import { fakeClock } from '../fakeClock';
import { logServer } from '../logs/logServer';
import { counted, t } from '../trees/treeText';

const storageOf = () => {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string): unknown => values.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  };
};

/** The keys of rows, all of them expanded. */
function keysOf(nodes: readonly TreeNode[]): CacheKey[] {
  return nodes.flatMap((node) => [...node.cacheKeys, ...keysOf(node.children())]);
}

describe('A window whose server takes sixty requests a minute', () => {
  it('connects, shows everything, follows and watches a push for ten minutes without a 429', async () => {
    const clock = fakeClock();
    const server = logServer({
      ...{ clock, like: 'real', live: true, historyRecords: 500, unkind: { latencyMs: 100 } },
    });
    const { world, admin, key } = server;
    const connection = makeConnection('real', server.url)!;
    const described = new DescribedServer(connection, storageOf(), clock);
    const options = {
      ...{ fetch: server.fetch, clock, random: () => 0.5 },
      settings: () => ({ ...defaults, own: {} }),
    };
    const keys = { get: () => Promise.resolve(key) };
    const { signedIn, end } = signInto(connection, keys, options, described);
    const { client } = signedIn;
    const startedAt = clock.now();

    const window = openWindow(clock, createDisk(), client, () => 0.5, 30);
    window.history = historyOf(false);
    const { store, polling } = window;
    described.onDidChange(() => store.reset(client));
    const context: DataContext = {
      ...{ store, t, counted },
      timeFormat: new TimeFormat(
        () => store.formats,
        () => 'utc',
        () => clock.now(),
        'en',
      ),
      sources: () => world.sources.map(({ id, name }) => ({ id, label: name, origin: 'own' })),
      servers: () => world.servers.map(({ id, name }) => ({ id, label: name, origin: 'own' })),
      repositorySearch: () => '',
      checkedOut: () => undefined,
    };
    const watch = (): void => {
      polling.watch('sources', keysOf(sourceNodes(context)));
      polling.watch('servers', [...serverKeys(context), ...keysOf(serverNodes(context))]);
      polling.watch('integrations', [
        ...integrationKeys(context),
        ...keysOf(integrationNodes(context)),
      ]);
    };
    store.onDidChange(() => watch());
    watch();
    const tail = new Tail(
      { client, clock, random: () => 0.5, readKey: () => Promise.resolve(key) },
      { filter: {}, initialLines: 100 },
    );
    tail.start();
    const none = () => Promise.resolve(undefined);
    const feed = new ErrorFeed(clock, new ErrorGroups(none, none), () => 30 * second);
    feed.open({ client });
    feed.search({ range: 3600 * second, filter: {} });
    feed.setWanted(true);
    await clock.run(window.open());

    await clock.advance(5 * second);
    const isShown = (key: CacheKey): boolean => store.entry(key).value !== undefined;
    for (const { id } of world.sources) assert.isTrue(isShown({ kind: 'resources', id }));
    const [shop] = sourceNodes(context);
    const rows = shop!.children().map(({ label }) => label);
    assert.includeMembers(rows, ['production', 'staging']);
    for (const { id } of world.servers) assert.isTrue(isShown({ kind: 'alerts', id }));

    await clock.advance(minute);
    const [source] = world.sources;
    const apps = world.workloads.filter((one) => one.source === source);
    const steps = ['preparing', 'building', 'checking_health', 'switching_traffic', 'succeeded'];
    for (const { id } of apps) {
      admin.deploy(
        id,
        { commitSha: sha },
        steps.map((state, index) => ({ afterSeconds: 5 + index * 40, state })),
      );
    }
    const environment = { id: source!.environmentId, name: 'production', isPreview: false };
    await clock.run(
      window.activity.start(pushKind, {
        ...{ sourceId: source!.id, sourceName: 'shop-web', repository: 'file:///shop', sha },
        ...{ branch: 'main', upstream: 'origin/main' },
        environments: [
          {
            ...environment,
            apps: apps.map(({ id, name }) => ({
              ...{ resourceId: id, name, state: 'waiting' as const, isOptional: false },
            })),
          },
        ],
      }),
    );
    await clock.advance(9 * minute);
    const [push] = window.activity.entries;
    assert(push !== undefined && isOfKind(push, pushKind));
    const pushed = appsOf(push).filter(({ isOptional }) => !isOptional);
    const states = pushed.map(({ state }) => state);
    assert.deepEqual(states, ['live', 'live', 'live']);
    const requests = admin.requests();
    const failed = requests.filter(({ status = 0 }) => status >= 400);
    const failures = failed.map(({ at, status, url }) => `${at - startedAt} ms: ${status} ${url}`);
    assert.isEmpty(failures.filter((text) => !text.includes(': 404 ')));
    assert.isEmpty(
      failed.filter(({ at }) => at > startedAt + minute),
      failures.join('\n'),
    );
    assert.lengthOf(
      requests.filter(({ url }) => url.endsWith('/openapi.json')),
      1,
    );

    tail.stop();
    feed.dispose();
    polling.dispose();
    await window.activity.close();
    end();
    await server.close();
  });
});
