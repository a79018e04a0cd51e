import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { labelText, plainText } from '../../../base/untrustedText';
import { pause } from '../../../vscode/systemClock';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { fileIcon } from '../../../vscode/extensionHost';
import { withProgress, askUntil } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import { excludedPatterns, excludeSettings } from '../../../vscode/settings';
import { readTextFile } from '../../../vscode/textFiles';
import type { AskedRecords } from '../../explorer/ui/askedRecord';
import { findStatements, type LogStatement, longestFile } from '../findStatements';
import { codeFiles, excludedFiles, languageOfFile } from '../languages';
import { StatementIndex, type FoundStatement } from '../statementIndex';
import { describeTemplate, loggedMessage } from '../statementTemplate';

const { t } = vscode.l10n;

/** `goToLogStatement`: opens the logging call that fits a record. */
export function registerGoToLogStatement(
  asked: AskedRecords,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const statements = new WorkspaceStatements();
  const command = registerCommand(
    commands.goToLogStatement,
    async (argument) => {
      const { record, column } = asked.recordOf(argument);
      const result = await withProgress(
        t('Looking for the log statement…'),
        undefined,
        (signal, report) =>
          statements.find(record, signal, (done, all) => {
            report(counted(all, '{1} of {0} file', '{1} of {0} files', number(done)));
          }),
      );
      const chosen = await choose(result);
      if (chosen !== undefined) await open(chosen, record, column);
      else if (result.found.length === 0) sayNone(record, result);
      return chosen !== undefined;
    },
    { diagnostics, failed: t('Could not find the log statement.') },
  );
  return vscode.Disposable.from(statements, command);
}

/** Asks which of several; undefined if there is none or the question is dismissed. */
async function choose({
  found,
  isPartial,
  files,
}: FoundInWorkspace): Promise<FoundStatement | undefined> {
  if (found.length <= 1) return found[0];
  const items = found.map((statement) => {
    const uri = vscode.Uri.parse(statement.file);
    const [name = '', ...folders] = vscode.workspace.asRelativePath(uri).split('/').reverse();
    return {
      label: labelText(`${name}:${statement.line + 1}`),
      ...fileIcon(uri),
      description: labelText(folders.reverse().join('/')),
      detail: labelText(describeTemplate(statement.template)),
      statement,
    };
  });
  const placeHolder = isPartial
    ? counted(
        files,
        'Select a log statement. Only {0} file was read.',
        'Select a log statement. Only {0} files were read.',
      )
    : t('Several log statements fit the record. Select one.');
  const title = t('Go to Log Statement');
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.statement;
}

/** Opens a statement where it is now: the file may have changed since it was read. */
async function open(
  { file, line }: FoundStatement,
  record: LogRecord,
  viewColumn: vscode.ViewColumn,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file));
  const index = new StatementIndex();
  index.set(file, findStatements(document.getText(), document.languageId, { prints: true }));
  const lines = index.find(record).map((statement) => statement.line);
  const now = lines.includes(line) ? line : (lines[0] ?? line);
  const at = Math.min(now, document.lineCount - 1);
  const start = document.lineAt(at).firstNonWhitespaceCharacterIndex;
  const selection = new vscode.Range(at, start, at, start);
  await vscode.window.showTextDocument(document, { selection, viewColumn });
}

/** Says that no statement fits, and what can help. */
function sayNone(record: LogRecord, { files, isPartial }: FoundInWorkspace): void {
  const what = plainText(loggedMessage(record).text, 100);
  const read = isPartial
    ? counted(
        files,
        'Only {0} file was read: exclude generated code with search.exclude.',
        'Only {0} files were read: exclude generated code with search.exclude.',
      )
    : counted(
        files,
        '{0} file was read: open the folder with the code of the workload.',
        '{0} files were read: open the folder with the code of the workload.',
      );
  void vscode.window.showInformationMessage(
    `${t('No log statement in this workspace fits “{0}”.', what)} ${read}`,
  );
}

/** The statements of the workspace that fit a record. */
interface FoundInWorkspace {
  /** The best first. */
  readonly found: readonly FoundStatement[];
  readonly files: number;
  /** Whether there are more files. */
  readonly isPartial: boolean;
}

const mostFiles = 5000;
/** How many files are read at the same time. */
const readAtOnce = 16;

/** The logging calls of all code in the workspace. Nothing is read before the first search. */
class WorkspaceStatements {
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
  const language = languageOfFile(uri.path);
  const text = language && (await readTextFile(uri, longestFile));
  return language === undefined || text === undefined
    ? []
    : findStatements(text, language, { prints: true });
}
