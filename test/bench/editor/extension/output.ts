import * as vscode from 'vscode';
import { connectAs } from '../../../host/connectAs';

/** The document of an output channel, while it is visible. */
export function outputDocument(name: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'output' && uri.path.endsWith(name),
  );
}

/**
 * Waits until a text is among the last lines of a visible channel; returns the time on the axis of
 * `performance.now`.
 */
export async function visible(name: string, text: string, within = 120_000): Promise<number> {
  const isThere = (): boolean => {
    const document = outputDocument(name);
    if (!document) return false;
    for (let back = 1; back <= Math.min(50, document.lineCount); back++) {
      if (document.lineAt(document.lineCount - back).text.includes(text)) return true;
    }
    return false;
  };
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      subscription.dispose();
      clearTimeout(timer);
      resolve(performance.now());
    };
    const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === 'output' && isThere()) finish();
    });
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`${name} does not show ${text}: ${describe(name)}`));
    }, within);
    if (isThere()) finish();
  });
}

function describe(name: string): string {
  const document = outputDocument(name);
  if (!document) return 'it is not open';
  const last = document.lineAt(Math.max(0, document.lineCount - 2)).text.slice(0, 100);
  return `${document.lineCount} lines, the last ${last}`;
}

/** The channel of the measured extension. */
export const ourChannel = 'Control Plane Logs';

/** Connects under a new name, which clears the channel, and follows everything. */
export async function followAnew(url: string): Promise<void> {
  const name = `bench ${Date.now()}`;
  const connection = { name, baseUrl: url, apiKey: 'bench-key' };
  if (!(await connectAs(connection))) {
    throw new Error('Could not connect.');
  }
  if (!(await vscode.commands.executeCommand('controlPlane.followLogs', {}))) {
    throw new Error('Could not follow logs.');
  }
  // The Output view switches to another channel when the visible one is disposed.
  await vscode.commands.executeCommand('controlPlane.showLogs');
  await visible(ourChannel, 'Following');
}
