import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../../src/api/client';
import type { LogQueryRequest, LogQueryResponse, LogRecord } from '../../../../src/api/types';
import {
  discover,
  type Discovery,
  type DiscoveryProgress,
  recentWorkloads,
} from '../../../../src/data/discovery/discovery';
import { covers } from '../../covers';
import { wireClient } from '../../logs/wireClient';
import { lines, read, uuid } from '../../trees/treeText';
import { fakeClient, httpError, logAnswer, logRecord } from '../fakeClient';

const [near, far, quiet] = [uuid(1), uuid(2), uuid(3)];
const [shop, data] = [uuid(11), uuid(12)];
const [webApi, worker, report] = [uuid(21), uuid(22), uuid(23)];
const deploymentId = uuid(31);

const logs = [
  logRecord({ serverId: near, workloadId: webApi, workloadName: 'web-api', deploymentId }),
  logRecord({ serverId: near, workloadId: worker, workloadName: 'worker' }),
];

/** A client whose logs are these records, on one page. */
function logsWith(records: LogRecord[]) {
  return wireClient({ queryLogs: () => Promise.resolve(logAnswer(records)) });
}

/** Two sources: one named by alerts, one named only by deployments, on its own server. */
const world: Partial<ControlPlaneClient> = {
  ...logsWith(logs),
  listAlertRules: ({ serverId }) =>
    Promise.resolve(
      read('AlertListing', {
        workloads: serverId === near ? [{ id: webApi, name: 'web-api', sourceId: shop }] : [],
      }),
    ),
  listResources: ({ sourceId }) =>
    Promise.resolve(
      read('ResourceListing', {
        resources:
          sourceId === shop
            ? [
                {
                  id: webApi,
                  name: 'web-api',
                  environment: { name: 'production' },
                  config: { server: 'fra-1' },
                },
              ]
            : [{ id: report, name: 'report', environment: { name: 'staging' } }],
      }),
    ),
  listDeployments: ({ resourceId: id }) =>
    Promise.resolve(
      read('DeploymentListing', {
        deployments: [
          {
            id: uuid(32),
            serverId: id === report ? far : near,
            sourceId: id === webApi ? shop : data,
          },
        ],
      }),
    ),
};

function run(
  given: Partial<ControlPlaneClient>,
  servers: readonly string[] = [],
  onProgress?: Parameters<typeof discover>[3],
  { signal } = new AbortController(),
): Promise<Discovery> {
  const known = { sources: [], servers: servers.map((id) => ({ id })) };
  return discover(fakeClient(given), known, signal, onProgress);
}

function text({ sources, servers, unseen, cut, workloads }: Discovery): string {
  const things = (kind: string, found: Discovery['sources']): string[] =>
    found.map(({ id, label, foundBy, workloads: names, environments }) =>
      [`${kind} ${id.slice(-2)}`, label, names.join(', '), environments.join(', ')]
        .filter((part) => part !== undefined && part !== '')
        .concat(`by ${foundBy.join(', ')}`)
        .join(' · '),
    );
  return [
    ...things('server', servers),
    ...things('source', sources),
    `${workloads} workloads`,
    ...unseen.map(({ permission, count, why }) => `${count} × ${permission} ${why}`),
    ...cut.map((step) => `more ${step}`),
  ].join('\n');
}

describe('Discovery', () => {
  it('goes from logs to alerts, resources and deployments, and continues with the ones they name', async () => {
    assert.equal(
      text(await run(world)),
      lines(`
        server 01 · fra-1 · web-api, worker · by logs, alerts, deployments
        server 02 · report · by deployments
        source 11 · web-api · production · by alerts, resources, deployments
        source 12 · report, worker · staging · by deployments, resources
        3 workloads
      `),
    );
  });

  it('finds what it can without logs, from known data', async () => {
    const { queryLogs: _, ...rest } = world;
    assert.equal(
      text(await run(rest, [near.toUpperCase()])),
      lines(`
        server 01 · fra-1 · web-api · by alerts, deployments
        source 11 · web-api · production · by alerts, resources, deployments
        1 workloads
        1 × logs.read missing
      `),
    );
    assert.equal(text(await run(rest)), '0 workloads\n1 × logs.read missing');
  });

  it('finds sources without alerts, from the deployments of recent workloads', async () => {
    const { listAlertRules: _, ...rest } = world;
    assert.equal(
      text(await run(rest)),
      lines(`
        server 01 · fra-1 · web-api, worker · by logs, deployments
        server 02 · report · by deployments
        source 11 · web-api · production · by deployments, resources
        source 12 · report, worker · staging · by deployments, resources
        3 workloads
        2 × alert.read missing
      `),
    );
  });

  it('says what could not be read: the permission, how often and why', async () => {
    const { listResources: _, ...rest } = world;
    const listDeployments = (): Promise<never> => Promise.reject(httpError(500, 'internal'));
    assert.equal(
      text(await run({ ...rest, listDeployments })),
      lines(`
        server 01 · web-api, worker · by logs, alerts
        source 11 · web-api · by alerts
        2 workloads
        1 × repository.read missing
        2 × resource.read failed
      `),
    );
  });

  it(`continues if only one source is refused, and does not blame the key ${covers('F75', 'unit')}`, async () => {
    const listResources: ControlPlaneClient['listResources'] = (input, options) =>
      input.sourceId === shop
        ? Promise.reject(httpError(403, 'forbidden'))
        : world.listResources!(input, options);
    const found = text(await run({ ...world, listResources }));
    assert.include(found, '1 × repository.read refused');
    assert.include(found, 'source 12 · report, worker · staging');
  });

  /** Records of this many servers. */
  const ofServers = (count: number): LogRecord[] =>
    Array.from({ length: count }, (_, index) => logRecord({ serverId: uuid(100 + index) }));

  it('stops repeating refused requests, and counts the rest', async () => {
    let asked = 0;
    const { servers, unseen } = await run({
      ...logsWith(ofServers(40)),
      listAlertRules: () => {
        asked++;
        return Promise.reject(httpError(403, 'forbidden'));
      },
    });
    assert.isAtMost(asked, 4);
    assert.deepInclude(
      unseen.map(({ permission, count }) => [permission, count]),
      ['alert.read', 40],
    );
    assert.lengthOf(servers, 40);
  });

  it(`asks all others after refusals if one was answered ${covers('F75', 'unit')}`, async () => {
    const asked: string[] = [];
    const { servers, unseen } = await run({
      ...logsWith(ofServers(20)),
      listAlertRules: ({ serverId }) => {
        asked.push(serverId);
        const isRefused = asked.length > 1 && asked.length <= 11;
        return isRefused ? Promise.reject(httpError(403, 'forbidden')) : Promise.resolve({});
      },
      listDeployments: () => Promise.resolve({}),
    });
    assert.sameMembers(
      asked,
      servers.map(({ id }) => id),
    );
    assert.deepEqual(
      unseen.map(({ permission, count, why }) => [permission, count, why]),
      [['alert.read', 10, 'refused']],
    );
  });

  it('reads first the deployments of workloads whose server or source is not known', async () => {
    const asked: string[] = [];
    const workloads = Array.from({ length: 120 }, (_, index) => uuid(500 + index));
    const homeless = workloads.slice(-10);
    const { cut } = await run({
      ...logsWith(workloads.map((workloadId) => logRecord({ serverId: near, workloadId }))),
      listAlertRules: () =>
        Promise.resolve(
          read('AlertListing', {
            workloads: workloads.slice(0, -10).map((id) => ({ id, sourceId: shop })),
          }),
        ),
      listResources: () => Promise.resolve({}),
      listDeployments: ({ resourceId: id }) => {
        asked.push(id);
        return Promise.resolve({});
      },
    });
    assert.deepEqual(cut, ['deployments']);
    assert.lengthOf(asked, 100);
    assert.deepEqual(asked.slice(0, 10), homeless);
  });

  it('has at most two requests at a time, and a limited number in total', async () => {
    let underWay = 0;
    let most = 0;
    let asked = 0;
    const { cut } = await run({
      ...logsWith(ofServers(300)),
      listAlertRules: async () => {
        asked++;
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay--;
        return {};
      },
      listDeployments: () => Promise.resolve({}),
    });
    assert.equal(most, 2);
    assert.equal(asked, 100);
    assert.deepEqual(cut, ['alerts']);
  });

  it('finds quiet servers behind a busy one, and says where it stopped', async () => {
    const requests: LogQueryRequest[] = [];
    const chatty = (): LogQueryResponse =>
      logAnswer([logs[0]!], { hasMore: true, nextCursor: `next ${requests.length}` });
    const queryLogs = (request: LogQueryRequest): Promise<LogQueryResponse> => {
      requests.push(request);
      const excluded = request.filters.conditionGroup?.conditions.map(({ value }) => value);
      if (excluded === undefined) return Promise.resolve(chatty());
      const isFound = excluded.includes(quiet);
      return Promise.resolve(logAnswer(isFound ? [] : [logRecord({ serverId: quiet })]));
    };
    const found = await run(wireClient({ queryLogs }));
    assert.deepEqual(
      found.servers.map(({ id }) => id),
      [near, quiet],
    );
    assert.deepEqual(found.cut, []);
    assert.lengthOf(requests, 7);
    assert.isTrue(requests.every(({ limit }) => limit === 500));
    const endless = await run(
      wireClient({
        queryLogs(request: LogQueryRequest) {
          requests.push(request);
          return Promise.resolve(chatty());
        },
      }),
    );
    assert.deepEqual(endless.cut, ['logs']);
  });

  it('keeps the results of the logs before they failed', async () => {
    let pages = 0;
    const found = await run(
      wireClient({
        queryLogs: () =>
          pages++ === 0
            ? Promise.resolve(logAnswer(logs, { hasMore: true, nextCursor: 'next' }))
            : Promise.reject(httpError(500, 'internal')),
      }),
    );
    assert.lengthOf(found.servers, 1);
    assert.include(text(found), '1 × logs.read failed');
  });

  it('skips invalid ids', async () => {
    const found = await run(logsWith([logRecord({ serverId: '../admin', workloadId: 'x' })]));
    assert.equal(text(found), '0 workloads');
  });

  it(`reports its progress, and ends when it is cancelled ${covers('F34', 'unit')}`, async () => {
    const progress: DiscoveryProgress[] = [];
    await run(world, [], (one) => progress.push(one));
    assert.deepEqual(
      [...new Set(progress.map(({ step }) => step))],
      ['logs', 'alerts', 'resources', 'deployments'],
    );
    assert.deepInclude(progress.at(-1)!, { sources: 2, servers: 2 });

    const controller = new AbortController();
    const reason = new Error('cancelled');
    let asked = 0;
    const cancelled = run(
      {
        ...world,
        listAlertRules: () => {
          asked++;
          controller.abort(reason);
          return Promise.reject(reason);
        },
        listResources: () => {
          asked++;
          return Promise.resolve({});
        },
      },
      [],
      undefined,
      controller,
    );
    assert.strictEqual(await cancelled.catch((error: unknown) => error), reason);
    assert.equal(asked, 1);
  });
});

const { signal } = new AbortController();

describe('Recent workloads', () => {
  it('are collected with servers and deployments over pages, newest first', async () => {
    const cursors: unknown[] = [];
    const at = (second: number): string => `2026-11-20T12:00:0${second}.000Z`;
    const client = wireClient({
      queryLogs: ({ cursor }: LogQueryRequest) => {
        cursors.push(cursor);
        return Promise.resolve(
          cursor === undefined
            ? logAnswer(
                [
                  logRecord({ workloadId: 'a', workloadName: 'web', timestamp: at(3) }),
                  logRecord({ workloadId: 'a', workloadName: 'old name', timestamp: at(2) }),
                  logRecord({ workloadId: 'c', workloadName: 'cron', timestamp: at(1) }),
                ],
                { nextCursor: 'next', hasMore: true },
              )
            : logAnswer([
                logRecord({ workloadId: 'e', workloadName: ' ', timestamp: at(0) }),
                logRecord({
                  workloadId: 'b',
                  workloadName: 'job',
                  deploymentId: 'd',
                  serverId: 's',
                  timestamp: at(5),
                }),
              ]),
        );
      },
    });
    const seen = await recentWorkloads(client, signal);
    assert.deepEqual(cursors, [undefined, 'next']);
    assert.deepEqual(
      seen.workloads.map(({ name }) => name),
      ['job', 'web', 'cron', undefined],
    );
    assert.deepEqual(
      seen.servers.map(({ id }) => id),
      ['s', logRecord().serverId],
    );
    assert.deepEqual(seen.deployments, [{ id: 'd', name: 'job', lastSeen: at(5) }]);
  });

  it('take a limited number of pages', async () => {
    let pages = 0;
    const client = wireClient({
      queryLogs: () => {
        pages++;
        return Promise.resolve(logAnswer([], { nextCursor: `next ${pages}`, hasMore: true }));
      },
    });
    await recentWorkloads(client, signal);
    assert.equal(pages, 4);
  });
});
