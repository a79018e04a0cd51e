import * as vscode from 'vscode';

/**
 * Does what a person would do first: connects with the address and key that `npm start` put into
 * the environment of this host, and follows all logs. Once only: after a reload the extension
 * itself goes on where it was.
 */
export async function activate({ workspaceState }: vscode.ExtensionContext): Promise<void> {
  const { DCP_DEMO_URL: baseUrl, DCP_DEMO_KEY: apiKey } = process.env;
  if (!baseUrl || !apiKey || workspaceState.get('started')) return;
  await vscode.commands.executeCommand('controlPlane.connect', { name: 'Demo', baseUrl, apiKey });
  await vscode.commands.executeCommand('controlPlane.followLogs', {});
  await workspaceState.update('started', true);
}
