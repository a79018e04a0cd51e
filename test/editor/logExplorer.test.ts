import { assert } from 'chai';
import * as vscode from 'vscode';
import type { AlertRule, LogQueryRequest } from '../../src/api/types';
import type { LogFilter } from '../../src/logs/query/fields';
import { uiPattern } from '../host/texts';
import type { ViewName } from '../host/titles';
import { errorMessages, told } from './person';
import { rowOf } from './rows';
import { setScene, type Scene } from './scene';
import { run, until } from './wait';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The tabs of the Log Explorer. */
function tabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith('controlPlane.logExplorer'),
    );
}

async function searches(scene: Scene): Promise<LogQueryRequest[]> {
  return (await scene.requests('/logs/query')).map(
    ({ body = '{}' }) => JSON.parse(body) as LogQueryRequest,
  );
}

/** Does something, and answers with the first search that comes of it. */
async function searched(
  scene: Scene,
  act: () => Thenable<unknown>,
  isIt: (request: LogQueryRequest) => boolean = () => true,
): Promise<LogQueryRequest> {
  const before = (await searches(scene)).length;
  assert.isTrue(await act());
  return until('a search', async () => (await searches(scene)).slice(before).find(isIt));
}

describe('Log Explorer', () => {
  const scene = setScene({ historyRecords: 20 });

  it('accepts a valid filter object', async () => {
    await scene.connect();
    const filter = { traceId: trace, environments: ['production'] } satisfies LogFilter;
    const { filters } = await searched(scene, () => run('searchLogs', filter));
    const { from, to, ...asked } = filters;
    assert.isBelow(Date.parse(from), Date.parse(to));
    assert.deepEqual(asked, filter);
    const before = (await searches(scene)).length;
    for (const wrong of [{ severities: ['loud'] }, { constructor: 1 }, 7, [], null]) {
      assert.isFalse(await run('searchLogs', wrong), JSON.stringify(wrong));
    }
    await until('each is refused', async () => (await errorMessages()).length === 5);
    await told(uiPattern('Not sent: {0} {1} (allowed: {2}).'));
    assert.lengthOf(await searches(scene), before);
  });

  it('has one panel, which starts with the last hour of all logs', async () => {
    await scene.connect();
    const before = (await searches(scene)).length;
    assert.isTrue(await run('searchLogs'));
    // The title of a view passes the row that has the focus.
    await run('openLogExplorer', { id: 'a row' });
    await until('the tab is there', () => tabs().length === 1);
    await until('the first search', async () => (await searches(scene)).length > before);
    const document = await vscode.workspace.openTextDocument({ content: 'in front of it' });
    await vscode.window.showTextDocument(document);
    await run('searchLogs');
    await until('it is in front again', () => tabs()[0]?.isActive);
    assert.lengthOf(tabs(), 1);
    const [first, ...others] = (await searches(scene)).slice(before);
    assert.isEmpty(others);
    const { from, to, ...rest } = first?.filters ?? assert.fail('Nothing was searched for.');
    assert.deepEqual(rest, {});
    assert.closeTo(Date.parse(to) - Date.parse(from), 3_600_000, 5000);
  });

  it('aborts its requests when the API key is gone, and sends no others', async () => {
    await scene.connect();
    await scene.controlPlane.admin.fault({ kind: 'stall', path: '/logs/query' });
    const before = (await scene.requests('/logs/query')).length;
    await run('searchLogs', `trace:${trace}`);
    const pending = async () => (await scene.requests('/logs/query'))[before];
    await until('it is asked for', pending);
    assert.isFalse((await pending())?.isOver);
    await run('signOut');
    await until('it is over', async () => (await pending())?.isOver);
    const after = (await searches(scene)).length;
    await scene.connect('demo-full', scene.newName());
    await run('openLogExplorer');
    assert.lengthOf(
      (await searches(scene)).slice(after).filter(({ filters }) => filters.traceId === trace),
      0,
    );
  });

  it('sends nothing of an earlier search to another connection', async () => {
    await scene.connect();
    await searched(scene, () => run('searchLogs', `trace:${trace} last:1d`));
    const other = await scene.startOther();
    assert.isTrue(await scene.connectToOther());
    await run('openLogExplorer');
    assert.isTrue(await run('searchLogs', 'severity:fatal last:1h'));
    const asked = await until('the search', async () => {
      const all = await other.admin.requests();
      const bodies = all.filter(({ url }) => url.endsWith('/logs/query')).map(({ body }) => body);
      return bodies.some((body) => body?.includes('"fatal"')) && bodies;
    });
    assert.isEmpty(asked.filter((body) => body?.includes(trace)));
  });
});

describe('rows that open the Log Explorer', () => {
  const scene = setScene(
    { historyRecords: 50 },
    {
      shared: true,
      settings: ({ servers, sources }) => ({
        servers: [{ id: servers[0]?.id }],
        sources: [{ id: sources[0]?.id, label: 'shop' }],
      }),
    },
  );

  const sourceId = (): string => scene.controlPlane.world.sources[0]?.id ?? '';
  const serverId = (): string => scene.controlPlane.world.servers[0]?.id ?? '';
  const workload = () => {
    const [first] = scene.controlPlane.world.workloads;
    assert.isDefined(first);
    return first;
  };
  /** Of the deployment that runs now. */
  const resourcePath = (): string[] => [
    `source ${sourceId()}`,
    `environment ${scene.controlPlane.world.sources[0]?.environmentId.toLowerCase() ?? ''}`,
    `resource ${workload().id}`,
  ];
  const deployment = (): Promise<unknown> =>
    rowOf('sources', ...resourcePath(), `deployment ${workload().deploymentId}`);

  /** Expands everything in a view until a row is there. */
  async function drawn(view: ViewName, wanted: () => Promise<unknown>): Promise<unknown> {
    return until('the row is there', async () => {
      await run(`${view}.focus`);
      await vscode.commands.executeCommand('list.focusFirst');
      for (let rows = 0; rows < 20; rows++) {
        await vscode.commands.executeCommand('list.expand');
        await vscode.commands.executeCommand('list.focusDown');
      }
      return wanted();
    });
  }

  async function get(path: string): Promise<unknown> {
    const { url, keys } = scene.controlPlane;
    const headers = { authorization: `Bearer ${keys['demo-full'] ?? ''}` };
    return (await fetch(`${url}/v1/api${path}`, { headers })).json();
  }

  before(async () => {
    await scene.connect();
    await drawn('sources', deployment);
    await drawn('servers', () => rowOf('servers', `server ${serverId()}`));
  });

  it('search for all logs of an app or job', async () => {
    const { filters } = await searched(
      scene,
      async () => run('searchRowLogs', await rowOf('sources', ...resourcePath())),
      // What was expanded last may have been searched for only now.
      (request) => request.filters.workloadIds !== undefined,
    );
    assert.deepEqual(filters.workloadIds, [workload().id]);
  });

  it('search for the logs of an app since a deployment', async () => {
    const { deployments = [] } = (await get(`/resources/${workload().id}/deployments`)) as {
      deployments?: { id: string; createdAt: string }[];
    };
    const created = deployments.find(({ id }) => id === workload().deploymentId)?.createdAt ?? '';
    const { filters } = await searched(
      scene,
      async () => run('logsSinceDeployment', await deployment()),
      (request) => request.filters.environments !== undefined,
    );
    assert.deepEqual(filters.workloadIds, [workload().id]);
    assert.deepEqual(filters.environments, ['production']);
    assert.equal(Date.parse(filters.from), Date.parse(created));
  });

  it('search for the workload and server of an alert rule, in its window', async () => {
    const { rules = [] } = (await get(`/servers/${serverId()}/monitor-alerts`)) as {
      rules?: AlertRule[];
    };
    const rule = rules.find(({ deployableId, evaluatedAt }) => deployableId && evaluatedAt);
    const { id = '', deployableId, evaluatedAt = '' } = rule ?? {};
    const server = `server ${serverId()}`;
    const ruleRow = await drawn('servers', () => rowOf('servers', server, 'rules', `rule ${id}`));
    const { filters } = await searched(
      scene,
      () => run('showRuleLogs', ruleRow),
      (request) => request.filters.workloadIds?.[0] === deployableId,
    );
    assert.deepEqual(filters.serverIds, [serverId()]);
    assert.deepEqual(filters.workloadIds, [deployableId]);
    assert.equal(Date.parse(filters.to), Date.parse(evaluatedAt));
    assert.isBelow(Date.parse(filters.from), Date.parse(filters.to));
  });

  it('do nothing for what only names a row', async () => {
    const named = { view: 'controlPlane.servers', id: `server ${serverId()}` };
    for (const command of ['searchRowLogs', 'logsSinceDeployment', 'showRuleLogs']) {
      assert.isFalse(await run(command, named), command);
    }
    assert.isFalse(await run('compareDeployments', { ...named, view: 'controlPlane.sources' }));
  });

  it('compare the errors of a deployment with those of the previous one', async () => {
    const { deploymentId } = workload();
    const { filters } = await searched(
      scene,
      async () => run('compareDeployments', await deployment()),
      (request) => request.filters.deploymentIds?.[0] === deploymentId,
    );
    assert.deepEqual(filters.severities, ['error', 'fatal']);
    const named = { resourceId: workload().id, deploymentId };
    const again = await searched(
      scene,
      () => run('compareDeployments', named),
      (request) => request.filters.deploymentIds?.[0] === deploymentId,
    );
    assert.deepEqual(again.filters.deploymentIds, [deploymentId]);
  });

  it('compare a query with another one, for which they ask if there is none', async () => {
    const other = { query: 'severity:warn last:1h', other: 'severity:warn from:3h to:2h' };
    const { filters } = await searched(
      scene,
      () => run('compareLogs', other),
      (request) => Date.parse(request.filters.to) < Date.now() - 3_600_000,
    );
    assert.deepEqual(filters.severities, ['warn']);
    assert.isFalse(await run('compareLogs', { query: 'severity:warn', other: 'severity:warn' }));
  });
});
