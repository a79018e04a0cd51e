import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { nextBox, type } from '../boxes';
import { rowOf } from '../rows';
import { followedLogs } from '../person';
import { setScene } from '../scene';
import { run, until } from '../wait';

/** Waits for a row. */
function row(view: 'sources' | 'servers' | 'integrations', ...path: string[]): Promise<unknown> {
  return until(`the row ${path.join('/')}`, () => rowOf(view, ...path));
}

async function copied(command: string, argument: unknown): Promise<string> {
  await vscode.env.clipboard.writeText('');
  await run(command, argument);
  return vscode.env.clipboard.readText();
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
    const server = await row('servers', `server ${serverId()}`);
    assert.equal(await copied('copyId', server), serverId());
    assert.equal(await copied('copyName', server), 'fra\\u{1b}[31m rm -rf ~');
  });

  it(`do nothing with a copy of a row, which anything can make ${covers('F88', 'editor')}`, async () => {
    await vscode.commands.executeCommand('controlPlane.servers.focus');
    const server = await row('servers', `server ${serverId()}`);
    const copies = [{ ...(server as object) }, { view: 'controlPlane.servers', id: 'any' }, 'row'];
    for (const copy of copies) {
      assert.equal(await copied('copyId', copy), '');
      for (const command of ['openSite', 'openRepository', 'followRowLogs', 'searchRowLogs']) {
        assert.isNotOk(await run(command, copy), command);
      }
    }
    assert.isEmpty(opened);
    assert.isEmpty(await followedLogs());
  });

  it('compare the secret keys of its source, as a text that is read only', async () => {
    const listing = {
      bindings: [
        { environment: 'production', stage: 'runtime', keys: ['DATABASE_URL'] },
        { environment: 'staging', stage: 'runtime', keys: ['DATABASE_URL', 'FEATURE_FLAGS'] },
      ],
    };
    const body = JSON.stringify(listing);
    await scene.controlPlane.admin.fault({
      ...{ kind: 'status', status: 200, body, times: 100 },
      endpoint: 'get_sources_secrets',
    });
    await vscode.commands.executeCommand('controlPlane.sources.focus');
    const source = await row('sources', `source ${sourceId()}`);
    assert.isTrue(await run('compareSecretKeys', source));
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.uri.scheme, 'control-plane');
    const [title, , , , head, flags] = document.getText().split('\n');
    assert.equal(title, uiText('Secret keys of {0}', 'shop'));
    assert.match(head!, /production +staging$/);
    assert.match(flags!, new RegExp(`^ +FEATURE_FLAGS +runtime +– +${uiText('set')}$`));
  });

  it('draw the trees again if VS Code has lost their row', async () => {
    const { prototype } = vscode.EventEmitter;
    const fire = Object.getOwnPropertyDescriptor(prototype, 'fire')!;
    let redraws = 0;
    prototype.fire = function (data) {
      if (data === undefined) redraws++;
      (fire.value as typeof prototype.fire).call(this, data);
    };
    try {
      await vscode.commands.executeCommand('controlPlane.copyId', undefined);
      assert.equal(redraws, 0);
      await vscode.commands.executeCommand('controlPlane.copyId', undefined, undefined);
      assert.isAbove(redraws, 1);
    } finally {
      Object.defineProperty(prototype, 'fire', fire);
    }
  });

  it('follow its logs under its own name', async () => {
    await vscode.commands.executeCommand('controlPlane.sources.focus');
    const source = await row('sources', `source ${sourceId()}`);
    await until('its apps and jobs are loaded', async () => run('followRowLogs', source));
    await scene.tailIs('live', 'shop');
    await run('stopLogs');
    await run('removeLogs');
  });

  it('refresh the row, its view, or everything visible', async () => {
    await vscode.commands.executeCommand('controlPlane.servers.focus');
    const counts = async (): Promise<[alerts: number, resources: number]> => [
      (await scene.requests('/monitor-alerts')).length,
      (await scene.requests('/resources')).length,
    ];
    const more = async (command: string, argument?: unknown): Promise<[number, number]> => {
      const [alerts, resources] = await counts();
      await run(command, argument);
      const [alertsAfter, resourcesAfter] = await counts();
      return [alertsAfter - alerts, resourcesAfter - resources];
    };
    assert.deepEqual(await more('refresh', await row('servers', `server ${serverId()}`)), [1, 0]);
    assert.deepEqual(await more('refreshServers'), [1, 0]);
    // The title of a view passes the focused row.
    const source = await row('sources', `source ${sourceId()}`);
    assert.deepEqual(await more('refreshServers', source), [1, 0]);
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
    const more = await row('integrations', 'repositories ', 'more');
    await until('the second page', async () => {
      await run('loadMore', more);
      return (await scene.requests()).some(({ url }) => /\/repositories\?.*page=2/.test(url));
    });
    assert.isEmpty(opened);
  });

  it('do nothing and ask for nothing if the row is gone', async () => {
    await vscode.commands.executeCommand('controlPlane.servers.focus');
    const gone = await row('servers', `server ${serverId()}`);
    await scene.set('servers', []);
    await until('the row is gone', async () => (await copied('copyId', gone)) === '');
    for (const command of ['openSite', 'followRowLogs', 'syncEnvironment', 'cleanUpOrphans']) {
      assert.isUndefined(await run(command, gone), command);
    }
    assert.isEmpty(opened);
  });
});
