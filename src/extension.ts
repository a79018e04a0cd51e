import * as vscode from 'vscode';
import { registerCheckConnection } from './commands/checkConnection';
import { registerConnect } from './commands/connect';
import { registerConnections } from './commands/connections';
import { registerFollowLogs } from './commands/followLogs';
import { registerLogControls } from './commands/logControls';
import { commands } from './platform/contributions';
import { createDiagnostics } from './platform/diagnostics';
import { createLogFollowing } from './platform/following';
import { createReports } from './platform/reports';
import { createApiKeys } from './platform/secrets';
import { createSession } from './platform/session';
import { registerLogChannel } from './views/logChannel';
import { registerLogHovers } from './views/logHovers';
import { registerLogLinks } from './views/logLinks';
import { registerLogsStatusBar } from './views/logsStatusBar';
import { registerLogsView } from './views/logsView';
import { createNames } from './workspace/names';

let saveBeforeEnd: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { secrets, workspaceState, globalState } = context;
  const diagnostics = createDiagnostics();
  const keys = createApiKeys(secrets, diagnostics);
  const session = createSession({ keys, workspaceState, globalState, diagnostics });
  const following = createLogFollowing({ session, workspaceState });
  const names = createNames();
  const reports = createReports();
  const logChannel = registerLogChannel({ following, names, session });

  context.subscriptions.push(
    diagnostics,
    session,
    following,
    reports,
    logChannel,
    registerLogLinks(),
    registerLogHovers(logChannel),
    registerLogsView(following),
    registerLogsStatusBar(following),
    registerConnect({ session, keys, diagnostics }),
    registerConnections(session),
    registerCheckConnection({ session, diagnostics, reports }),
    registerFollowLogs({ session, following, names, diagnostics }),
    registerLogControls(following),
    vscode.commands.registerCommand(commands.showOutput, () => diagnostics.show()),
  );
  saveBeforeEnd = following.save;
}

/** What is followed is kept for the next start; everything else ends with its disposable. */
export function deactivate(): Promise<void> | undefined {
  return saveBeforeEnd?.();
}
