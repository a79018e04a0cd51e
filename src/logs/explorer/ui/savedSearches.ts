import * as vscode from 'vscode';
import { labelText, plainText } from '../../../base/untrustedText';
import { ensureConnection, type Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { contextKey, type CommandId, registerCommand } from '../../../vscode/commands';
import { commands, contextKeys } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { announce } from '../../../vscode/notifications';
import { ask, back } from '../../../vscode/quickInput';
import { askForQuery } from '../../query/ui/queryItems';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { readSearch } from '../../query/ui/readSearch';
import type { Tails } from '../../tail/tails';
import { followTarget } from '../../tail/ui/windowTails';
import { mostWatched, type SearchWatch } from '../searchWatch';
import type { LogExplorer } from './logExplorer';
import { copySearchLink } from './searchLinks';
import {
  problemOfName,
  saveSearch,
  deleteSearch,
  type ListedSearch,
  renameSearch,
  searchesOf,
  type SearchList,
} from './searchList';

const { t } = vscode.l10n;

interface SavedSearchServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly tails: Tails;
  readonly diagnostics: Diagnostics;
  readonly list: SearchList;
  readonly watch: SearchWatch;
  readonly explorer: LogExplorer;
}

/** Commands for saved and recent searches: for a row, or for a search that the user picks. */
export function registerSavedSearches(services: SavedSearchServices): vscode.Disposable {
  const { memory, explorer, list, watch, diagnostics } = services;

  const on = (
    command: CommandId,
    fits: (search: ListedSearch) => boolean,
    act: (search: ListedSearch) => unknown,
  ): vscode.Disposable =>
    registerCommand(
      command,
      async (argument) => {
        const search = list.find(argument) ?? (await pick(list, fits));
        if (search !== undefined) await act(search);
      },
      { diagnostics, failed: t('Could not use the search.') },
    );
  const isSaved = ({ saved }: ListedSearch): boolean => saved !== undefined;
  const any = (): boolean => true;

  const setSearches = contextKey(contextKeys.searches);
  const update = (): void => {
    const found = [list.saved.length > 0 && 'saved', list.recent.length > 0 && 'recent'];
    setSearches(found.filter(Boolean).join(' '));
  };
  update();

  return vscode.Disposable.from(
    list.onDidChange(update),
    on(commands.runSearch, any, async (search) => {
      if (!(await mayRun(services, search))) return;
      explorer.open(search.query);
      watch.markSeen(search.query);
    }),
    on(commands.notifyOfSearch, any, async (search) => {
      if (await mayRun(services, search)) toggleNotices(watch, search.query);
    }),
    on(commands.editSearch, any, ({ query }) => explorer.open(query, { run: false })),
    on(commands.followSearch, any, (search) => follow(services, search)),
    on(commands.copySearchLink, any, ({ query }) =>
      copySearchLink(services.session, services.names, query),
    ),
    on(commands.renameSearch, isSaved, rename),
    on(commands.deleteSearch, isSaved, async (search) => {
      const { query } = search;
      if (isSaved(search)) await remove(search);
      else memory.searches.remove(query);
      const isLeft =
        list.saved.some((one) => one.query === query) || memory.searches.all.includes(query);
      if (!isLeft && watch.find(query) !== undefined) watch.toggle(query);
    }),
    registerCommand(commands.clearRecentSearches, () => memory.searches.clear()),
    registerCommand(commands.saveSearch, async (argument) => {
      // From the title of the view, the argument is the focused row.
      const row = list.find(argument);
      const query =
        typeof argument === 'string'
          ? argument
          : row !== undefined && !isSaved(row)
            ? row.query
            : await askForQuery(t('Save Search'), services);
      return query !== undefined && saveSearch(services.session, diagnostics, query);
    }),
  );
}

function toggleNotices(watch: SearchWatch, query: string): void {
  switch (watch.toggle(query)) {
    case 'on':
      announce(t('You will be notified of new records, while a window has the focus.'), 'bell');
      return;
    case 'off':
      announce(t('You will no longer be notified of new records.'), 'bell-slash');
      return;
    case 'full':
      throw new UserError(
        t('You are already notified of {0} searches. Turn one off first.', mostWatched),
      );
  }
}

interface Item extends vscode.QuickPickItem {
  readonly search?: ListedSearch;
}

async function pick(
  { saved, recent }: SearchList,
  fits: (search: ListedSearch) => boolean,
): Promise<ListedSearch | undefined> {
  const item = (search: ListedSearch): Item => ({
    label: search.name === '' ? t('everything') : labelText(search.name),
    ...(search.saved === undefined ? {} : { description: labelText(search.query) }),
    search,
  });
  const section = (label: string, searches: readonly ListedSearch[]): Item[] => {
    const items = searches.filter(fits).map(item);
    if (items.length === 0) return [];
    return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  };
  const items = [...section(t('Saved'), saved), ...section(t('Recent'), recent)];
  if (items.length === 0) {
    void vscode.window.showInformationMessage(t('There are no such searches yet.'));
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: t('Which search?'),
    matchOnDescription: true,
  });
  return chosen?.search;
}

/** Whether a search can run here. The ids of another control plane have no meaning. */
async function mayRun(
  { session, list, explorer }: SavedSearchServices,
  { id, name, query }: ListedSearch,
): Promise<boolean> {
  if (!(await ensureConnection(session))) return false;
  // The connection may have changed since the row was shown.
  const now = list.find({ id });
  if (now?.canRun !== false) return true;
  const editQuery = t('Edit Query');
  const switchConnection = t('Switch Connection…');
  const origin = plainText(now.saved?.origin ?? '');
  const chosen = await vscode.window.showWarningMessage(
    t(
      '"{0}" contains IDs of another control plane ({1}) and cannot run here.',
      plainText(name),
      origin,
    ),
    editQuery,
    switchConnection,
  );
  if (chosen === editQuery) explorer.open(query, { run: false });
  if (chosen === switchConnection) {
    await vscode.commands.executeCommand(commands.switchConnection);
  }
  return false;
}

async function follow(services: SavedSearchServices, search: ListedSearch): Promise<void> {
  if (!(await mayRun(services, search))) return;
  const { session, names, tails } = services;
  const { signedIn } = session;
  // The range does not apply: following starts now.
  const { filter } = await readSearch(search.query, session, names, signedIn);
  const label = search.name === '' ? t('everything') : search.name;
  await followTarget(session, tails, { filter, label }, signedIn);
}

async function rename({ saved, name }: ListedSearch): Promise<void> {
  if (saved === undefined) return;
  const others = searchesOf(saved.owner).filter((one) => one.name !== name);
  const newName = await ask({
    title: t('Rename Search'),
    prompt: t('Name of the search'),
    value: name,
    problemOf: (value) =>
      others.some((one) => one.name === value)
        ? t('A search with this name already exists: {0}', value)
        : problemOfName(value),
  });
  if (newName !== undefined && newName !== back) await renameSearch(saved, newName);
}

async function remove({ saved, name }: ListedSearch): Promise<void> {
  if (saved === undefined) return;
  const confirm = t('Delete');
  const chosen = await vscode.window.showWarningMessage(
    t('Delete the saved search "{0}"?', plainText(name)),
    {
      modal: true,
      detail:
        saved.owner === 'user'
          ? t('It is saved in your user settings.')
          : t('It is saved in the workspace settings and is deleted for everyone who shares them.'),
    },
    confirm,
  );
  if (chosen === confirm) await deleteSearch(saved);
}
