import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { machineTime } from './extension';
import { ourChannel, visible } from './output';

const ours = 'control-plane.deployment-control-plane';
const empty = 'control-plane.empty';

/** Milliseconds until an extension has done what it does after its activation. */
const settling = 1500;

/** What it costs to begin, in a host in which nothing of it was loaded before. */
export interface Cost {
  /** Milliseconds to load, evaluate and activate it. */
  readonly ms: number;
  /** Bytes of the heap that it keeps. */
  readonly heap: number;
}

export interface Activation {
  readonly ours: Cost;
  readonly empty: Cost;
  /** Milliseconds from the command to the first line, the first time: ours, and a bare channel. */
  readonly firstLine: { readonly ours: number; readonly raw: number };
}

export async function measureActivation(url: string): Promise<Activation> {
  // What VS Code does for the first activation of all is no cost of either.
  await costOf('control-plane.warm-up');
  // Ours last: what it does after it was activated would be counted for whatever comes then.
  const costs = { empty: await costOf(empty), ours: await costOf(ours) };
  const connection = { name: 'bench', baseUrl: url, apiKey: 'bench-key' };
  if ((await vscode.commands.executeCommand('controlPlane.connect', connection)) === false) {
    throw new Error('It does not connect.');
  }
  const raw = await firstLine('Raw', () => {
    const channel = vscode.window.createOutputChannel('Raw', 'log');
    channel.append('the first record\n');
    channel.show(true);
  });
  const own = await firstLine(ourChannel, () =>
    vscode.commands.executeCommand('controlPlane.followLogs', {}),
  );
  return { ...costs, firstLine: { ours: own, raw } };
}

async function costOf(id: string): Promise<Cost> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension) throw new Error(`There is no ${id}.`);
  if (extension.isActive) throw new Error(`${id} is active already.`);
  const before = heap();
  const start = performance.now();
  await extension.activate();
  const ms = performance.now() - start;
  // What it has put off until it was activated is a part of what it keeps.
  await new Promise((resolve) => setTimeout(resolve, settling));
  return { ms, heap: heap() - before };
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
  return performance.timeOrigin + (await shown) - start;
}
