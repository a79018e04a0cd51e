import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { nextBox, type } from '../boxes';
import { answerPick, clickInMessage, followedLogs, shownMessages, notification } from '../person';
import { setScene, setTo, shown } from '../scene';
import { channelDocument, run, until } from '../wait';

const setting = 'logs.savedSearches';
const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';

describe('Saved searches', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());
  afterEach(async () => {
    if (setTo(setting, 'workspaceValue') === undefined) return;
    const settings = vscode.workspace.getConfiguration('controlPlane');
    await settings.update(setting, undefined, vscode.ConfigurationTarget.Workspace);
  });

  const save = async (query: string, name: string, owner = uiText('For me')): Promise<boolean> => {
    answerPick((items) => items.find(({ label }) => label === owner));
    const saved = run<boolean>('saveSearch', query);
    await type(await nextBox(), name);
    return saved;
  };

  it('are stored in the user or workspace settings, as chosen', async () => {
    assert.isTrue(await save('severity:error', 'errors'));
    assert.deepEqual(setTo(setting), [{ name: 'errors', query: 'severity:error' }]);
    assert.isTrue(await save(`server:${id}`, 'of the team', uiText('For this workspace')));
    const { origin } = new URL(scene.controlPlane.url);
    assert.deepEqual(setTo(setting, 'workspaceValue'), [
      { name: 'of the team', query: `server:${id}`, origin },
    ]);
    assert.lengthOf(setTo(setting) as unknown[], 1);
  });

  it('replace a search with the same name only after confirmation', async () => {
    await scene.set(setting, [{ name: 'errors', query: 'severity:error' }]);
    clickInMessage(uiPattern('A search with this name already exists: {0}', 'errors'), 'Replace');
    assert.isTrue(await save('severity:fatal', 'errors'));
    assert.deepEqual(setTo(setting), [{ name: 'errors', query: 'severity:fatal' }]);
  });

  it('run in the Log Explorer, those of the user and of the workspace', async () => {
    await scene.set(setting, [{ name: 'errors', query: 'severity:error' }]);
    const { length } = await scene.filters();
    await run('runSearch', 'errors');
    const search = await until('a search', async () => (await scene.filters())[length]);
    assert.deepEqual(search.severities, ['error']);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, uiText('Log Explorer'));
  });

  it('do not run with ids of another control plane, but can be edited', async () => {
    const search = { name: 'theirs', query: `server:${id}`, origin: 'https://other.example' };
    await scene.set(setting, [search]);
    const before = (await scene.filters()).length;
    const isForeign = uiPattern(
      '"{0}" contains IDs of another control plane ({1}) and cannot run here.',
      search.name,
      search.origin,
    );
    clickInMessage(isForeign, 'Edit Query');
    await run('runSearch', 'theirs');
    await until(
      'the explorer is open',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === uiText('Log Explorer'),
    );
    clickInMessage(isForeign, 'Edit Query');
    await run('followSearch', 'theirs');
    assert.isEmpty(await followedLogs());
    assert.lengthOf(await scene.filters(), before);
    assert.lengthOf(await shownMessages(), 2);
  });

  it('are followed under their name, without their range', async () => {
    await scene.set(setting, [{ name: 'shop errors', query: 'severity:error last:7d' }]);
    await run('followSearch', 'shop errors');
    await scene.tailIs('live', 'shop errors');
  });

  it('are renamed, but not to an existing name', async () => {
    await scene.set(setting, [
      { name: 'a', query: 'x' },
      { name: 'b', query: 'y' },
    ]);
    const renamed = run('renameSearch', 'a');
    const box = await nextBox();
    assert.equal(box.value, 'a');
    await type(box, 'b');
    const message = box.validationMessage;
    assert.equal(message, uiText('A search with this name already exists: {0}', 'b'));
    await type(box, 'c');
    await renamed;
    assert.deepEqual(setTo(setting), [
      { name: 'c', query: 'x' },
      { name: 'b', query: 'y' },
    ]);
  });

  it('are deleted after confirmation', async () => {
    await scene.set(setting, [{ name: 'a', query: 'x' }]);
    clickInMessage(uiPattern('Delete the saved search "{0}"?', 'a'), 'Delete');
    await run('deleteSearch', 'a');
    assert.isUndefined(setTo(setting));
  });

  it('are copied as links with unambiguous names', async () => {
    await scene.set('servers', [{ id, label: 'eu-1' }]);
    await scene.set(setting, [{ name: 'a', query: `server:${id} "a & b" last:15m` }]);
    await until('the link has the name', async () => {
      await run('copySearchLink', 'a');
      const link = await vscode.env.clipboard.readText();
      return (
        link ===
        `${vscode.env.uriScheme}://control-plane.deployment-control-plane/logs?q=${encodeURIComponent('server:eu-1 "a & b" last:15m')}`
      );
    });
  });
});

describe('Recent searches', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  /** What is offered to be run. */
  const offered = async (): Promise<string[]> => {
    let labels: string[] = [];
    answerPick((items) => {
      labels = items.map(({ label }) => label);
      return undefined;
    });
    await run('runSearch');
    return labels;
  };

  it('belong to the connection until they are cleared', async () => {
    await scene.searched(() => run('searchLogs', 'severity:error'));
    assert.deepEqual(await offered(), [uiText('Recent'), 'severity:error']);
    await run('clearRecentSearches');
    await run('runSearch');
    await notification(uiText('There are no such searches yet.'));
  });

  it('stay listed while they are notified of, so that this can be turned off', async () => {
    await scene.searched(() => run('searchLogs', 'severity:error'));
    await run('notifyOfSearch', { id: 'recent severity:error' });
    await run('clearRecentSearches');
    answerPick((items) => items.find(({ label }) => label === 'severity:error'));
    await run('notifyOfSearch');
    await run('notifyOfSearch');
    await notification(uiText('There are no such searches yet.'));
  });
});

describe('A link to a search', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  const hasNotRun = uiPattern('A link opened this search, which has not run yet: {0}');
  const extension = 'control-plane.deployment-control-plane';
  const openLink = (rest: string): Thenable<unknown> =>
    vscode.commands.executeCommand(
      'vscode.open',
      vscode.Uri.parse(`${vscode.env.uriScheme}://${extension}${rest}`),
    );

  it('opens and runs only after confirmation', async () => {
    const before = (await scene.requests('/logs/query')).length;
    const query = 'severity:error "a&b=c%41+d" last:15m';
    await openLink(`/logs?q=${encodeURIComponent(query)}`);
    const message = await notification(hasNotRun);
    assert.include(message, query);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, uiText('Log Explorer'));
    assert.lengthOf(await scene.requests('/logs/query'), before);

    clickInMessage(hasNotRun, 'Run Search');
    await openLink(`/logs?q=${encodeURIComponent(query)}`);
    const request = await until('the search', async () => (await scene.filters())[before]);
    assert.equal(request.search, 'a&b=c%41+d');
  });

  it(`shows hostile text as text and takes only a query from it ${covers('F57', 'editor')}`, async () => {
    await openLink(
      `/logs?q=${encodeURIComponent('[x](command:workbench.action.quit)&baseUrl=https://evil.example')}`,
    );
    const message = await notification(hasNotRun);
    assert.include(message, '[x] (command:');
    const connections = vscode.workspace.getConfiguration('controlPlane').get('connections');
    assert.notInclude(JSON.stringify(connections), 'evil');
  });

  it('with another path does nothing', async () => {
    await openLink('/connect?baseUrl=https://evil.example&key=x');
    await notification(uiText('The extension does not know this link.'));
  });
});

describe('A link to a record', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  const containerId = 'cd'.repeat(32);
  /** Opens what was copied, or what `change` makes of it. */
  const openCopied = async (change = (link: string) => link): Promise<void> => {
    const link = change(await vscode.env.clipboard.readText());
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(link));
  };
  const copyLink = async (): Promise<void> => {
    await scene.follow();
    await scene.tailIs('live');
    const body = 'it is this one';
    await scene.emit({ containerId, body });
    await shown(1, body);
    const document = channelDocument('logs') ?? assert.fail('The channel is not shown.');
    const { line } = document.positionAt(document.getText().lastIndexOf(body));
    await run('copyRecordLink', { line });
  };

  it('is copied from the log channel, and shows it with what is around it', async () => {
    await copyLink();
    const before = (await scene.filters()).length;
    await openCopied();
    const searches = await until('both sides', async () => {
      const found = (await scene.filters()).slice(before);
      return found.length >= 2 ? found : undefined;
    });
    for (const { containerIds } of searches) assert.deepEqual(containerIds, [containerId]);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, uiText('Log Explorer'));
  });

  it('of another control plane is not requested from this one', async () => {
    await copyLink();
    const before = (await scene.requests('/logs/query')).length;
    const other = 'https://other.example';
    await openCopied((link) => link.replace(/http[^&]*$/, encodeURIComponent(other)));
    await notification(
      uiPattern('The link leads to a record of another control plane: {0}', other),
    );
    assert.lengthOf(await scene.requests('/logs/query'), before);
  });
});
