import * as vscode from 'vscode';
import { membersOf } from '../../../api/readLenient';
import type { LogRecord } from '../../../api/types';
import { labelText, plainText } from '../../../base/plainText';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { fileIcon } from '../../../vscode/newerEditors';
import { withProgress } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import type { LogComparison } from '../../explorer/ui/logComparison';
import type { LogExplorer } from '../../explorer/ui/logExplorer';
import { logChannelOf } from '../../tail/ui/channelDocuments';
import type { LogChannels } from '../../tail/ui/logChannels';
import { recordAt } from '../../tail/ui/logLinksAndHovers';
import { findStatements } from '../findStatements';
import { describeTemplate, loggedMessage } from '../statementTemplate';
import { StatementIndex, type FoundStatement } from '../statementIndex';
import { WorkspaceStatements, type FoundInWorkspace } from './workspaceStatements';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

export interface GoToStatementServices {
  readonly explorer: LogExplorer;
  readonly comparison: Pick<LogComparison, 'recordOf'>;
  readonly logChannels: LogChannels;
  readonly diagnostics: Diagnostics;
}

/** A record, and where its code opens. */
interface Asked {
  readonly record: LogRecord;
  readonly column: vscode.ViewColumn;
}

/**
 * `goToLogStatement`: opens the logging call that fits a record. The record is that of a row of the Log
 * Explorer or the newest of a row of a comparison (`recordKey`), of a line of the log channel (`line`, from 0), or without an argument the one that
 * is selected.
 */
export function registerGoToLogStatement(services: GoToStatementServices): vscode.Disposable {
  const { diagnostics } = services;
  const statements = new WorkspaceStatements();
  const command = registerCommand(
    commands.goToLogStatement,
    async (argument) => {
      const { record, column } = askedRecord(services, argument);
      const result = await withProgress(
        t('Looking for the log statement…'),
        undefined,
        (signal, report) =>
          statements.find(record, signal, (done, all) => {
            report(t('{0} of {1}', number(done), counted(all, '{0} file', '{0} files')));
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

/** @throws UserError */
function askedRecord(
  { explorer, comparison, logChannels }: GoToStatementServices,
  argument: unknown,
): Asked {
  const { recordKey, line } = membersOf(argument);
  const ofRow = typeof recordKey === 'string' ? recordKey : undefined;
  const shown =
    ofRow === undefined ? undefined : (explorer.recordOf(ofRow) ?? comparison.recordOf(ofRow));
  if (ofRow !== undefined && shown === undefined) {
    throw new UserError(t('This record is no longer shown.'));
  }
  const { activeTextEditor: active } = vscode.window;
  const isInChannel = typeof line === 'number' || (active !== undefined && isOfLogs(active));
  const record = shown ?? (isInChannel ? undefined : explorer.recordOf());
  if (record !== undefined) return { record, column: vscode.ViewColumn.Beside };
  const ofLine = recordOfLine(logChannels, line);
  if (ofLine !== undefined) return { record: ofLine, column: vscode.ViewColumn.Active };
  throw new UserError(
    t('Select a record in the Log Explorer, or place the cursor on a line of Control Plane Logs.'),
  );
}

/** The record of a line of the visible log channel, by default of the line with the cursor. */
function recordOfLine(channels: LogChannels, line: unknown): LogRecord | undefined {
  const editor = vscode.window.visibleTextEditors.filter(isOfLogs).at(-1);
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const at = typeof line === 'number' ? line : selection.active.line;
  if (!Number.isInteger(at)) return undefined;
  return at >= 0 && at < document.lineCount ? recordAt(channels, document, at) : undefined;
}

function isOfLogs({ document }: vscode.TextEditor): boolean {
  return logChannelOf(document) !== undefined;
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
