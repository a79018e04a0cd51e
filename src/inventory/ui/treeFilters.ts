import * as vscode from 'vscode';
import { commands, views as viewIds } from '../../vscode/contributions';
import { labelText } from '../../text/plainText';
import type { WorkspaceView, WorkspaceViews } from './treeRegistry';
import { filterChoices, type Sorting, type TreeFilter } from '../tree/treeOrder';

const { t } = vscode.l10n;

export interface FilterServices {
  readonly views: WorkspaceViews;
}

/** Filter and order of each tree. */
export function registerTreeFilters({ views }: FilterServices): vscode.Disposable {
  const registered = Object.values(trees).flatMap((tree) => {
    const view = views.view(tree.id);
    const filter = (): Promise<void> => changeFilter(view);
    return [
      vscode.commands.registerCommand(tree.filter, filter),
      // The same with a filled icon, where a filter is set.
      vscode.commands.registerCommand(tree.change, filter),
      vscode.commands.registerCommand(tree.reset, () => view.setFilter(noFilter)),
      vscode.commands.registerCommand(tree.sort, () => changeSorting(view, tree.sortings)),
    ];
  });
  return vscode.Disposable.from(...registered);
}

const noFilter: TreeFilter = { text: '', states: [] };

const trees = {
  sources: {
    id: viewIds.sources,
    filter: commands.filterSources,
    change: commands.changeSourcesFilter,
    reset: commands.resetSourcesFilter,
    sort: commands.sortSources,
    sortings: ['name', 'state', 'lastDeployment'],
  },
  servers: {
    id: viewIds.servers,
    filter: commands.filterServers,
    change: commands.changeServersFilter,
    reset: commands.resetServersFilter,
    sort: commands.sortServers,
    // Deployments are known of sources only.
    sortings: ['name', 'state'],
  },
  integrations: {
    id: viewIds.integrations,
    filter: commands.filterIntegrations,
    change: commands.changeIntegrationsFilter,
    reset: commands.resetIntegrationsFilter,
    sort: commands.sortIntegrations,
    sortings: ['name', 'state'],
  },
} as const satisfies Record<
  string,
  {
    readonly id: WorkspaceView['id'];
    readonly filter: string;
    readonly change: string;
    readonly reset: string;
    readonly sort: string;
    readonly sortings: readonly Sorting[];
  }
>;

interface StateItem extends vscode.QuickPickItem {
  readonly state: string;
}

/** One quick pick for both parts of a filter: what is typed is the text, what is ticked the states. */
async function changeFilter(view: WorkspaceView): Promise<void> {
  const picker = vscode.window.createQuickPick<StateItem>();
  picker.title = t('Filter {0}', view.title);
  picker.placeholder = t('Type a part of a name, tick states; neither shows everything');
  picker.canSelectMany = true;
  picker.value = view.filter.text;
  const items = filterChoices(view.states(), view.filter).map(({ state, isChosen }) => ({
    // What is typed is meant for the tree and hides no state.
    item: { label: labelText(state), state, alwaysShow: true },
    isChosen,
  }));
  picker.items = items.map(({ item }) => item);
  picker.selectedItems = items.filter(({ isChosen }) => isChosen).map(({ item }) => item);
  const reset = { iconPath: new vscode.ThemeIcon('clear-all'), tooltip: t('Show Everything') };
  picker.buttons = [reset];
  try {
    const filter = await new Promise<TreeFilter | undefined>((resolve) => {
      picker.onDidTriggerButton(() => resolve(noFilter));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidAccept(() =>
        resolve({
          text: picker.value.trim(),
          states: picker.selectedItems.map(({ state }) => state),
        }),
      );
      picker.show();
    });
    if (filter !== undefined) await view.setFilter(filter);
  } finally {
    picker.dispose();
  }
}

async function changeSorting(view: WorkspaceView, sortings: readonly Sorting[]): Promise<void> {
  const items = sortings.map((sorting) => ({
    label: sortingWords(sorting),
    ...(sorting === view.sorting ? { description: t('now') } : {}),
    iconPath: new vscode.ThemeIcon(sorting === view.sorting ? 'check' : 'blank'),
    sorting,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Sort {0}', view.title) });
  if (chosen !== undefined) await view.setSorting(chosen.sorting);
}

function sortingWords(sorting: Sorting): string {
  switch (sorting) {
    case 'name':
      return t('By Name');
    case 'state':
      return t('By State: What Is Wrong First');
    case 'lastDeployment':
      return t('By Last Deployment: Newest First');
  }
}
