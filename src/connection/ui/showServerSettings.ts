import * as vscode from 'vscode';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { apiSettings } from '../../vscode/settings';
import { type ServerSettings, serverSettingsText } from '../serverSettings';
import { ensureConnection, type Session } from './session';

const { t } = vscode.l10n;

/** What is known of the server of the current connection. */
export function serverSettings({ server }: Session): ServerSettings {
  const failure = server?.failure;
  return {
    own: apiSettings().own,
    facts: server?.facts,
    failure: failure === undefined ? undefined : describe(failure),
  };
}

/** `showServerSettings`: opens a report of what the server, the settings and the defaults say. */
export function registerShowServerSettings(
  session: Session,
  reports: ReadonlyDocuments,
): vscode.Disposable {
  return registerCommand(commands.showServerSettings, async () => {
    const signedIn = await ensureConnection(session);
    if (signedIn === undefined) return;
    const text = serverSettingsText(signedIn.connection, serverSettings(session), t);
    await reports.show(`${t('Settings of This Server')}.txt`, text, signedIn.signal);
  });
}
