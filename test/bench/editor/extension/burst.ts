import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { Ask } from './extension';
import { followAnew, ourChannel, visible } from './output';

/** Milliseconds, and the counts of records. */
export interface Burst {
  readonly lagP99: number;
  readonly lagMax: number;
  readonly seconds: number;
}

/** The usual delay of the monitor's own timer, which is subtracted. */
const resolution = 5;

/** The lag of the extension host while records arrive faster than any window shows them. */
export async function measureBurst(ask: Ask, url: string): Promise<Burst> {
  await followAnew(url);
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const { seconds, end } = (await ask('/bench/burst/go')) as { seconds: number; end: string };
  delay.disable();
  await visible(ourChannel, end);
  await vscode.commands.executeCommand('controlPlane.stopLogs');
  return {
    lagP99: delay.percentile(99) / 1e6 - resolution,
    lagMax: delay.max / 1e6 - resolution,
    seconds,
  };
}
