import { measureActivation } from './activation';
import { measureFirstPage, measureFollowing, openForMeasuring } from './explorer';
import type { Host, Task } from './host';
import { measureBurst, measureIdle, measureLatency, measureThroughput } from './logs';
import { measureTyping } from './typing';
import { run, wait } from './host';

/** What is measured in the editor for each row. */
const tasks = {
  throughput: measureThroughput,
  latency: measureLatency,
  activation: measureActivation,
  burst: measureBurst,
  idle: measureIdle,
  following: measureFollowing,
  typing: measureTyping,
  explorerFirstPage: measureFirstPage,
  explorerLoaded: openForMeasuring,
} satisfies Readonly<Record<string, (host: Host) => Promise<unknown>>>;

export type EditorRowName = keyof typeof tasks;
/** What a task reports. */
export type Report<Name extends EditorRowName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

/** Runs the task that `DCP_BENCH_URL` names and reports the result there. */
export function activate(): void {
  const url = process.env['DCP_BENCH_URL'];
  if (!url) return;
  const ask: Host['ask'] = async <Answer>(path: string, body?: unknown) => {
    const response = await fetch(`${url}/bench/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Answer;
  };
  measure(url, ask)
    .then(
      (result) => ask('result', { result }),
      (error: unknown) =>
        ask('result', { problem: error instanceof Error ? error.stack : String(error) }),
    )
    .then(undefined, (error: unknown) => console.error(error));
}

async function measure(url: string, ask: Host['ask']): Promise<unknown> {
  const task = await ask<Task>('task');
  // Lets the window finish its own work after opening.
  await wait(3000);
  await run('workbench.action.closePanel');
  return tasks[task.row as EditorRowName]({ ...task, url, ask });
}
