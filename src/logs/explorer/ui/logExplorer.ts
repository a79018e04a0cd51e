import * as vscode from 'vscode';
import type { LogRecord, Deployment } from '../../../api/types';
import { dotted } from '../../../base/textFormat';
import { rowText } from '../../../base/untrustedText';
import type { Session } from '../../../connection/ui/session';
import { deploymentPair } from '../../../data/deployments';
import type { Names } from '../../../data/knownNames';
import { isUuid } from '../../../data/targets';
import type { ConnectionData } from '../../../data/ui/connectionData';
import type { TreeNode } from '../../../trees/nodes';
import type { Views } from '../../../trees/ui/views';
import { type CommandId, registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { markdown } from '../../../vscode/markdown';
import { number } from '../../../vscode/numbers';
import { type LogFilter, asLogFilter } from '../../query/fields';
import {
  unambiguousNames,
  type NameOf,
  printSearch,
  type SearchQuery,
  searchForRule,
  searchSince,
} from '../../query/searchQuery';
import type { ExtraRow, ExtraRows } from '../../tail/ui/logsView';
import { type PageState, readPageState } from '../protocol/messages';
import { SavedPageState } from '../protocol/pageMessages';
import type { Pin } from '../pins';
import type { RecordPlace } from '../recordsAround';
import { ExplorerPanel, type PanelServices, type RecordAction } from './explorerPanel';
import { OnePanel } from './pageDocument';
import type { ListedSearch, SearchList } from './searchList';

const { t } = vscode.l10n;

/** The maximum number of apps in the first query. */
const mostApps = 10;

export class LogExplorer implements vscode.Disposable {
  private readonly panel: OnePanel<ExplorerPanel>;

  /** @param folderApps the ids of the apps that are deployed from the folder, as far as they are known. */
  constructor(
    private readonly services: PanelServices,
    extensionUri: vscode.Uri,
    private readonly folderApps: () => readonly string[],
  ) {
    const { session, workspaceState } = services;
    const saved = new SavedPageState(session, workspaceState, 'logExplorer', readPageState);
    this.panel = new OnePanel(
      'logExplorer',
      t('Log Explorer'),
      extensionUri,
      (panel) => new ExplorerPanel(panel, services, saved, () => this.firstQuery()),
      (opened, state) => restore(opened, saved.restore(state)),
    );
  }

  show(): void {
    if (this.panel.now !== undefined) this.panel.now.reveal();
    else void this.panel.show().start();
  }

  /**
   * Shows a query in the query bar.
   *
   * @param options `run`: whether to run it, which is the default. Queries from outside must wait for
   * the user.
   */
  open(query: string, { run }: { readonly run: boolean } = { run: true }): void {
    const panel = this.panel.show();
    panel.reveal();
    panel.show(query, run);
  }

  /** The query that it shows the results of, or that it would start with. */
  get query(): string {
    return this.panel.now?.query ?? this.firstQuery();
  }

  /** Shows the records of a filter. */
  search(filter: LogFilter, range: SearchQuery['range'] = {}): void {
    this.open(printSearch({ filter, range }, unambiguousNames(this.services.names)));
  }

  /** Shows a record with those around it. */
  showRecord(place: RecordPlace): void {
    const panel = this.panel.show();
    panel.reveal();
    void panel.showRecord(place);
  }

  /** Selects a pinned record, or shows it with those around it. */
  goToPin(pin: Pin): void {
    const panel = this.panel.show();
    panel.reveal();
    panel.goToPin(pin);
  }

  /** Acts on a record that is shown, by its key. @throws UserError */
  async act(action: RecordAction, key: string): Promise<void> {
    await this.panel.now?.act(action, key);
  }

  /** A record that is shown, by its key; without one, the record whose details were opened last. */
  recordOf(key?: string): LogRecord | undefined {
    return this.panel.now?.recordOf(key);
  }

  dispose(): void {
    this.panel.dispose();
  }

  /** The logs of the apps of the folder, or of everything. */
  private firstQuery(): string {
    const workloadIds = this.folderApps().slice(0, mostApps);
    if (workloadIds.length === 0) return '';
    const filter = { workloadIds: [...workloadIds] };
    return printSearch({ filter, range: {} }, unambiguousNames(this.services.names));
  }
}

async function restore(panel: ExplorerPanel, saved: Promise<PageState | undefined>): Promise<void> {
  const state = await saved;
  if (state === undefined || state.query === '') void panel.start();
  else panel.show(state.query, state.ran);
}

/** `searchLogs`, and commands that search for the logs of tree rows. */
export function registerSearchLogs(
  explorer: LogExplorer,
  data: ConnectionData,
  views: Views,
  names: Names,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const nameOf = unambiguousNames(names);
  const on = (
    command: CommandId,
    queryOf: (node: TreeNode) => string | undefined,
  ): vscode.Disposable =>
    registerCommand(command, (argument) => {
      const node = views.nodeOf(argument);
      const query = node && queryOf(node);
      if (query !== undefined) explorer.open(query);
      return query !== undefined;
    });

  return vscode.Disposable.from(
    registerCommand(
      commands.searchLogs,
      (argument) => {
        if (argument === undefined) explorer.show();
        else explorer.open(queryOfArgument(argument, nameOf));
        return true;
      },
      { diagnostics, failed: t('Could not search the logs.') },
    ),
    // From the title of a view, the argument is the focused row, which does not matter here.
    registerCommand(commands.openLogExplorer, () => explorer.show()),
    on(commands.searchRowLogs, ({ target: { follow } }) =>
      follow === undefined ? undefined : searchSince(follow.filter, undefined, nameOf),
    ),
    on(commands.logsSinceDeployment, ({ target }) => {
      const { deploymentId } = target;
      if (deploymentId === undefined) return undefined;
      const pair = deploymentPair(data.context, target);
      return searchSince(filterSince(deploymentId, pair?.deployment), pair?.time, nameOf);
    }),
    on(commands.showRuleLogs, ({ kind, target: { id, serverId } }) => {
      if (kind !== 'rule' || id === undefined || serverId === undefined) return undefined;
      const rule = data.store.read('alerts', serverId).value?.rules?.find((one) => one.id === id);
      return rule && searchForRule(rule, serverId, nameOf);
    }),
  );
}

/** All deployments of the app in that environment, since later ones count too. */
function filterSince(
  deploymentId: string,
  { appId, environment }: Partial<Deployment> = {},
): LogFilter {
  if (!isUuid(appId)) return { deploymentIds: [deploymentId] };
  const isKnown = environment === 'production' || environment === 'preview';
  return { workloadIds: [appId], ...(isKnown ? { environments: [environment] } : {}) };
}

/** A query, whose errors are shown in the query bar, or a filter. */
function queryOfArgument(argument: unknown, nameOf: NameOf): string {
  if (typeof argument === 'string') return argument;
  return printSearch({ filter: asLogFilter(argument), range: {} }, nameOf);
}

type Section = 'saved' | 'recent';

/**
 * The saved and recent searches, below the tails of the view. Without an API key they cannot run, and
 * the view shows how to connect instead.
 */
export function searchRows(list: SearchList, session: Session): ExtraRows {
  const sections = (['saved', 'recent'] as const).map((section) => ({
    section,
    id: `searches ${section}`,
    children: () => list[section].map(searchRow),
    item: () => sectionItem(section),
  }));
  return {
    onDidChange: list.onDidChange,
    roots() {
      if (session.state.kind !== 'signedIn') return [];
      return sections.filter(({ section }) => list[section].length > 0);
    },
  };
}

function searchRow(search: ListedSearch): ExtraRow {
  const { id } = search;
  return {
    id,
    command: { id: commands.runSearch, title: t('Run'), argument: { id } },
    children: () => [],
    item: () => searchItem(search),
  };
}

function sectionItem(section: Section): vscode.TreeItem {
  const isSaved = section === 'saved';
  const item = new vscode.TreeItem(
    isSaved ? t('Saved Searches') : t('Recent Searches'),
    isSaved ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `searches ${section}`;
  item.contextValue = `searches.${section}`;
  return item;
}

function searchItem(search: ListedSearch): vscode.TreeItem {
  const { id, name, query, saved, news, canRun } = search;
  const label = rowText(name === '' ? t('everything') : name);
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(
    news !== undefined
      ? 'bell'
      : saved === undefined
        ? 'history'
        : canRun
          ? 'bookmark'
          : 'circle-slash',
  );
  const texts = [
    ...(news === undefined || news === 0 ? [] : [t('{0} New', number(news))]),
    ...(saved === undefined ? [] : [rowText(query)]),
  ];
  item.description = dotted(texts);
  item.contextValue = [
    saved === undefined ? 'search.recent' : 'search.saved',
    ...(canRun ? ['canRun'] : []),
  ].join(' ');
  const words = wordsOf(search);
  item.accessibilityInformation = {
    label: [label, ...texts, ...words].join(', '),
  };
  item.tooltip = markdown(label, ...(saved === undefined ? [] : [query]), ...words);
  return item;
}

/** The meaning of the icon, in words. */
function wordsOf({ saved, news, canRun }: ListedSearch): string[] {
  const noticed = news === undefined ? [] : [t('notifies of new records')];
  if (saved === undefined) return [t('recent search'), ...noticed];
  return [
    ...noticed,
    saved.owner === 'user' ? t('saved search') : t('saved search of the workspace'),
    ...(canRun ? [] : [t('contains IDs of another control plane')]),
  ];
}
