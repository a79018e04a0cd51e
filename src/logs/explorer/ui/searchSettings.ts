import * as vscode from 'vscode';
import {
  readSavedSearches,
  withoutSearch,
  withRenamedSearch,
  withSavedSearch,
  type SavedSearch,
} from '../savedSearches';
import { onDidChangeSettings } from '../../../vscode/settings';

/** Whose settings contain a search. */
export type SearchOwner = 'user' | 'workspace';

export interface OwnedSearch extends SavedSearch {
  readonly owner: SearchOwner;
}

const setting = 'logs.savedSearches';

const targets = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
} as const;

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('controlPlane');
}

/** The searches in the settings of one owner. */
export function searchesOf(owner: SearchOwner): readonly SavedSearch[] {
  const found = configuration().inspect<unknown>(setting);
  return readSavedSearches(owner === 'user' ? found?.globalValue : found?.workspaceValue);
}

/** All searches. VS Code itself would let the workspace settings replace the user settings. */
export function savedSearches(): readonly OwnedSearch[] {
  return (['workspace', 'user'] as const).flatMap((owner) =>
    searchesOf(owner).map((search) => ({ ...search, owner })),
  );
}

/** @param origin the control plane whose ids may be in the query. */
export async function writeSearch(
  search: SavedSearch,
  owner: SearchOwner,
  origin: string,
): Promise<void> {
  await write(owner, withSavedSearch(searchesOf(owner), search, origin));
}

export async function deleteSearch({ name, owner }: OwnedSearch): Promise<void> {
  await write(owner, withoutSearch(searchesOf(owner), name));
}

export async function renameSearch({ name, owner }: OwnedSearch, newName: string): Promise<void> {
  await write(owner, withRenamedSearch(searchesOf(owner), name, newName));
}

async function write(owner: SearchOwner, searches: readonly SavedSearch[]): Promise<void> {
  const value = searches.length === 0 ? undefined : searches;
  await configuration().update(setting, value, targets[owner]);
}

export function onDidChangeSavedSearches(listener: () => void): vscode.Disposable {
  return onDidChangeSettings(setting, listener);
}
