import * as vscode from 'vscode';
import { registerConnections } from './commands/connections';
import { registerLogControls } from './commands/logControls';
import { commands, lateCommandIds, tools } from './platform/contributions';
import { createDiagnostics, type Diagnostics } from './platform/diagnostics';
import { createLogFollowing } from './platform/following';
import { startLateParts } from './platform/latePart';
import { registerLateTools } from './platform/lateTools';
import { showFailure } from './platform/messages';
import { createApiKeys } from './platform/secrets';
import { createSession } from './platform/session';
import { letsModelsIn, onDidChangeSettings } from './platform/settings';
import { registerLogChannel } from './views/logChannel';
import { registerLogHovers } from './views/logHovers';
import { registerLogLinks } from './views/logLinks';
import { registerLogsStatusBar } from './views/logsStatusBar';
import { registerLogsView } from './views/logsView';
import { createNames } from './workspace/names';

let saveBeforeEnd: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { secrets, workspaceState, globalState, globalStorageUri, extensionUri } = context;
  const diagnostics = createDiagnostics();
  const keys = createApiKeys(secrets, diagnostics);
  const session = createSession({ keys, workspaceState, globalState, diagnostics });
  const following = createLogFollowing({ session, workspaceState });
  const names = createNames();
  const logChannel = registerLogChannel({ following, names, session });
  const logsView = registerLogsView(following);
  const partIsMissing = (error: unknown): void => void sayThatPartIsMissing(diagnostics, error);
  const lateTools = registerLateTools({
    names: Object.values(tools),
    registerTool: (name, tool) => vscode.lm.registerTool(name, tool),
    isOn: letsModelsIn,
    onDidChange: (listener) => onDidChangeSettings('ai', listener),
    onFailure: partIsMissing,
  });

  context.subscriptions.push(
    diagnostics,
    session,
    following,
    logChannel,
    registerLogLinks(),
    registerLogHovers(logChannel),
    logsView,
    registerLogsStatusBar(following),
    registerConnections(session),
    registerLogControls(following),
    vscode.commands.registerCommand(commands.showOutput, () => diagnostics.show()),
    lateTools,
    startLateParts({
      commandIds: lateCommandIds,
      registerCommand: vscode.commands.registerCommand,
      async *load(lateCommands, signal) {
        const services = {
          session,
          keys,
          following,
          names,
          logChannel,
          logsView,
          diagnostics,
          lateCommands,
          workspaceState,
          globalState,
          globalStorage: globalStorageUri,
          extensionUri,
        };
        const { registerWorkspaceFeatures } = await import('./workspaceFeatures');
        signal.throwIfAborted();
        const workspace = registerWorkspaceFeatures(services);
        yield workspace;
        const { registerSearchFeatures } = await import('./searchFeatures');
        signal.throwIfAborted();
        yield registerSearchFeatures(services, workspace);
        const { registerActionFeatures } = await import('./actionFeatures');
        signal.throwIfAborted();
        const actions = registerActionFeatures(services, workspace);
        yield actions;
        lateTools.offer(async () => {
          const { createTools } = await import('./aiFeatures');
          return createTools(services, workspace, actions);
        });
      },
      onFailure(error) {
        lateTools.fail(error);
        partIsMissing(error);
      },
    }),
  );
  saveBeforeEnd = following.save;
}

async function sayThatPartIsMissing(diagnostics: Diagnostics, error: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const reload = () => vscode.commands.executeCommand('workbench.action.reloadWindow');
  await showFailure(diagnostics, t('A part of the extension could not be loaded.'), error, [
    { title: t('Reload Window'), run: reload },
  ]);
}

/** What is followed is kept for the next start; everything else ends with its disposable. */
export function deactivate(): Promise<void> | undefined {
  return saveBeforeEnd?.();
}
