import * as vscode from 'vscode';
import { registerConnections } from './connection/ui/switchConnection';
import { registerLogControls } from './logs/follow/ui/logControls';
import { commands, lateCommandIds, tools } from './vscode/contributions';
import { createDiagnostics, type Diagnostics } from './vscode/diagnostics';
import { createLogFollowing } from './logs/follow/ui/following';
import { startLateParts } from './vscode/latePart';
import { registerLateTools } from './vscode/lateTools';
import { showFailure } from './vscode/notifications';
import { createApiKeys } from './connection/ui/apiKeys';
import { createSession } from './connection/ui/session';
import { letsModelsIn, onDidChangeSettings } from './vscode/settings';
import { registerLogChannel } from './logs/follow/ui/logChannel';
import { registerLogHovers } from './logs/follow/ui/logHovers';
import { registerLogLinks } from './logs/follow/ui/logLinks';
import { registerLogsStatusBar } from './logs/follow/ui/logsStatusBar';
import { registerLogsView } from './logs/follow/ui/logsView';
import { createNames } from './inventory/names';

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
