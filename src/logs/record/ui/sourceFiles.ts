import * as vscode from 'vscode';
import { onDidChangeSettings, pathMappings } from '../../../vscode/settings';
import { candidatesIn, firstFile, type LookBudget } from '../pathMapping';
import { createFileNameSearch } from './fileNameSearch';

/** Finds files of the workspace by the paths of stack frames. */
export interface SourceFiles {
  /**
   * The file of a path; undefined if the workspace has none or the budget is used up.
   *
   * @param workloadId whose stack frame it is, if that is known: its own folders decide where several files fit.
   */
  find(path: string, budget: LookBudget, workloadId?: string): Promise<vscode.Uri | undefined>;
  /** Tells where workloads have their code, when that becomes known or changes. */
  useFolders(foldersOf: FoldersOf): void;
  /** A path may now have another file. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

/** The folders with the code of a workload, relative to its repository; empty while they are unknown. */
export type FoldersOf = (workloadId: string) => readonly string[];

/** Limits the file checks of one request: a hostile line may consist of paths. */
export function lookBudget(): LookBudget {
  return { left: 2000 };
}

/** The cache is cleared beyond this: logs repeat few paths. */
const maxCached = 5000;
/** A search of the workspace costs as much as this many file checks. */
const searchCost = 20;

export function createSourceFiles(): SourceFiles {
  const found = new Map<string, ReturnType<typeof search>>();
  const changes = new vscode.EventEmitter<void>();
  const fileSearch = createFileNameSearch();
  let foldersOf: FoldersOf = () => [];

  const forget = (): void => {
    found.clear();
    fileSearch.forget();
    changes.fire();
  };
  const subscriptions = [
    changes,
    vscode.workspace.onDidCreateFiles(forget),
    vscode.workspace.onDidDeleteFiles(forget),
    vscode.workspace.onDidRenameFiles(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
    onDidChangeSettings('logs.pathMappings', forget),
  ];

  async function search(
    path: string,
    own: readonly string[],
    budget: LookBudget,
  ): Promise<vscode.Uri | 'unknown' | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const known = folders.map(({ name, uri }) => ({ name, mappings: pathMappings(uri) }));
    const places = candidatesIn(path, known, own).flatMap((candidate) => {
      const folder = folders[candidate.folder];
      return folder === undefined ? [] : [vscode.Uri.joinPath(folder.uri, candidate.path)];
    });
    const file = await firstFile(places, isFile, budget);
    if (file !== undefined) return file;
    if (budget.left < searchCost) return 'unknown';
    budget.left -= searchCost;
    return fileSearch.find(path, own);
  }

  return {
    async find(path, budget, workloadId) {
      const own = workloadId === undefined ? [] : foldersOf(workloadId);
      const key = [path, ...own].join('\n');
      let file = found.get(key);
      if (file === undefined) {
        if (found.size >= maxCached) found.clear();
        file = search(path, own, budget);
        found.set(key, file);
      }
      const known = await file;
      if (known !== 'unknown') return known;
      if (found.get(key) === file) found.delete(key);
      return undefined;
    },
    useFolders(next) {
      foldersOf = next;
      changes.fire();
    },
    onDidChange: changes.event,
    dispose() {
      vscode.Disposable.from(...subscriptions).dispose();
    },
  };
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
