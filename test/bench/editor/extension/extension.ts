import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../../src/api/types';
import { measureActivation } from './activation';
import { measureBurst } from './burst';
import { measureFirstPage, openForMeasuring } from './explorer';
import { measureFirstRow } from './firstRow';
import { measureLatency } from './latency';
import { measureFollowing, measureIdle } from './processorTime';
import { measureThroughput } from './throughput';
import { measureTyping } from './typing';

/** The task from the benchmark process. */
export interface Task {
  readonly row: string;
  readonly rounds: number;
  readonly recordsFile: string;
}

/** Sends a request to the benchmark process. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** The time of the machine in milliseconds with fractions, the same for all its processes. */
export function machineTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Runs the task that `DCP_BENCH_URL` names and reports the result there. */
export function activate(): void {
  const url = process.env['DCP_BENCH_URL'];
  if (!url) return;
  const ask: Ask = async (path, body) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  measure(ask, url)
    .then(
      (result) => ask('/bench/result', { result }),
      (error: unknown) =>
        ask('/bench/result', { problem: error instanceof Error ? error.stack : String(error) }),
    )
    .then(undefined, (error: unknown) => console.error(error));
}

async function measure(ask: Ask, url: string): Promise<unknown> {
  const task = (await ask('/bench/task')) as Task;
  // Lets the window finish its own work after opening.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await vscode.commands.executeCommand('workbench.action.closePanel');
  switch (task.row) {
    case 'activation':
      return { ...(await measureActivation(url)), ...(await measureFirstRow(ask)) };
    case 'throughput':
      return measureThroughput(ask, url, readRecords(task), task.rounds);
    case 'latency':
      return measureLatency(ask, url, task.rounds);
    case 'burst':
      return measureBurst(ask, url);
    case 'typing':
      return measureTyping(ask, url, task.rounds);
    case 'idle':
      return measureIdle(url);
    case 'following':
      return measureFollowing(ask, url);
    case 'explorerFirstPage':
      return measureFirstPage(ask, url, task.rounds);
    case 'explorerLoaded':
      return openForMeasuring(ask, url);
    default:
      throw new Error(`No row ${task.row}.`);
  }
}

function readRecords({ recordsFile }: Task): LogRecord[] {
  return JSON.parse(readFileSync(recordsFile, 'utf8')) as LogRecord[];
}
