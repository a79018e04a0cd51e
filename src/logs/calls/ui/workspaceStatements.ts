import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { pause } from '../../../vscode/clock';
import { askUntil } from '../../../vscode/notifications';
import { excludedPatterns, excludeSettings } from '../../../vscode/settings';
import { codeFiles, excludedFiles, languageOfFile } from '../codeFiles';
import { findStatements, type LogStatement, longestFile } from '../findStatements';
import { createStatementIndex, type FoundStatement } from '../statementIndex';

/** The statements of the workspace that fit a record. */
export interface FoundInWorkspace {
  /** The best first. */
  readonly found: readonly FoundStatement[];
  /** The number of files that were looked at. */
  readonly files: number;
  /** Whether there are more files. */
  readonly isPartial: boolean;
}

/** The logging calls of all code in the workspace. Nothing is read before the first search. */
interface WorkspaceStatements {
  /**
   * Reads what is new or has changed, and searches.
   *
   * @param onProgress called with the number of files that are read and of all files to read.
   * @throws the reason of the signal. What was read until then stays.
   */
  find(
    record: LogRecord,
    signal: AbortSignal,
    onProgress: (done: number, all: number) => void,
  ): Promise<FoundInWorkspace>;
  dispose(): void;
}

const mostFiles = 5000;
/** How many files are read at the same time. */
const readAtOnce = 16;

export function createWorkspaceStatements(): WorkspaceStatements {
  const index = createStatementIndex();
  /** Files that changed since they were read. */
  const stale = new Set<string>();
  /** Whether the list of files is up to date. */
  let isListed = false;
  let hasMoreFiles = false;
  let isFull = false;
  let watching: vscode.Disposable | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function watch(): vscode.Disposable {
    const files = vscode.workspace.createFileSystemWatcher(codeFiles);
    const list = (): void => void (isListed = false);
    return vscode.Disposable.from(
      files,
      files.onDidChange((uri) => {
        if (index.files.has(uri.toString())) stale.add(uri.toString());
      }),
      files.onDidCreate((uri) => {
        // Some editors save a file by replacing it.
        if (index.files.has(uri.toString())) stale.add(uri.toString());
        else list();
      }),
      files.onDidDelete((uri) => {
        stale.delete(uri.toString());
        index.delete(uri.toString());
        list();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(list),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (excludeSettings.some((name) => event.affectsConfiguration(name))) list();
      }),
    );
  }

  async function update(
    signal: AbortSignal,
    onProgress: (done: number, all: number) => void,
  ): Promise<void> {
    signal.throwIfAborted();
    watching ??= watch();
    const wasListed = isListed;
    isListed = true;
    try {
      const missing = wasListed ? [] : await listMissing(signal);
      const files = [...new Set([...missing, ...stale])];
      for (let done = 0; done < files.length && !isFull; done += readAtOnce) {
        onProgress(done, files.length);
        await Promise.all(files.slice(done, done + readAtOnce).map(read));
        await pause();
        signal.throwIfAborted();
      }
    } catch (error) {
      isListed = false;
      throw error;
    }
  }

  /** The files that are not in the index. Removes those that are gone. */
  async function listMissing(signal: AbortSignal): Promise<readonly string[]> {
    const exclude = excludedFiles(excludedPatterns());
    const uris = await askUntil(signal, (token) =>
      vscode.workspace.findFiles(codeFiles, exclude, mostFiles + 1, token),
    );
    signal.throwIfAborted();
    hasMoreFiles = uris.length > mostFiles;
    const files = new Set(uris.slice(0, mostFiles).map((uri) => uri.toString()));
    for (const file of [...index.files]) if (!files.has(file)) index.delete(file);
    isFull = false;
    return [...files].filter((file) => !index.files.has(file));
  }

  async function read(file: string): Promise<void> {
    // A change while it is read makes it stale again.
    stale.delete(file);
    if (!index.set(file, await statementsOf(vscode.Uri.parse(file)))) isFull = true;
  }

  return {
    find(record, signal, onProgress) {
      const search = async (): Promise<FoundInWorkspace> => {
        await update(signal, onProgress);
        const { size } = index.files;
        return { found: index.find(record), files: size, isPartial: hasMoreFiles || isFull };
      };
      // One after the other, so that no file is read twice.
      const result = last.then(search, search);
      last = result;
      return result;
    },
    dispose: () => void watching?.dispose(),
  };
}

/** None of a file that cannot be read or is too long. */
async function statementsOf(uri: vscode.Uri): Promise<readonly LogStatement[]> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    const language = languageOfFile(uri.path);
    if (size > longestFile || language === undefined) return [];
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return findStatements(text, language, { prints: true });
  } catch {
    return [];
  }
}
