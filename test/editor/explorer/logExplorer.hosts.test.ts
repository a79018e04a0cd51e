import { assert } from 'chai';
import * as vscode from 'vscode';
import { setScene } from '../scene';
import { run } from '../wait';

const minute = 60_000;

/** Its panel, the files of its page and its first request, in either host. */
describe('Log Explorer on each host', () => {
  const scene = setScene({ historyRecords: 20 });

  it('takes a query and runs it', async () => {
    await scene.connect();
    const query = 'severity:error,fatal stream:stderr last:15m';
    const filters = await scene.searched(
      () => run('searchLogs', query),
      ({ stream }) => stream === 'stderr',
    );
    assert.deepEqual(filters.severities, ['error', 'fatal']);
    assert.approximately(Date.now() - Date.parse(filters.from), 15 * minute, minute);
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.instanceOf(tab?.input, vscode.TabInputWebview);
    assert.match(tab.input.viewType, /controlPlane\.logExplorer$/);
  });
});
