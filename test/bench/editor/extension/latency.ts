import * as vscode from 'vscode';
import { machineTime, type Ask } from './extension';
import { followAnew, ourChannel, visible } from './output';

/** Milliseconds until one line is visible, by round. */
export interface Latency {
  readonly ours: number[];
  readonly raw: number[];
}

/**
 * From the server's write of one record on an idle tail to its line, compared with one plain
 * append.
 */
export async function measureLatency(ask: Ask, url: string, rounds: number): Promise<Latency> {
  const channel = vscode.window.createOutputChannel('Raw', 'log');
  await followAnew(url);
  await ask('/bench/latency');
  const result: Latency = { ours: [], raw: [] };
  for (let round = -5; round < rounds; round++) {
    channel.show(true);
    await idle();
    const rawStart = performance.now();
    channel.appendLine(`probe ${round};`);
    const raw = (await visible('Raw', `probe ${round};`)) - rawStart;

    await vscode.commands.executeCommand('controlPlane.showLogs');
    await idle();
    const shown = visible(ourChannel, `probe ${round};`);
    const { start } = (await ask('/bench/latency/write', { round })) as { start: number };
    const ours = performance.timeOrigin + (await shown) - start;
    if (round < 0) continue;
    result.raw.push(raw);
    result.ours.push(ours);
  }
  channel.dispose();
  return result;
}

/** Long enough for the window to become idle, and never in step with its timers. */
async function idle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 150 + 100 * Math.random()));
  machineTime();
}
