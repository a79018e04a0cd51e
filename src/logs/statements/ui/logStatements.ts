import * as vscode from 'vscode';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { type GoToStatementServices, registerGoToLogStatement } from './goToLogStatement';
import { registerSearchStatementLogs } from './searchStatementLogs';
import { createSessionLookups } from './sessionLookups';
import { type FileLogsServices, registerShowLogsOfFile } from './showLogsOfFile';
import { registerStatementHovers } from './statementHovers';
import { registerStatementLenses } from './statementLenses';

interface LogStatementServices extends GoToStatementServices, Omit<FileLogsServices, 'timeFormat'> {
  readonly data: WorkspaceData;
}

/** Connects logging calls in code with their records, in both directions. */
export function registerLogStatements(services: LogStatementServices): vscode.Disposable {
  const { session, data } = services;
  const { timeFormat } = data.context;
  const lookups = createSessionLookups(services);
  return vscode.Disposable.from(
    lookups,
    registerStatementLenses(session, lookups),
    registerStatementHovers(session, lookups, timeFormat),
    registerSearchStatementLogs(services),
    registerGoToLogStatement(services),
    registerShowLogsOfFile({ ...services, timeFormat }),
  );
}
