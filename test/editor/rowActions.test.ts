import { assert } from 'chai';
import * as vscode from 'vscode';
import { nextBox, type } from './boxes';
import { setScene } from './scene';
import { run, until } from './wait';

function row(view: 'sources' | 'servers' | 'integrations', ...path: string[]): object {
  return { view: `controlPlane.${view}`, id: path.join('/') };
}

/** Calls a command until the clipboard has this text: the row may be drawn a moment later. */
async function copies(command: string, argument: object, text: string): Promise<void> {
  await vscode.env.clipboard.writeText('');
  await until(`${command} copies ${text}`, async () => {
    await run(command, argument);
    return (await vscode.env.clipboard.readText()) === text;
  });
}

describe('The commands of a tree row', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      settings: ({ servers, sources }) => ({
        servers: [{ id: servers[0]?.id, label: 'fra\u001b[31m\nrm -rf ~' }],
        sources: [{ id: sources[0]?.id, label: 'shop' }],
      }),
    },
  );
  const opened: string[] = [];
  const { openExternal } = vscode.env;

  before(async () => {
    Object.assign(vscode.env, {
      openExternal(uri: vscode.Uri) {
        opened.push(uri.toString());
        return Promise.resolve(true);
      },
    });
    await scene.connect();
  });
  beforeEach(() => void opened.splice(0));
  after(() => {
    Object.assign(vscode.env, { openExternal });
  });

  const serverId = (): string => scene.controlPlane.world.servers[0]?.id ?? '';
  const sourceId = (): string => scene.controlPlane.world.sources[0]?.id ?? '';

  it('copy its id, and its name on one line that is safe in a terminal', async () => {
    await vscode.commands.executeCommand('controlPlane.servers.focus');
    const server = row('servers', `server ${serverId()}`);
    await copies('copyId', server, serverId());
    await copies('copyName', server, 'fra\\u{1b}[31m rm -rf ~');
  });

  it('follow its logs under its own name', async () => {
    await vscode.commands.executeCommand('controlPlane.sources.focus');
    const source = row('sources', `source ${sourceId()}`);
    await until('its apps and jobs are loaded', async () => run('followRowLogs', source));
    await scene.tailIs('live', 'shop');
    await run('stopLogs');
    await run('removeLogs');
  });

  it('ask for nothing else if the row is gone', async () => {
    for (const command of ['syncEnvironment', 'cleanUpOrphans']) {
      assert.isUndefined(await run(command, row('sources', 'unknown')), command);
    }
  });

  it('refresh the row, its view, or everything visible', async () => {
    await vscode.commands.executeCommand('controlPlane.servers.focus');
    const counts = async (): Promise<[alerts: number, resources: number]> => [
      (await scene.requests('/monitor-alerts')).length,
      (await scene.requests('/resources')).length,
    ];
    const more = async (command: string, argument?: object): Promise<[number, number]> => {
      const [alerts, resources] = await counts();
      await run(command, argument);
      const [alertsAfter, resourcesAfter] = await counts();
      return [alertsAfter - alerts, resourcesAfter - resources];
    };
    assert.deepEqual(await more('refresh', row('servers', `server ${serverId()}`)), [1, 0]);
    assert.deepEqual(await more('refreshServers'), [1, 0]);
    // The title of a view passes the focused row.
    assert.deepEqual(await more('refreshServers', row('sources', `source ${sourceId()}`)), [1, 0]);
    assert.deepEqual(await more('refresh', row('servers', 'unknown server')), [0, 0]);
    assert.equal((await more('refresh'))[0], 1);
  });

  it('search repositories, load more of them and open one in the browser, with https only', async () => {
    await vscode.commands.executeCommand('controlPlane.integrations.focus');
    const searching = run('searchRepositories');
    await type(await nextBox(), 'sh');
    await searching;
    const [first] = await until('the repositories of the search', async () => {
      const urls = (await scene.requests()).map(({ url }) => url);
      const found = urls.filter(
        (url) => url.includes('/repositories') && url.includes('search=sh'),
      );
      return found.length > 0 && found;
    });
    assert.include(first, '/codehost-b/repositories?');

    await run('resetRepositorySearch');
    const more = row('integrations', 'repositories ', 'more');
    await until('the second page', async () => {
      await run('loadMore', more);
      return (await scene.requests()).some(({ url }) => /\/repositories\?.*page=2/.test(url));
    });
    assert.isEmpty(opened);
  });

  it('do nothing for a row that no longer exists', async () => {
    for (const command of ['openSite', 'openRepository', 'copyId', 'followRowLogs', 'loadMore']) {
      assert.isUndefined(await run(command, row('sources', 'unknown source')), command);
    }
    assert.isEmpty(opened);
  });
});
