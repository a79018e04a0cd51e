import * as vscode from 'vscode';
import { maxName } from '../savedSearches';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { ask, back } from '../../../vscode/quickInput';
import { showFailure } from '../../../vscode/notifications';
import { plainText } from '../../../text/plainText';
import { keepSearch, searchesOf, type SearchOwner } from './keptSearches';
import type { SearchTools } from './searchTools';
import type { Session } from '../../../connection/ui/session';

const { t } = vscode.l10n;

interface SaveSearchServices {
  readonly session: Session;
  readonly diagnostics: Diagnostics;
}

/** Asks for a name and whose settings it goes to. True where the query is kept. */
export function createSearchSaving(services: SaveSearchServices): Pick<SearchTools, 'save'> {
  return {
    async save(query) {
      try {
        return await save(services.session, query);
      } catch (error) {
        const what = t('The search could not be saved.');
        void showFailure(services.diagnostics, what, error);
        return false;
      }
    },
  };
}

async function save({ state }: Session, query: string): Promise<boolean> {
  const title = t('Save Search');
  const name = await ask({
    title,
    prompt: t('What do you want to call it?'),
    placeholder: t('Such as: errors of the shop'),
    problemOf: problemOfName,
  });
  if (name === undefined || name === back) return false;
  const owner = await chooseOwner(title);
  if (owner === undefined) return false;
  if (searchesOf(owner).some((one) => one.name === name) && !(await mayReplace(name))) return false;
  const origin = state.kind === 'none' ? '' : state.connection.origin;
  await keepSearch({ name, query }, owner, origin);
  return true;
}

/** What is wrong with the name of a search; undefined if nothing. */
export function problemOfName(name: string): string | undefined {
  if (name === '') return t('Enter a name.');
  return name.length > maxName ? t('At most {0} characters.', maxName) : undefined;
}

async function chooseOwner(title: string): Promise<SearchOwner | undefined> {
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
        description: t('in its settings, which a team may share'),
        owner: 'workspace' as const,
      },
    ],
    // The page of the Log Explorer may take the focus back from the box for the name only now.
    { title, placeHolder: t('Where is it kept?'), ignoreFocusOut: true },
  );
  return chosen?.owner;
}

async function mayReplace(name: string): Promise<boolean> {
  const replace = t('Replace');
  const chosen = await vscode.window.showWarningMessage(
    t('There is a search of this name: {0}', plainText(name)),
    { modal: true },
    replace,
  );
  return chosen === replace;
}
