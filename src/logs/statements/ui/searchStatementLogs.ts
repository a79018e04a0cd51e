import * as vscode from 'vscode';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showFailure } from '../../../vscode/notifications';
import type { LogExplorer } from '../../explorer/ui/logExplorer';
import { queryNames } from '../../explorer/ui/requests';
import { asLogFilter, type LogFilter, workloadFilter } from '../../query/filter';
import { printSearch } from '../../query/searchQuery';
import { statementFilter } from '../statementQuery';
import { statementAt } from './documentStatements';

const { t } = vscode.l10n;

export interface StatementSearchServices {
  readonly session: Session;
  readonly names: Names;
  readonly explorer: LogExplorer;
  readonly diagnostics: Diagnostics;
  /** The ids of the apps that are deployed from the folder, as far as they are known. */
  readonly folderApps: () => readonly string[];
}

/**
 * `searchStatementLogs`: shows the records of a logging call in the Log Explorer. Takes the filter of a
 * statement without workloads, which are those of the folder, or uses the statement at the cursor.
 */
export function registerSearchStatementLogs(services: StatementSearchServices): vscode.Disposable {
  const { session, names, explorer, diagnostics, folderApps } = services;
  return vscode.commands.registerCommand(commands.searchStatementLogs, (argument) => {
    try {
      const statement = argument === undefined ? filterAtCursor() : asLogFilter(argument);
      const filter = { ...statement, ...workloadFilter(folderApps()) };
      explorer.open(printSearch({ filter, range: {} }, queryNames(session, names).nameOf));
      return true;
    } catch (error) {
      void showFailure(diagnostics, t('Could not search the logs.'), error);
      return false;
    }
  });
}

/** @throws Error with a message for the user. */
function filterAtCursor(): LogFilter {
  const editor = vscode.window.activeTextEditor;
  const statement = editor && statementAt(editor.document, editor.selection.active);
  if (statement === undefined) {
    throw new Error(
      t('Place the cursor on a call that logs a message, and run the command again.'),
    );
  }
  const filter = statementFilter(statement, []);
  if (filter === undefined) {
    throw new Error(t('This log statement has too little constant text to search for.'));
  }
  return filter;
}
