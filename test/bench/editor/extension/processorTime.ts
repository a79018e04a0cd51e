import * as vscode from 'vscode';
import type { Ask } from './extension';
import { openExplorer } from './explorer';
import { followAnew } from './output';

/** Shares of one processor that the extension host takes. */
export interface ProcessorTime {
  readonly ours: number;
  /** The same host before the extension is active. */
  readonly without: number;
}

/** Milliseconds that a window needs for its work after something happened. */
const settling = 15_000;

/** A window that does nothing, first without the extension, then with a live tail without records. */
export async function measureIdle(url: string): Promise<ProcessorTime> {
  await wait(settling);
  const minute = (): Promise<number> => shareOf(() => wait(60_000));
  const without = await minute();
  await followAnew(url);
  await vscode.commands.executeCommand('workbench.action.closePanel');
  await wait(settling);
  return { without, ours: await minute() };
}

/** A Log Explorer that follows; the benchmark process loads its records and sends the new ones. */
export async function measureFollowing(ask: Ask, url: string): Promise<ProcessorTime> {
  await openExplorer(url);
  await ask('/bench/explorer/follow');
  const without = await shareOf(() => wait(10_000));
  return { without, ours: await shareOf(() => ask('/bench/explorer/send')) };
}

async function shareOf(what: () => Promise<unknown>): Promise<number> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await what();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000 / (performance.now() - start);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
