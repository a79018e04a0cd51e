import * as vscode from 'vscode';
import type { ActivityConnection } from '../../activity/activityEntry';
import type { ActionKind } from '../../activity/entryKind';
import { plainText } from '../../base/untrustedText';
import { promptToConnect } from '../../connection/ui/session';
import { shortId } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { commands } from '../../vscode/contributions';
import type { NamedTarget } from '../targetNames';

const { t } = vscode.l10n;

/**
 * If the key is known to lack the permission for an action, asks the user to connect with another key or
 * to try anyway, because the permission may have been granted since. Returns whether to continue.
 */
export async function confirmPermission(
  { lacking }: ConnectionData,
  { request }: Pick<ActionKind, 'request'>,
): Promise<boolean> {
  const { permission } = request.operation;
  if (!lacking.has(permission)) return true;
  const [connect, anyway] = [t('Connect…'), t('Try Anyway')];
  const chosen = await vscode.window.showWarningMessage(
    request.lacksText(t),
    { modal: true, detail: t('Ask for the permission, or connect with a key that has it.') },
    connect,
    anyway,
  );
  if (chosen === anyway) return true;
  if (chosen === connect) await promptToConnect();
  return !lacking.has(permission);
}

/** A name with its short id, because names are not unique. */
export function nameWithId(name: string, id: string): string {
  const short = shortId(id);
  return name === short ? short : `${plainText(name, 100)} (${short})`;
}

/** A warning if the name comes from the settings of a folder, or from another program. */
export function nameWarning({ namedBy }: Pick<NamedTarget, 'namedBy'>): string[] {
  if (namedBy === 'folder') return [t('⚠ This name comes from the settings of the open folder.')];
  return namedBy === 'program' ? [t('⚠ Another program gave this name.')] : [];
}

export function connectionLine({ name, baseUrl }: ActivityConnection): string {
  return t('Connection: {0}', `${plainText(name, 100)} (${plainText(baseUrl, 200)})`);
}

/** Says that nothing can be selected yet, and offers to look for it. */
export async function offerDiscovery(message: string): Promise<undefined> {
  const discover = t('Discover…');
  const chosen = await vscode.window.showInformationMessage(message, discover);
  if (chosen === discover) await vscode.commands.executeCommand(commands.discover);
}
