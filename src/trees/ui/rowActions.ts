import * as vscode from 'vscode';
import type { RepositoryConnection } from '../../api/client';
import { labelText, oneLine } from '../../base/untrustedText';
import { httpsUrl } from '../../connection/connections';
import { ensureConnection } from '../../connection/ui/session';
import { longestRepositorySearch } from '../../data/listings';
import type { FollowLogs } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { openSite } from '../../data/ui/openSite';
import { type CommandId, registerCommand } from '../../vscode/commands';
import { commands, views as viewIds } from '../../vscode/contributions';
import { announce } from '../../vscode/notifications';
import { ask, back, pickOne } from '../../vscode/quickInput';
import { repositoriesPath } from '../integrations/integrationNodes';
import type { NodeTarget } from '../nodes';
import { isRow } from './treeRow';
import type { TreeView } from './treeView';
import type { Views } from './views';

const { t } = vscode.l10n;

/** The commands of rows, and of trees as a whole. */
export function registerRowActions(
  data: ConnectionData,
  views: Views,
  followLogs: FollowLogs,
): vscode.Disposable {
  /** Acts on the row that the command was called on, otherwise on the selected one. */
  const on = (command: CommandId, act: (target: NodeTarget) => unknown): vscode.Disposable =>
    registerCommand(command, (argument) => {
      const node = views.nodeOf(argument);
      return node && act(node.target);
    });
  const refreshView = (command: CommandId, id: TreeView['id']): vscode.Disposable =>
    registerCommand(command, () => showingProgress(id, views.view(id).refresh()));

  return vscode.Disposable.from(
    on(commands.followRowLogs, ({ follow }) => followLogs(follow)),
    on(commands.copyId, ({ id }) => copy(id)),
    on(commands.copyName, ({ name }) => copy(name)),
    on(commands.openSite, ({ site }) => open(data, site)),
    on(commands.openRepository, ({ webUrl }) => open(data, webUrl)),
    on(commands.loadMore, ({ key }) => loadMore(data, key)),
    registerCommand(commands.refresh, (argument) => refresh(data, views, argument)),
    // Separate commands, because the title of a view passes its focused row, like the menu of a row.
    refreshView(commands.refreshErrors, viewIds.errors),
    refreshView(commands.refreshSources, viewIds.sources),
    refreshView(commands.refreshServers, viewIds.servers),
    refreshView(commands.refreshIntegrations, viewIds.integrations),
    registerCommand(commands.showIntegrations, () =>
      vscode.commands.executeCommand(`${viewIds.integrations}.focus`),
    ),
    registerCommand(commands.searchRepositories, () => searchRepositories(data, views)),
    registerCommand(commands.resetRepositorySearch, () => showSearch(data, views, '')),
  );
}

async function copy(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const copied = oneLine(text);
  await vscode.env.clipboard.writeText(copied);
  announce(t('Copied {0}', copied));
}

/** Opens only https URLs. */
async function open({ session }: ConnectionData, address: string | undefined): Promise<boolean> {
  const url = httpsUrl(address);
  const { signedIn } = session;
  return url !== undefined && signedIn !== undefined && openSite([{ url }], signedIn.signal);
}

/** Refreshes a row; without a row, all visible views. */
async function refresh(data: ConnectionData, views: Views, argument: unknown): Promise<void> {
  if (!isRow(argument)) {
    const visible = views.all.filter(({ isVisible }) => isVisible);
    await Promise.all(visible.map((view) => showingProgress(view.id, view.refresh())));
    return;
  }
  const cacheKeys = views.nodeOf(argument)?.cacheKeys ?? [];
  await showingProgress(argument.view, data.store.refreshAll(cacheKeys));
}

async function loadMore({ store }: ConnectionData, search: string | undefined): Promise<void> {
  if (search !== undefined) await showingProgress(viewIds.integrations, store.loadMore(search));
}

async function searchRepositories(data: ConnectionData, views: Views): Promise<void> {
  const signedIn = await ensureConnection(data.session);
  if (signedIn === undefined) return;
  if (data.needsRepositoryConnection) return selectConnection(data, views, signedIn.signal);
  const search = await ask({
    title: t('Search Repositories'),
    prompt: t('Enter a part of the name, or leave it empty to list all.'),
    value: data.repositorySearch,
    problemOf: (text) =>
      text.length > longestRepositorySearch
        ? t('At most {0} characters.', longestRepositorySearch)
        : undefined,
    lifetime: signedIn.signal,
  });
  if (search !== undefined && search !== back) await showSearch(data, views, search);
}

/** Asks which connection's repositories to list, for a control plane that lists those of one at a time. */
async function selectConnection(
  data: ConnectionData,
  views: Views,
  lifetime: AbortSignal,
): Promise<void> {
  const all = { kind: 'repositories', id: '' } as const;
  const items = async () => {
    await data.store.refresh(all, 'person');
    const { value, error } = data.store.entry(all);
    if (error instanceof Error) throw error;
    const { connection, connections = [] } = value ?? {};
    return (connection === undefined ? connections : [{ slug: connection }]).map(
      ({ slug, name }: RepositoryConnection) => ({
        label: labelText(name ?? slug),
        description: name === undefined ? '' : labelText(slug),
        slug,
      }),
    );
  };
  const chosen = await pickOne(items(), { placeHolder: t('Select a connection') }, lifetime);
  if (chosen !== undefined) await showSearch(data, views, chosen.slug);
}

/** Opens the row of a search. */
async function showSearch(data: ConnectionData, views: Views, search: string): Promise<void> {
  data.repositorySearch = search;
  await views
    .view(viewIds.integrations)
    .reveal(repositoriesPath(search), { expand: true, focus: true });
}

async function showingProgress(viewId: string, work: Promise<unknown>): Promise<void> {
  await vscode.window.withProgress({ location: { viewId } }, async () => {
    await work;
  });
}
