import * as vscode from 'vscode';
import { hasRoomFor, maxName, maxSearches } from '../savedSearches';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { ask, back } from '../../../vscode/quickInput';
import { showFailure } from '../../../vscode/notifications';
import { plainText } from '../../../base/untrustedText';
import type { SettingsOwner } from '../../../vscode/settings';
import { writeSearch, searchesOf } from './searchList';

import type { Session } from '../../../connection/ui/session';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

/** Asks for a name and for whose settings to use. Returns whether the search was saved. */
export async function saveSearch(
  session: Session,
  diagnostics: Diagnostics,
  query: string,
): Promise<boolean> {
  try {
    return await save(session, query);
  } catch (error) {
    void showFailure(diagnostics, t('Could not save the search.'), error);
    return false;
  }
}

async function save({ state }: Session, query: string): Promise<boolean> {
  const title = t('Save Search');
  const name = await ask({
    title,
    prompt: t('Name of the search'),
    placeholder: t('For example: errors of the shop'),
    problemOf: problemOfName,
  });
  if (name === undefined || name === back) return false;
  const owner = await chooseOwner(title);
  if (owner === undefined) return false;
  const searches = searchesOf(owner);
  if (!hasRoomFor(searches, name)) {
    throw new UserError(t('There are already {0} saved searches. Delete one first.', maxSearches));
  }
  if (searches.some((one) => one.name === name) && !(await mayReplace(name))) return false;
  const origin = state.kind === 'none' ? '' : state.connection.origin;
  await writeSearch({ name, query }, owner, origin);
  return true;
}

/** The problem with the name of a search; undefined if it is valid. */
export function problemOfName(name: string): string | undefined {
  if (name === '') return t('Enter a name.');
  return name.length > maxName ? t('At most {0} characters.', maxName) : undefined;
}

async function chooseOwner(title: string): Promise<SettingsOwner | undefined> {
  if (vscode.workspace.workspaceFolders === undefined) return 'user';
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: t('For me'),
        description: t('in the user settings'),
        owner: 'user' as const,
      },
      {
        label: t('For this workspace'),
        description: t('in the workspace settings, which a team can share'),
        owner: 'workspace' as const,
      },
    ],
    // The page of the Log Explorer may take the focus only now, after the box for the name.
    { title, placeHolder: t('Where to save it?'), ignoreFocusOut: true },
  );
  return chosen?.owner;
}

async function mayReplace(name: string): Promise<boolean> {
  const replace = t('Replace');
  const chosen = await vscode.window.showWarningMessage(
    t('A search with this name already exists: {0}', plainText(name)),
    { modal: true },
    replace,
  );
  return chosen === replace;
}
