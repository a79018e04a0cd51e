import * as vscode from 'vscode';

/**
 * Does once what a new user does first: connects with the URL and key that `npm start` put into the
 * environment, opens the views and the source of an error, and follows all logs. After a reload the
 * extension itself resumes.
 */
export async function activate({ workspaceState }: vscode.ExtensionContext): Promise<void> {
  const { DCP_DEMO_URL: baseUrl, DCP_DEMO_KEY: apiKey, DCP_DEMO_LINE: line } = process.env;
  if (!baseUrl || !apiKey || workspaceState.get('started')) return;
  await vscode.commands.executeCommand('workbench.view.extension.controlPlane');
  await vscode.commands.executeCommand('controlPlane.connect', { name: 'Demo', baseUrl, apiKey });
  if (line) await showLine(line);
  await vscode.commands.executeCommand('controlPlane.followLogs', {});
  await workspaceState.update('started', true);
}

/** @param location a file of the folder with line and column: `src/a.ts:3:5`. */
async function showLine(location: string): Promise<void> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(location) ?? [];
  if (!root || !file) return;
  const position = new vscode.Position(Number(line) - 1, Number(column) - 1);
  const selection = new vscode.Range(position, position);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(root, file), { selection });
}
