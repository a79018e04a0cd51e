import { assert } from 'chai';
import { syncKind } from '../../../src/actions/kinds/sync';
import { previewReportingKind } from '../../../src/actions/kinds/previewReporting';
import { Activity } from '../../../src/activity/activity';
import { activityNodes } from '../../../src/activity/activityNodes';
import { minute } from '../../../src/base/clock';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { DataContext } from '../../../src/data/labels';
import { Polling } from '../../../src/data/polling';
import { type CacheKey, Store } from '../../../src/data/store';
import { usualStyle } from '../../../src/logs/record/recordStyle';
import { withPush } from '../../../src/deployed/push';
import type { TreeNode } from '../../../src/trees/nodes';
import { serverNodes } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { inMemoryControlPlane } from '../../control-plane/inMemory';
import { createDisk, kinds } from '../activity/windows';
import { testClient } from '../api/testClient';
import { start } from '../control-plane/harness';
import { covers } from '../covers';
import { fakeClock } from '../fakeClock';
import { counted, detailText, t, uuid } from './treeText';

/** Everything that rows say, with their tooltips. */
function said(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => [
    `${node.label} — ${node.description ?? ''}\n${detailText(node)}`,
    ...said(node.children()),
  ]);
}

/**
 * What is shown of a control plane whose clock is right.
 *
 * @param behind how far that of this machine is, in minutes.
 */
async function shownWith(behind: number): Promise<Readonly<Record<string, readonly string[]>>> {
  const clock = fakeClock(start - behind * minute);
  const server = inMemoryControlPlane({
    ...{ clock, historyRecords: 0, unkind: { aheadSeconds: behind * 60 } },
  });
  const { world, url: baseUrl, fetch } = server;
  const client = testClient({ baseUrl, token: () => server.keys['demo-full'], fetch, clock });
  const store = new Store(clock);
  store.reset(client);
  const context: DataContext = {
    ...{ store, t, counted, repositorySearch: () => '', checkedOut: () => undefined },
    timeFormat: new TimeFormat(
      () => store.formats,
      () => 'utc',
      () => client.serverNow(),
      'en',
    ),
    sources: () => world.sources.map(({ id, name }) => ({ id, label: name })),
    servers: () => world.servers.map(({ id, name }) => ({ id, label: name })),
  };
  const source = world.sources[0]!;
  const keys: readonly CacheKey[] = [
    ...world.sources.map(({ id }) => ({ kind: 'resources', id }) as const),
    ...world.sources.map(({ id }) => ({ kind: 'secrets', id }) as const),
    ...world.servers.map(({ id }) => ({ kind: 'alerts', id }) as const),
    ...world.workloads.map(({ id }) => ({ kind: 'deployments', id }) as const),
  ];
  await clock.run(Promise.all(keys.map((key) => store.refresh(key, 'person'))));

  const polling = new Polling(store, clock, () => 30);
  polling.setFocused(true);
  let ids = 1;
  const newId = (): string => uuid(ids++);
  const activity = new Activity(
    kinds,
    createDisk(),
    { store, polling, historyOf: () => undefined, logStyle: usualStyle, clock, random: () => 0.5 },
    () => new Promise(() => undefined),
    newId,
  );
  await clock.run(activity.open({ name: 'demo', baseUrl }, client));
  const { environment } = store.read('resources', source.id).value!.resources![0]!;
  await clock.run(activity.start(previewReportingKind, undefined));
  await clock.run(
    activity.start(syncKind, {
      ...{ sourceId: source.id, sourceName: source.name },
      ...{ environmentId: environment!.id!, environmentName: 'production' },
    }),
  );
  await clock.advance(10 * minute);
  // Its row says how old it is.
  const endpoint = 'get_servers_monitor_alerts';
  server.admin.fault({ kind: 'status', status: 500, endpoint, times: 9 });
  await clock.run(store.refresh({ kind: 'alerts', id: world.servers[0]!.id }, 'automatic'));
  // Not a whole minute: dates of answers have whole seconds, and what is due next is so at whole minutes.
  await clock.advance(3 * minute + 5000);
  const push = {
    ...{ repository: 'r', branch: 'main', sha: 'a'.repeat(40), environments: [], note: '' },
    ...{ at: activity.entries[0]!.at, isOnItsWay: true, isFailed: false },
  };
  const words = { text: '', label: '', tooltip: [], isBusy: false, isFailed: false };
  const branch = { environments: [] } as unknown as Parameters<typeof withPush>[1];
  return {
    sources: said(sourceNodes(context)),
    servers: said(serverNodes(context)),
    activity: said(activityNodes(context, kinds, activity.entries)),
    statusBar: [withPush(words, branch, push, context).tooltip.join('\n')],
  };
}

describe('A machine whose clock is wrong', () => {
  for (const behind of [20, -20]) {
    it(`shows the same texts, ${behind} minutes behind ${covers('F83', 'unit')}`, async () => {
      const [right, wrong] = [await shownWith(0), await shownWith(behind)];
      assert.deepEqual(wrong, right);
      const all = Object.values(right).flat().join('\n');
      for (const text of [/\d+ min\. ago/, /updated 13 min\. ago/, /took \d+ sec/])
        assert.match(all, text);
      // Only what is due next is ahead.
      assert.notMatch(all.replaceAll(/next in.*|Next run:.*/g, ''), / in \d+ (?:sec|min)/);
      assert.match(right['statusBar']!.join(), /13 min/);
    });
  }
});
