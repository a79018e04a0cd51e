import * as vscode from 'vscode';
import { candidatesIn } from '../logs/lines/pathMapping';
import { onDidChangeSettings, pathMappings } from './settings';

/** Finds files of the workspace by the paths that stack frames give. */
export interface SourceFiles {
  /** The file that a path of a frame stands for, undefined where the workspace has none. */
  find(path: string): Promise<vscode.Uri | undefined>;
  dispose(): void;
}

/** Logs repeat the same few paths; beyond this the cache starts anew. */
const maxCached = 5000;

export function createSourceFiles(): SourceFiles {
  const found = new Map<string, Promise<vscode.Uri | undefined>>();
  const forget = (): void => found.clear();
  const subscriptions = [
    vscode.workspace.onDidCreateFiles(forget),
    vscode.workspace.onDidDeleteFiles(forget),
    vscode.workspace.onDidRenameFiles(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
    onDidChangeSettings('logs.pathMappings', forget),
  ];
  return {
    find(path) {
      let file = found.get(path);
      if (file === undefined) {
        if (found.size >= maxCached) forget();
        file = search(path);
        found.set(path, file);
      }
      return file;
    },
    dispose() {
      vscode.Disposable.from(...subscriptions).dispose();
    },
  };
}

async function search(path: string): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const known = folders.map(({ name, uri }) => ({ name, mappings: pathMappings(uri) }));
  for (const candidate of candidatesIn(path, known)) {
    const folder = folders[candidate.folder];
    if (folder === undefined) continue;
    const uri = vscode.Uri.joinPath(folder.uri, candidate.path);
    if (await isFile(uri)) return uri;
  }
  return undefined;
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
