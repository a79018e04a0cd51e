import * as vscode from 'vscode';
import { registerCheckConnection } from './commands/checkConnection';
import type { LateCommand } from './platform/contributions';
import type { Diagnostics } from './platform/diagnostics';
import type { LateCommands } from './platform/latePart';
import { createReports } from './platform/reports';
import type { Session } from './platform/session';

/** What the late features share with the early ones. */
export interface WorkspaceServices {
  readonly session: Session;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
}

/**
 * The list of features that can wait until the extension is active. `extension.ts` loads this part
 * of the extension, which is a file of its own, after that; nothing else may import it.
 */
export function registerWorkspaceFeatures({
  session,
  diagnostics,
  lateCommands,
}: WorkspaceServices): vscode.Disposable {
  const reports = createReports();
  return vscode.Disposable.from(
    reports,
    registerCheckConnection({ session, diagnostics, reports, lateCommands }),
  );
}
