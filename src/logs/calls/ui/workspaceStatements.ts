import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { pause } from '../../../vscode/clock';
import { askUntil } from '../../../vscode/notifications';
import { excludedPatterns, excludeSettings } from '../../../vscode/settings';
import { codeFiles, excludedFiles, languageOfFile } from '../codeFiles';
import { findStatements, type LogStatement, longestFile } from '../findStatements';
import { StatementIndex, type FoundStatement } from '../statementIndex';

/** The statements of the workspace that fit a record. */
export interface FoundInWorkspace {
  /** The best first. */
  readonly found: readonly FoundStatement[];
  /** The number of files that were looked at. */
  readonly files: number;
  /** Whether there are more files. */
  readonly isPartial: boolean;
}

const mostFiles = 5000;
/** How many files are read at the same time. */
const readAtOnce = 16;

/** The logging calls of all code in the workspace. Nothing is read before the first search. */
export class WorkspaceStatements {
  private readonly index = new StatementIndex();
  /** Files that changed since they were read. */
  private readonly stale = new Set<string>();
  /** Whether the list of files is up to date. */
  private isListed = false;
  private hasMoreFiles = false;
  private isFull = false;
  private watching: vscode.Disposable | undefined;
  private last: Promise<unknown> = Promise.resolve();

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
  ): Promise<FoundInWorkspace> {
    const search = async (): Promise<FoundInWorkspace> => {
      await this.update(signal, onProgress);
      const { size } = this.index.files;
      return {
        found: this.index.find(record),
        files: size,
        isPartial: this.hasMoreFiles || this.isFull,
      };
    };
    // One after the other, so that no file is read twice.
    const result = this.last.then(search, search);
    this.last = result;
    return result;
  }

  dispose(): void {
    void this.watching?.dispose();
  }

  private watch(): vscode.Disposable {
    const files = vscode.workspace.createFileSystemWatcher(codeFiles);
    const list = (): void => void (this.isListed = false);
    return vscode.Disposable.from(
      files,
      files.onDidChange((uri) => {
        if (this.index.files.has(uri.toString())) this.stale.add(uri.toString());
      }),
      files.onDidCreate((uri) => {
        // Some editors save a file by replacing it.
        if (this.index.files.has(uri.toString())) this.stale.add(uri.toString());
        else list();
      }),
      files.onDidDelete((uri) => {
        this.stale.delete(uri.toString());
        this.index.delete(uri.toString());
        list();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(list),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (excludeSettings.some((name) => event.affectsConfiguration(name))) list();
      }),
    );
  }

  private async update(
    signal: AbortSignal,
    onProgress: (done: number, all: number) => void,
  ): Promise<void> {
    signal.throwIfAborted();
    this.watching ??= this.watch();
    const wasListed = this.isListed;
    this.isListed = true;
    try {
      const missing = wasListed ? [] : await this.listMissing(signal);
      const files = [...new Set([...missing, ...this.stale])];
      for (let done = 0; done < files.length && !this.isFull; done += readAtOnce) {
        onProgress(done, files.length);
        await Promise.all(files.slice(done, done + readAtOnce).map((file) => this.read(file)));
        await pause();
        signal.throwIfAborted();
      }
    } catch (error) {
      this.isListed = false;
      throw error;
    }
  }

  /** The files that are not in the index. Removes those that are gone. */
  private async listMissing(signal: AbortSignal): Promise<readonly string[]> {
    const exclude = excludedFiles(excludedPatterns());
    const uris = await askUntil(signal, (token) =>
      vscode.workspace.findFiles(codeFiles, exclude, mostFiles + 1, token),
    );
    signal.throwIfAborted();
    this.hasMoreFiles = uris.length > mostFiles;
    const files = new Set(uris.slice(0, mostFiles).map((uri) => uri.toString()));
    for (const file of [...this.index.files]) if (!files.has(file)) this.index.delete(file);
    this.isFull = false;
    return [...files].filter((file) => !this.index.files.has(file));
  }

  private async read(file: string): Promise<void> {
    // A change while it is read makes it stale again.
    this.stale.delete(file);
    if (!this.index.set(file, await statementsOf(vscode.Uri.parse(file)))) this.isFull = true;
  }
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
