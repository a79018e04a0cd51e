import * as vscode from 'vscode';
import type { Permission } from '../../api/types';
import { connectOnTheWay } from '../../connection/ui/session';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import { type EntryKind } from '../entries';
import { permissionOfAction } from '../actionPermissions';

const { t } = vscode.l10n;

/**
 * Says, before anything is asked, that the key was found to lack what an action needs. It may have
 * been granted since, so it can be tried nevertheless. True where the action may go on.
 */
export async function mayTry({ lacking }: WorkspaceData, kind: EntryKind): Promise<boolean> {
  const permission = permissionOfAction[kind];
  if (!lacking.has(permission)) return true;
  const [connect, anyway] = [t('Connect…'), t('Try Anyway')];
  const chosen = await vscode.window.showWarningMessage(
    lacksWords(permission, kind),
    { modal: true, detail: t('Ask for it, or connect with a key that has it.') },
    connect,
    anyway,
  );
  if (chosen === anyway) return true;
  if (chosen === connect) await connectOnTheWay();
  return !lacking.has(permission);
}

function lacksWords(permission: Permission, kind: EntryKind): string {
  switch (kind) {
    case 'cleanUp':
      return t('The API key lacks the permission {0}, which a clean-up needs.', permission);
    case 'sync':
      return t('The API key lacks the permission {0}, which a sync needs.', permission);
    case 'previewReporting':
      return t('The API key lacks the permission {0}, which preview reporting needs.', permission);
  }
}
