import * as vscode from 'vscode';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { commands } from '../../../vscode/contributions';
import { systemClock } from '../../../vscode/clock';
import { showFailure } from '../../../vscode/notifications';
import { unambiguousNames } from '../../query/print';
import { asLogFilter, type LogFilter, workloadFilter } from '../../query/filter';
import { printSearch } from '../../query/searchQuery';
import { searchTime } from '../../query/ui/readSearch';
import { createStatementLookups, type StatementLookups } from '../statementLookups';
import { statementQuery } from '../statementQuery';
import { statementAt } from './documentStatements';
import { type GoToStatementServices, registerGoToLogStatement } from './goToLogStatement';
import { type FileLogsServices, registerShowLogsOfFile } from './showLogsOfFile';
import { registerStatementHovers } from './statementHovers';
import { registerStatementLenses, type SessionLookups } from './statementLenses';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

interface LogStatementServices extends GoToStatementServices, Omit<FileLogsServices, 'timeFormat'> {
  readonly data: WorkspaceData;
}

/** Connects logging calls in code with their records, in both directions. */
export function registerLogStatements(services: LogStatementServices): vscode.Disposable {
  const { session, data, folderApps } = services;
  const { timeFormat } = data.context;
  let current: StatementLookups | undefined;
  const lookups: SessionLookups = () => {
    const { signedIn } = session;
    current ??=
      signedIn &&
      createStatementLookups(signedIn.client, {
        clock: systemClock,
        now: () => searchTime(session).now,
        apps: folderApps,
      });
    return current;
  };
  return vscode.Disposable.from(
    // Another key may have fewer permissions.
    session.onDidChange(() => void (current = undefined)),
    registerStatementLenses(session, lookups),
    registerStatementHovers(session, lookups, timeFormat),
    registerSearchStatementLogs(services),
    registerGoToLogStatement(services),
    registerShowLogsOfFile({ ...services, timeFormat }),
  );
}

/**
 * `searchStatementLogs`: shows the records of a logging call in the Log Explorer. Takes the filter of a
 * statement without workloads, which are those of the folder, or uses the statement at the cursor.
 */
function registerSearchStatementLogs(services: LogStatementServices): vscode.Disposable {
  const { names, explorer, diagnostics, folderApps } = services;
  return vscode.commands.registerCommand(commands.searchStatementLogs, (argument) => {
    try {
      const statement = argument === undefined ? filterAtCursor() : asLogFilter(argument);
      const filter = { ...statement, ...workloadFilter(folderApps()) };
      explorer.open(printSearch({ filter, range: {} }, unambiguousNames(names)));
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
    throw new UserError(
      t('Place the cursor on a call that logs a message, and run the command again.'),
    );
  }
  const filter = statementQuery(statement, [])?.filter;
  if (filter === undefined) {
    throw new UserError(t('This log statement has too little constant text to search for.'));
  }
  return filter;
}
