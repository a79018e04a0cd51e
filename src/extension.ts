import * as vscode from 'vscode';
import { registerLogControls } from './logs/follow/ui/logControls';
import { commands, lateCommands } from './vscode/contributions';
import { createDiagnostics } from './vscode/diagnostics';
import { createLogFollowing } from './logs/follow/ui/following';
import { createApiKeys } from './connection/ui/connectionStorage';
import { createSession, registerConnections } from './connection/ui/session';
import { registerLogChannel } from './logs/follow/ui/logChannel';
import { registerLogLinks, registerLogHovers } from './logs/follow/ui/logLinksAndHovers';
import { registerLogsStatusBar } from './logs/follow/ui/logsStatusBar';
import { registerLogsView } from './logs/follow/ui/logsView';
import { createSourceFiles } from './logs/record/ui/sourceFiles';
import { createNames } from './inventory/knownNames';
import { letsModelsIn } from './vscode/settings';

let saveBeforeEnd: (() => Promise<void>) | undefined;

/** What follows logs is there at once; the rest comes when the editor has had its turn. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const { secrets, workspaceState, globalState, subscriptions } = context;
  const diagnostics = createDiagnostics();
  const keys = createApiKeys(secrets, diagnostics);
  const session = createSession({ keys, workspaceState, globalState, diagnostics });
  const following = createLogFollowing({ session, workspaceState });
  const names = createNames();
  const files = createSourceFiles();
  const logChannel = registerLogChannel({ following, names, session });
  const logsView = registerLogsView(following);
  const end = new AbortController();
  subscriptions.push(
    diagnostics,
    session,
    following,
    logChannel,
    files,
    registerLogLinks({ files, names }),
    registerLogHovers(logChannel),
    logsView,
    registerLogsStatusBar(following),
    registerConnections(session),
    registerLogControls(following),
    vscode.commands.registerCommand(commands.showOutput, () => diagnostics.show()),
    { dispose: () => end.abort() },
  );
  saveBeforeEnd = following.save;

  const early = { session, keys, following, names, files, logChannel, logsView, diagnostics };
  /** Until a feature has registered its own: a call waits for that. */
  const waiting = vscode.Disposable.from(
    ...Object.values(lateCommands).map((id) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        await loading;
        return vscode.commands.executeCommand(id, ...args);
      }),
    ),
  );
  subscriptions.push(waiting);
  const load = async (): Promise<void> => {
    // Where `import()` is a `require`, it would prolong the activation.
    await new Promise((resolve) => setTimeout(resolve));
    const { registerFeatures } = await import('./features');
    waiting.dispose();
    if (!end.signal.aborted) subscriptions.push(registerFeatures(context, early));
  };
  const loading = load();
  loading.catch((error: unknown) => diagnostics.error('The features could not be loaded.', error));
  // A model may call a tool at any moment, and VS Code waits for nothing but the activation.
  if (letsModelsIn()) await loading;
}

/** What is followed is kept for the next start; everything else ends with its disposable. */
export function deactivate(): Promise<void> | undefined {
  return saveBeforeEnd?.();
}
