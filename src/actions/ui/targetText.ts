import * as vscode from 'vscode';
import { plainText } from '../../text/plainText';
import { shortId } from '../../inventory/targets';
import type { EntryConnection } from '../entries';
import type { NamedTarget } from '../targetNames';

const { t } = vscode.l10n;

/** A name may be anybody's: the id says which it is. */
export function nameWithId(name: string, id: string): string {
  const short = shortId(id);
  return name === short ? short : `${plainText(name, 100)} (${short})`;
}

/** A warning, if a folder has named what something is done to. */
export function folderWarning({ namedBy }: Pick<NamedTarget, 'namedBy'>): string[] {
  return namedBy === 'folder' ? [t('⚠ The folder that is open lists it under this name.')] : [];
}

export function connectionLine({ name, baseUrl }: EntryConnection): string {
  return t('Connection: {0}', `${plainText(name, 100)} (${plainText(baseUrl, 200)})`);
}
