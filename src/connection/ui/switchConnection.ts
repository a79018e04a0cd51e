import * as vscode from 'vscode';
import { commands } from '../../vscode/contributions';
import type { Session } from './session';
import * as settings from './connectionSettings';

const { t } = vscode.l10n;

/** `signOut` and `switchConnection`. */
export function registerConnections(session: Session): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.signOut, () => session.signOut()),
    vscode.commands.registerCommand(commands.switchConnection, () => switchConnection(session)),
  );
}

async function switchConnection(session: Session): Promise<void> {
  const current = session.state.kind === 'none' ? undefined : session.state.connection;
  const known = settings.connections().map((connection) => ({
    label: connection.name,
    description: connection.baseUrl,
    iconPath: new vscode.ThemeIcon(connection.name === current?.name ? 'check' : 'plug'),
    connection,
  }));
  const add = {
    label: t('Connect to Another…'),
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
  };
  const chosen = await vscode.window.showQuickPick([...known, add], {
    title: t('Switch Connection'),
    placeHolder: t('Following logs of the current connection stops.'),
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  if ('connection' in chosen) await session.use(chosen.connection);
  else await vscode.commands.executeCommand(commands.connect);
}
