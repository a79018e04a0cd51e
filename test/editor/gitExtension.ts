import * as vscode from 'vscode';
import type { GitFolder } from '../host/gitFolder';
import { run, until } from './wait';

/** The parts of the Git extension that tests use. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<OpenRepository> };
}

/** A repository that the Git extension has opened. */
export interface OpenRepository {
  /** Reads it again. */
  status(): Promise<void>;
}

const gitSettings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('git');
const wasEnabled = gitSettings().inspect<boolean>('enabled')?.globalValue;
const { Global } = vscode.ConfigurationTarget;

export async function setGit(enabled: boolean | undefined): Promise<void> {
  await gitSettings().update('enabled', enabled, Global);
}

async function setParents(value: string | undefined): Promise<void> {
  await gitSettings().update('openRepositoryInParentFolders', value, Global);
}

/** Enables Git and opens a repository. */
export async function openInGit({ folder }: GitFolder): Promise<OpenRepository> {
  await setGit(true);
  // The oldest release asks before it opens files outside of the workspace.
  await setParents('always');
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = await extension!.activate();
  await until('Git is on', () => git.enabled);
  return git.getAPI(1).openRepository(vscode.Uri.file(folder));
}

/** Closes all repositories, and leaves Git as it was. */
export async function leaveGit(): Promise<void> {
  await setGit(false);
  await until('no repository is open', async () => (await run('chooseSource')) === false);
  await setGit(wasEnabled);
  await setParents(undefined);
}
