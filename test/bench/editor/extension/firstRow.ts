import * as vscode from 'vscode';
import type { Ask } from './extension';

/** Milliseconds from the click on each icon until the first row is visible. */
export interface FirstRow {
  readonly ours: number;
  readonly raw: number;
}

/** What the benchmark process sends before the views are opened. */
export interface FirstRowTask {
  /** The labels of the rows. */
  readonly labels: readonly string[];
}

/** Fills views like ours from memory, and lets the benchmark process open them all. */
export async function measureFirstRow(ask: Ask): Promise<FirstRow> {
  const { labels } = (await ask('/bench/firstRow')) as FirstRowTask;
  for (const container of ['benchWarmUp', 'benchRaw']) {
    const items = labels.map((label) => itemOf(label, container));
    createView(`${container}.rows`, items);
    for (const number of [1, 2, 3]) createView(`${container}.empty${number}`, []);
  }
  await vscode.commands.executeCommand('controlPlane.stopLogs');
  await vscode.commands.executeCommand('workbench.action.closePanel');
  // Discovery after the first connect is not measured.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return (await ask('/bench/firstRow/open')) as FirstRow;
}

/** As the tree shows a source that is not loaded yet. */
function itemOf(label: string, container: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${container} ${label}`;
  item.iconPath = new vscode.ThemeIcon('repo');
  item.description = label;
  item.contextValue = 'source canRename';
  item.accessibilityInformation = { label };
  return item;
}

function createView(id: string, items: readonly vscode.TreeItem[]): void {
  vscode.window.createTreeView<vscode.TreeItem>(id, {
    showCollapseAll: true,
    treeDataProvider: {
      getChildren: (item) => (item === undefined ? [...items] : []),
      getTreeItem: (item) => item,
    },
  });
}
