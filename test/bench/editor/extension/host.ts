import * as vscode from 'vscode';
import { connectAs } from '../../../host/connectAs';

/** The task from the benchmark process. */
export interface Task {
  readonly row: string;
  readonly rounds: number;
  readonly recordsFile: string;
}

/** What a task can use: its rounds, and the benchmark process. */
export interface Host extends Task {
  readonly url: string;
  /** Sends a request to the benchmark process; its answers are those of the row with the same name. */
  readonly ask: <Answer = unknown>(path: string, body?: unknown) => Promise<Answer>;
}

/** The channel of the measured extension. */
export const ourChannel = 'Control Plane Logs';

/** The time of the machine in milliseconds with fractions, the same for all its processes. */
export function machineTime(): number {
  return performance.timeOrigin + performance.now();
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function run(command: string, ...args: unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...args);
}

export async function connect({ url }: Host, name = 'bench'): Promise<void> {
  const connection = { name, baseUrl: url, apiKey: 'bench-key' };
  if (!(await connectAs(connection))) throw new Error('Could not connect.');
}

/** Connects under a new name, which clears the channel, and follows everything. */
export async function followAnew(host: Host): Promise<void> {
  await connect(host, `bench ${Date.now()}`);
  if (!(await run('controlPlane.followLogs', {}))) throw new Error('Could not follow logs.');
  // The Output view switches to another channel when the visible one is disposed.
  await run('controlPlane.showLogs');
  await visible(ourChannel, 'Following');
}

/** Waits until a text is among the last lines of a visible channel; returns the time of the machine. */
export async function visible(channel: string, text: string, within = 120_000): Promise<number> {
  const lastLines = (count: number): string[] => {
    const document = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.scheme === 'output' && uri.path.endsWith(channel),
    );
    if (!document) return [];
    return Array.from(
      { length: Math.min(count, document.lineCount) },
      (_, back) => document.lineAt(document.lineCount - 1 - back).text,
    );
  };
  const isThere = (): boolean => lastLines(50).some((line) => line.includes(text));
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      subscription.dispose();
      clearTimeout(timer);
      resolve(machineTime());
    };
    const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === 'output' && isThere()) finish();
    });
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`${channel} does not show ${text}, but ${lastLines(2).join(' ')}`));
    }, within);
    if (isThere()) finish();
  });
}
