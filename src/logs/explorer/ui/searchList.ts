import * as vscode from 'vscode';
import { membersOf } from '../../../base/json';
import { plainText } from '../../../base/untrustedText';
import type { Session } from '../../../connection/ui/session';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { showFailure } from '../../../vscode/notifications';
import { ask, back } from '../../../vscode/quickInput';
import {
  onDidChangeSettings,
  type SettingsOwner,
  valueIn,
  valuesByOwner,
  writeSetting,
} from '../../../vscode/settings';
import type { QueryMemory } from '../../query/ui/queryMemory';
import type { SearchWatch } from '../searchWatch';
import {
  canRun,
  readSavedSearches,
  type SavedSearch,
  withoutSearch,
  withRenamedSearch,
  withSavedSearch,
  hasRoomFor,
  longestSearchName,
  maxSearches,
} from '../savedSearches';

const { t } = vscode.l10n;

/** A saved or recent search. */
export interface ListedSearch {
  /** The id of its row. */
  readonly id: string;
  readonly query: string;
  /** Its name, or the query of a recent search. */
  readonly name: string;
  /** Undefined for a recent search. */
  readonly saved: OwnedSearch | undefined;
  /** How many records came that nobody has looked at, if they are told of. */
  readonly news: number | undefined;
  /** False if its ids are those of another control plane. */
  readonly canRun: boolean;
}

/** The saved and recent searches of this window. */
export class SearchList implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChange: vscode.Event<void> = this.changes.event;

  constructor(
    private readonly session: Session,
    private readonly memory: QueryMemory,
    private readonly watch: SearchWatch,
  ) {
    const changed = (): void => this.changes.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changes,
      session.onDidChange(changed),
      memory.searches.onDidChange(changed),
      onDidChangeSettings(setting, changed),
      watch.onDidChange(changed),
    );
  }

  get saved(): readonly ListedSearch[] {
    const { state } = this.session;
    const origin = state.kind === 'none' ? undefined : state.connection.origin;
    return savedSearches().map((saved) => ({
      id: `saved ${saved.owner} ${saved.name}`,
      query: saved.query,
      name: saved.name,
      news: this.watch.find(saved.query)?.found,
      saved,
      canRun: origin !== undefined && canRun(saved, origin),
    }));
  }

  /** Newest first; then others that are told of, so that each has a row where that can be turned off. */
  get recent(): readonly ListedSearch[] {
    const { all } = this.memory.searches;
    const known = new Set([...all, ...savedSearches().map(({ query }) => query)]);
    const others = this.watch.all.flatMap(({ query }) => (known.has(query) ? [] : [query]));
    return [...all, ...others].map((query) => ({
      id: `recent ${query}`,
      query,
      name: query,
      news: this.watch.find(query)?.found,
      saved: undefined,
      canRun: true,
    }));
  }

  /** The search for the argument of a command: a row, or the name of a saved search. */
  find(argument: unknown): ListedSearch | undefined {
    const { saved } = this;
    if (typeof argument === 'string') return saved.find(({ name }) => name === argument);
    const id = membersOf(argument)['id'];
    return [...saved, ...this.recent].find((one) => one.id === id);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

interface OwnedSearch extends SavedSearch {
  readonly owner: SettingsOwner;
}

const setting = 'logs.savedSearches';

export function searchesOf(owner: SettingsOwner): readonly SavedSearch[] {
  return readSavedSearches(valueIn(owner, setting));
}

/** All searches. VS Code itself would let the workspace settings replace the user settings. */
function savedSearches(): readonly OwnedSearch[] {
  const values = valuesByOwner(setting);
  return (['workspace', 'user'] as const).flatMap((owner) =>
    readSavedSearches(values[owner]).map((search) => ({ ...search, owner })),
  );
}

/** @param origin the control plane whose ids may be in the query. */
export async function writeSearch(
  search: SavedSearch,
  owner: SettingsOwner,
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

async function write(owner: SettingsOwner, searches: readonly SavedSearch[]): Promise<void> {
  const value = searches.length === 0 ? undefined : searches;
  await writeSetting(owner, setting, value);
}

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
  return name.length > longestSearchName
    ? t('At most {0} characters.', longestSearchName)
    : undefined;
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
