import * as vscode from 'vscode';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { foldersOf } from '../pathMapping';
import type { SourceFiles } from './sourceFiles';

/** Milliseconds from a change to its reading, so that a burst of answers causes one. */
const gatherFor = 500;

/** Tells where workloads have their code, from the resources that are loaded. Requests nothing. */
export function registerWorkloadFolders(
  { store, targets, onDidChange }: Pick<WorkspaceData, 'store' | 'targets' | 'onDidChange'>,
  files: SourceFiles,
): vscode.Disposable {
  let known = '[]';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function read(): void {
    timer = undefined;
    const folders = new Map<string, readonly string[]>();
    for (const source of targets.sources()) {
      for (const { id, config } of store.resources(source.id).value?.resources ?? []) {
        if (id !== undefined && config !== undefined) folders.set(id, foldersOf(config));
      }
    }
    // What resources do changes all the time, but rarely where they are built from.
    const found = JSON.stringify([...folders]);
    if (found === known) return;
    known = found;
    files.useFolders((workloadId) => folders.get(workloadId) ?? []);
  }

  return vscode.Disposable.from(
    onDidChange(() => (timer ??= setTimeout(read, gatherFor))),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}
