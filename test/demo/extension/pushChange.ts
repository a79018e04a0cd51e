import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';

const run = promisify(execFile);

type Change = 'good' | 'failing' | 'regressing';

/** What the command offers. */
const changes: readonly (vscode.QuickPickItem & { readonly change: Change })[] = [
  { label: 'Good', description: 'is live in all apps', change: 'good' },
  { label: 'Failing', description: 'fails in the first app', change: 'failing' },
  { label: 'Regressing', description: 'is live and logs a new error', change: 'regressing' },
];

/** How often a regressing change logs its error, and how often in all. In milliseconds. */
const errorEvery = 15_000;
const errors = 12;
const liveAfterSeconds = 20;

/**
 * Commits a change to the demo workspace and pushes it to the repository beside it; the embedded control plane then
 * deploys it in stages.
 *
 * @param url of the control plane.
 * @param apps the ids of the apps that are deployed from the workspace.
 */
export async function pushChange(url: string, apps: readonly string[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const picked = await vscode.window.showQuickPick(changes, { placeHolder: 'Select a change' });
  if (folder === undefined || picked === undefined) return;
  const git = async (...args: string[]): Promise<string> => {
    return (await run('git', args, { cwd: folder })).stdout.trim();
  };
  const file = path.join(folder, 'CHANGES.md');
  await appendFile(file, `- A ${picked.change} change\n`);
  await git('add', '--', file);
  await git('commit', '--quiet', '--message', `Make a ${picked.change} change`);
  const commitSha = await git('rev-parse', 'HEAD');
  await git('push', '--quiet', 'origin', 'HEAD');

  const admin = async (method: string, ...args: readonly unknown[]): Promise<void> => {
    const body = JSON.stringify(args);
    await fetch(`${url}/_admin/${method}`, { method: 'POST', body });
  };
  const failed = {
    ...{ afterSeconds: 12, state: 'failed' },
    members: { errorCode: 'build_failed', errorMessage: 'The image could not be built.' },
  };
  for (const [index, id] of apps.entries()) {
    const steps = [
      { afterSeconds: 3, state: 'building' },
      picked.change === 'failing' && index === 0
        ? failed
        : { afterSeconds: liveAfterSeconds - 4 * (apps.length - 1 - index), state: 'succeeded' },
    ];
    await admin('deploy', id, { commitSha }, steps);
  }
  if (picked.change !== 'regressing') return;
  const error = { severity: 'error', body: 'Error: the discount is not a number', previewId: null };
  for (let count = 1; count <= errors; count++) {
    setTimeout(
      () => void admin('emit', [{ ...error, workloadName: 'web-api' }]),
      liveAfterSeconds * 1000 + count * errorEvery,
    );
  }
}
