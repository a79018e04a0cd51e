import * as vscode from 'vscode';
import { onDidChangeSettings, pathMappings } from '../../../vscode/settings';
import { candidatesIn, firstFile, type LookBudget } from '../pathMapping';

/** Finds files of the workspace by the paths that stack frames give. */
export interface SourceFiles {
  /**
   * The file that a path of a frame stands for; undefined where the workspace has none, or where too much
   * was looked at already to find out.
   */
  find(path: string, budget: LookBudget): Promise<vscode.Uri | undefined>;
  dispose(): void;
}

/** So many places are looked at for one request: a line may be made of nothing but paths. */
export function lookBudget(): LookBudget {
  return { left: 2000 };
}

/** Logs repeat the same few paths; beyond this the cache starts anew. */
const maxCached = 5000;

export function createSourceFiles(): SourceFiles {
  const found = new Map<string, ReturnType<typeof search>>();
  const forget = (): void => found.clear();
  const subscriptions = [
    vscode.workspace.onDidCreateFiles(forget),
    vscode.workspace.onDidDeleteFiles(forget),
    vscode.workspace.onDidRenameFiles(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
    onDidChangeSettings('logs.pathMappings', forget),
  ];
  return {
    async find(path, budget) {
      let file = found.get(path);
      if (file === undefined) {
        if (found.size >= maxCached) forget();
        file = search(path, budget);
        found.set(path, file);
      }
      const known = await file;
      if (known !== 'unknown') return known;
      if (found.get(path) === file) found.delete(path);
      return undefined;
    },
    dispose() {
      vscode.Disposable.from(...subscriptions).dispose();
    },
  };
}

async function search(
  path: string,
  budget: LookBudget,
): Promise<vscode.Uri | 'unknown' | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const known = folders.map(({ name, uri }) => ({ name, mappings: pathMappings(uri) }));
  const places = candidatesIn(path, known).flatMap((candidate) => {
    const folder = folders[candidate.folder];
    return folder === undefined ? [] : [vscode.Uri.joinPath(folder.uri, candidate.path)];
  });
  return firstFile(places, isFile, budget);
}

const missing = new Set(['FileNotFound', 'FileNotADirectory']);

/** A file system that is not there yet, or not reached, says nothing of its files. */
async function isFile(uri: vscode.Uri): Promise<boolean | 'unknown'> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && missing.has(error.code);
    return isMissing ? false : 'unknown';
  }
}
