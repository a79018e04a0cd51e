import { assert } from 'chai';
import * as vscode from 'vscode';
import type { AlertRule } from '../../../src/api/types';
import type { LogFilter } from '../../../src/logs/query/fields';
import { uiPattern } from '../../host/texts';
import type { ViewName } from '../../host/titles';
import { clickInMessage, errorMessages, notification } from '../person';
import { signOutQuestion } from '../questions';
import { rowOf } from '../rows';
import { setScene } from '../scene';
import { run, until } from '../wait';

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

describe('Log Explorer', () => {
  const scene = setScene({ historyRecords: 20 });

  it('accepts a valid filter object', async () => {
    await scene.connect();
    const filter = { traceId: trace, environments: ['production'] } satisfies LogFilter;
    const { from, to, ...asked } = await scene.searched(() => run('searchLogs', filter));
    assert.isBelow(Date.parse(from), Date.parse(to));
    assert.deepEqual(asked, filter);
    const before = (await scene.filters()).length;
    for (const wrong of [{ severities: ['loud'] }, { constructor: 1 }, 7, [], null]) {
      assert.isFalse(await run('searchLogs', wrong), JSON.stringify(wrong));
    }
    await until('each is refused', async () => (await errorMessages()).length === 5);
    await notification(uiPattern('Not sent: {0} {1} (allowed: {2}).'));
    assert.lengthOf(await scene.filters(), before);
  });

  it('has one panel, which starts with the last hour of all logs', async () => {
    await scene.connect();
    const before = (await scene.filters()).length;
    assert.isTrue(await run('searchLogs'));
    // The title of a view passes the row that has the focus.
    await run('openLogExplorer', { id: 'a row' });
    await until('the tab is there', () => tabs().length === 1);
    await until('the first search', async () => (await scene.filters()).length > before);
    const document = await vscode.workspace.openTextDocument({ content: 'in front of it' });
    await vscode.window.showTextDocument(document);
    await run('searchLogs');
    await until('it is in front again', () => tabs()[0]?.isActive);
    assert.lengthOf(tabs(), 1);
    const [first, ...others] = (await scene.filters()).slice(before);
    assert.isEmpty(others);
    const { from, to, ...rest } = first ?? assert.fail('Nothing was searched for.');
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
    clickInMessage(signOutQuestion, 'Sign Out');
    await run('signOut');
    await until('it is over', async () => (await pending())?.isOver);
    const after = (await scene.filters()).length;
    await scene.connect('demo-full', scene.newName());
    await run('openLogExplorer');
    assert.lengthOf(
      (await scene.filters()).slice(after).filter(({ traceId }) => traceId === trace),
      0,
    );
  });

  it('sends nothing of an earlier search to another connection', async () => {
    await scene.connect();
    await scene.searched(() => run('searchLogs', `trace:${trace} last:1d`));
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

  before(async () => {
    await scene.connect();
    await drawn('sources', deployment);
    await drawn('servers', () => rowOf('servers', `server ${serverId()}`));
  });

  it('search for all logs of an app or job', async () => {
    const filters = await scene.searched(
      async () => run('searchRowLogs', await rowOf('sources', ...resourcePath())),
      // What was expanded last may have been searched for only now.
      ({ workloadIds }) => workloadIds !== undefined,
    );
    assert.deepEqual(filters.workloadIds, [workload().id]);
  });

  it('search for the logs of an app since a deployment', async () => {
    const { deployments = [] } = await scene.get<{
      deployments?: { id: string; createdAt: string }[];
    }>(`/resources/${workload().id}/deployments`);
    const created = deployments.find(({ id }) => id === workload().deploymentId)?.createdAt ?? '';
    const filters = await scene.searched(
      async () => run('logsSinceDeployment', await deployment()),
      ({ environments }) => environments !== undefined,
    );
    assert.deepEqual(filters.workloadIds, [workload().id]);
    assert.deepEqual(filters.environments, ['production']);
    assert.equal(Date.parse(filters.from), Date.parse(created));
  });

  it('search for the workload and server of an alert rule, in its window', async () => {
    const { rules = [] } = await scene.get<{ rules?: AlertRule[] }>(
      `/servers/${serverId()}/monitor-alerts`,
    );
    const rule = rules.find(({ deployableId, evaluatedAt }) => deployableId && evaluatedAt);
    const { id = '', deployableId, evaluatedAt = '' } = rule ?? {};
    const server = `server ${serverId()}`;
    const ruleRow = await drawn('servers', () => rowOf('servers', server, 'rules', `rule ${id}`));
    const filters = await scene.searched(
      () => run('showRuleLogs', ruleRow),
      ({ workloadIds }) => workloadIds?.[0] === deployableId,
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
    const filters = await scene.searched(
      async () => run('compareDeployments', await deployment()),
      ({ deploymentIds }) => deploymentIds?.[0] === deploymentId,
    );
    assert.deepEqual(filters.severities, ['error', 'fatal']);
    const named = { resourceId: workload().id, deploymentId };
    const again = await scene.searched(
      () => run('compareDeployments', named),
      ({ deploymentIds }) => deploymentIds?.[0] === deploymentId,
    );
    assert.deepEqual(again.deploymentIds, [deploymentId]);
  });

  it('compare a query with another one, for which they ask if there is none', async () => {
    const other = { query: 'severity:warn last:1h', other: 'severity:warn from:3h to:2h' };
    const filters = await scene.searched(
      () => run('compareLogs', other),
      ({ to }) => Date.parse(to) < Date.now() - 3_600_000,
    );
    assert.deepEqual(filters.severities, ['warn']);
    assert.isFalse(await run('compareLogs', { query: 'severity:warn', other: 'severity:warn' }));
  });
});
