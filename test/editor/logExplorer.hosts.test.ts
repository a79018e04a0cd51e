import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogQueryRequest } from '../../src/api/types';
import { setScene } from './scene';
import { until } from './wait';

const minute = 60_000;

/** Its panel, the files of its page and its first request, in either host. */
describe('Log Explorer on each host', () => {
  const scene = setScene({ historyRecords: 20 });

  it('takes a query and runs it', async () => {
    await scene.connect();
    const query = 'severity:error,fatal stream:stderr last:15m';
    assert.isTrue(await vscode.commands.executeCommand('controlPlane.searchLogs', query));
    const { filters } = await until('the search', async () =>
      (await scene.requests('/logs/query'))
        .map(({ body = '{}' }) => JSON.parse(body) as LogQueryRequest)
        .find((request) => request.filters.stream === 'stderr'),
    );
    assert.deepEqual(filters.severities, ['error', 'fatal']);
    assert.approximately(Date.now() - Date.parse(filters.from), 15 * minute, minute);
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.instanceOf(tab?.input, vscode.TabInputWebview);
    assert.match(tab.input.viewType, /controlPlane\.logExplorer$/);
  });
});
