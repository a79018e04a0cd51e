import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { connect, machineTime, ourChannel, run, visible, wait, type Host } from './host';

/**
 * The start of the extension in a host that has not loaded it before: what its activation costs, and the
 * milliseconds to connect, to the first line of the first *Follow Logs*, and to the first row of a tree.
 */
export async function measureActivation(host: Host) {
  // The first activation of all includes work of VS Code that counts for neither.
  await costOf('control-plane.warm-up');
  const empty = await costOf('control-plane.empty');
  // Ours last: its work after activation would count for what follows.
  const ours = await costOf('control-plane.deployment-control-plane');
  const start = performance.now();
  await connect(host);
  const connecting = performance.now() - start;
  const rawLine = await firstLine('Raw', () => {
    const channel = vscode.window.createOutputChannel('Raw', 'log');
    channel.append('the first record\n');
    channel.show(true);
  });
  const line = await firstLine(ourChannel, () => run('controlPlane.followLogs', {}));
  return { ours, empty, connecting, line, rawLine, rows: await firstRows(host) };
}

/**
 * The milliseconds to load, evaluate and activate an extension, those that the processors of this host worked for
 * it, and the heap in bytes that it keeps.
 */
async function costOf(id: string) {
  const extension = vscode.extensions.getExtension(id);
  if (!extension) throw new Error(`No extension ${id}.`);
  if (extension.isActive) throw new Error(`${id} is active already.`);
  const before = heap();
  const worked = process.cpuUsage();
  const start = performance.now();
  await extension.activate();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(worked);
  // Includes what it defers until after its activation.
  await wait(1500);
  return { ms, processor: (user + system) / 1000, heap: heap() - before };
}

function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let times = 0; times < 3; times++) collect();
  return process.memoryUsage().heapUsed;
}

async function firstLine(channel: string, begin: () => unknown): Promise<number> {
  const start = machineTime();
  const shown = visible(channel, 'the first record');
  await begin();
  return (await shown) - start;
}

/** Fills views like ours from memory, and lets the benchmark process open them all. */
async function firstRows({ ask }: Host) {
  const { labels } = await ask<{ labels: string[] }>('firstRow');
  for (const container of ['benchWarmUp', 'benchRaw']) {
    const items = labels.map((label) => itemOf(label, container));
    createView(`${container}.rows`, items);
    for (const number of [1, 2, 3]) createView(`${container}.empty${number}`, []);
  }
  await run('controlPlane.stopLogs');
  await run('workbench.action.closePanel');
  // Discovery after the first connect is not measured.
  await wait(1000);
  return ask<{ ours: number; raw: number }>('firstRow/open');
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
