import * as vscode from 'vscode';
import { httpsUrl } from '../../connection/connections';
import { ensureConnection } from '../../connection/ui/session';
import { oneLine } from '../../text/plainText';
import { commands, views as viewIds } from '../../vscode/contributions';
import { announce } from '../../vscode/notifications';
import { ask, back } from '../../vscode/quickInput';
import { longestRepositorySearch } from '../fetchers';
import { repositoriesPath } from '../integrations/integrationNodes';
import type { FollowLogs, NodeTarget, TreeNode } from '../tree/nodes';
import { isRow, type WorkspaceView, type WorkspaceViews } from './treeRegistry';
import type { WorkspaceData } from './workspaceData';

const { t } = vscode.l10n;

export interface RowServices {
  readonly data: WorkspaceData;
  readonly views: WorkspaceViews;
  readonly followLogs: FollowLogs;
}

/** What can be done with a row of a tree, and with a tree as a whole. */
export function registerRowActions(services: RowServices): vscode.Disposable {
  const { data, views, followLogs } = services;
  /** Of the row that the command was called on, else of the selected one. */
  const on = (
    command: string,
    act: (target: NodeTarget, node: TreeNode) => unknown,
  ): vscode.Disposable =>
    vscode.Disposable.from(
      vscode.commands.registerCommand(command, (argument) => {
        const node = views.nodeOf(argument);
        return node && act(node.target, node);
      }),
    );
  const refreshView = (view: WorkspaceView) => (): Promise<void> =>
    showingProgress(view.id, view.refresh());

  return vscode.Disposable.from(
    on(commands.followRowLogs, ({ follow }) => followLogs(follow)),
    on(commands.copyId, ({ id }) => copy(id)),
    on(commands.copyName, ({ name }) => copy(name)),
    on(commands.openSite, ({ site }) => open(site)),
    on(commands.openRepository, ({ webUrl }) => open(webUrl)),
    on(commands.loadMore, ({ search }) => loadMore(data, search)),
    vscode.commands.registerCommand(commands.refresh, (argument) => refresh(services, argument)),
    // The title of a view calls a command with the row that has the focus there, as a row does: a
    // command of their own tells them apart.
    vscode.commands.registerCommand(
      commands.refreshSources,
      refreshView(views.view(viewIds.sources)),
    ),
    vscode.commands.registerCommand(
      commands.refreshServers,
      refreshView(views.view(viewIds.servers)),
    ),
    vscode.commands.registerCommand(
      commands.refreshIntegrations,
      refreshView(views.view(viewIds.integrations)),
    ),
    vscode.commands.registerCommand(commands.searchRepositories, () =>
      searchRepositories(services),
    ),
    vscode.commands.registerCommand(commands.resetRepositorySearch, () => showSearch(services, '')),
  );
}

async function copy(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const copied = oneLine(text);
  await vscode.env.clipboard.writeText(copied);
  announce(t('Copied {0}', copied));
}

/** Only what is https goes out to a browser; VS Code asks about hosts that nobody trusts yet. */
async function open(address: string | undefined): Promise<boolean> {
  const url = httpsUrl(address);
  return url !== undefined && vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** What a row is made of; without a row whatever is on the screen. */
async function refresh({ data, views }: RowServices, argument: unknown): Promise<void> {
  if (!isRow(argument)) {
    const visible = views.all.filter(({ isVisible }) => isVisible);
    await Promise.all(visible.map((view) => showingProgress(view.id, view.refresh())));
    return;
  }
  const topics = views.nodeOf(argument)?.topics ?? [];
  const work = topics.map((topic) => data.store.refresh(topic));
  await showingProgress(argument.view, Promise.all(work));
}

async function loadMore({ store }: WorkspaceData, search: string | undefined): Promise<void> {
  if (search !== undefined) await showingProgress(viewIds.integrations, store.loadMore(search));
}

async function searchRepositories(services: RowServices): Promise<void> {
  const signedIn = await ensureConnection(services.data.session);
  if (signedIn === undefined) return;
  const search = await ask({
    title: t('Search Repositories'),
    prompt: t('The control plane looks for it in the names. Leave it empty for all.'),
    value: services.data.repositorySearch,
    problemOf: (text) =>
      text.length > longestRepositorySearch
        ? t('At most {0} characters.', longestRepositorySearch)
        : undefined,
    lifetime: signedIn.signal,
  });
  if (search !== undefined && search !== back) await showSearch(services, search);
}

/** Each search has a row of its own, which opens on what it has found. */
async function showSearch({ data, views }: RowServices, search: string): Promise<void> {
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
