import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { machineTime } from './extension';
import { ourChannel, visible } from './output';
import { connectAs } from '../../../host/connectAs';

const ours = 'control-plane.deployment-control-plane';
const empty = 'control-plane.empty';

/** Milliseconds that an extension needs for its work after activation. */
const settling = 1500;

/** The cost of activation, in a host that has not loaded the extension before. */
export interface Cost {
  /** Milliseconds to load, evaluate and activate it. */
  readonly ms: number;
  /** Heap in bytes that it keeps. */
  readonly heap: number;
}

export interface Activation {
  readonly cost: { readonly ours: Cost; readonly empty: Cost };
  /**
   * Milliseconds from the command to the first line, the first time: our extension, and a plain
   * channel.
   */
  readonly firstLine: { readonly ours: number; readonly raw: number };
  /** Milliseconds from the base URL and the key to the connection. */
  readonly connect: number;
}

export async function measureActivation(url: string): Promise<Activation> {
  // The first activation of all includes work of VS Code that counts for neither.
  await costOf('control-plane.warm-up');
  // Ours last: its work after activation would count for what follows.
  const cost = { empty: await costOf(empty), ours: await costOf(ours) };
  const connection = { name: 'bench', baseUrl: url, apiKey: 'bench-key' };
  const start = performance.now();
  if (!(await connectAs(connection))) {
    throw new Error('Could not connect.');
  }
  const connect = performance.now() - start;
  const raw = await firstLine('Raw', () => {
    const channel = vscode.window.createOutputChannel('Raw', 'log');
    channel.append('the first record\n');
    channel.show(true);
  });
  const own = await firstLine(ourChannel, () =>
    vscode.commands.executeCommand('controlPlane.followLogs', {}),
  );
  return { cost, firstLine: { ours: own, raw }, connect };
}

async function costOf(id: string): Promise<Cost> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension) throw new Error(`No extension ${id}.`);
  if (extension.isActive) throw new Error(`${id} is active already.`);
  const before = heap();
  const start = performance.now();
  await extension.activate();
  const ms = performance.now() - start;
  // Includes what it defers until after its activation.
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
