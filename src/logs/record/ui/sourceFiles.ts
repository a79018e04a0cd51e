import * as vscode from 'vscode';
import { onDidChangeSettings, pathMappings } from '../../../vscode/settings';
import { candidatesIn, firstFile, type LookBudget } from '../pathMapping';

/** Finds files of the workspace by the paths of stack frames. */
export interface SourceFiles {
  /** The file of a path; undefined if the workspace has none or the budget is used up. */
  find(path: string, budget: LookBudget): Promise<vscode.Uri | undefined>;
  dispose(): void;
}

/** Limits the file checks of one request: a hostile line may consist of paths. */
export function lookBudget(): LookBudget {
  return { left: 2000 };
}

/** The cache is cleared beyond this: logs repeat few paths. */
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

/** `'unknown'` if the file system is not available. */
async function isFile(uri: vscode.Uri): Promise<boolean | 'unknown'> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && missing.has(error.code);
    return isMissing ? false : 'unknown';
  }
}
