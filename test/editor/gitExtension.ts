import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createGitFolder, type GitFolder } from '../host/gitFolder';
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

/** What `setRepository` has prepared. */
export interface GitScene {
  /** A folder outside of the workspace, which is deleted afterwards. */
  readonly folder: string;
  readonly code: GitFolder;
  repository: OpenRepository;
}

/**
 * Prepares a repository for the tests of a `describe`, and opens it in Git.
 *
 * @param prepare makes its commits, before it is opened.
 */
export function setRepository(
  prepare: (scene: Omit<GitScene, 'repository'>) => Promise<void>,
): GitScene {
  const scene: Partial<{ -readonly [Member in keyof GitScene]: GitScene[Member] }> = {};
  before(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'code-'));
    const code = await createGitFolder(path.join(folder, 'mine'));
    Object.assign(scene, { folder, code });
    await prepare({ folder, code });
    scene.repository = await openInGit(code);
  });
  after(async () => {
    await leaveGit();
    await rm(scene.folder!, { recursive: true, maxRetries: 10 });
  });
  return scene as GitScene;
}
