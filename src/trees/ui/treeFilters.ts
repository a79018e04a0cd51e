import * as vscode from 'vscode';
import { labelText } from '../../base/untrustedText';
import { registerCommand } from '../../vscode/commands';
import { commands, views as viewIds } from '../../vscode/contributions';
import { showBox } from '../../vscode/quickInput';
import { filterChoices, type Sorting, type TreeFilter } from '../treeOrder';
import type { TreeView } from './treeView';
import type { Views } from './views';

const { t } = vscode.l10n;

const noFilter: TreeFilter = { text: '', states: [] };

const trees = [
  ['Sources', viewIds.sources, ['name', 'state', 'lastDeployment']],
  ['Servers', viewIds.servers, ['name', 'state']],
  ['Integrations', viewIds.integrations, ['name', 'state']],
] as const;

/** The commands for the filter and the order of each tree. */
export function registerTreeFilters(views: Views): vscode.Disposable {
  const registered = trees.flatMap(([name, id, sortings]) => {
    const view = views.view(id);
    const filter = (): Promise<void> => changeFilter(view);
    return [
      registerCommand(commands[`filter${name}`], filter),
      // The same with a filled icon, for when a filter is set.
      registerCommand(commands[`change${name}Filter`], filter),
      registerCommand(commands[`reset${name}Filter`], () => view.setFilter(noFilter)),
      registerCommand(commands[`sort${name}`], () => changeSorting(view, sortings)),
    ];
  });
  return vscode.Disposable.from(...registered);
}

interface StateItem extends vscode.QuickPickItem {
  readonly state: string;
}

/** Asks for the filter in one quick pick: typed text matches names, ticked items match states. */
async function changeFilter(view: TreeView): Promise<void> {
  const picker = vscode.window.createQuickPick<StateItem>();
  picker.title = t('Filter {0}', view.title);
  picker.placeholder = t('Filter by name or state');
  picker.canSelectMany = true;
  picker.value = view.filter.text;
  const items = filterChoices(view.states(), view.filter).map(({ state, isChosen }) => ({
    // The typed text filters the tree, not this list.
    item: { label: labelText(state), state, alwaysShow: true },
    isChosen,
  }));
  picker.items = items.map(({ item }) => item);
  picker.selectedItems = items.filter(({ isChosen }) => isChosen).map(({ item }) => item);
  const reset = { iconPath: new vscode.ThemeIcon('clear-all'), tooltip: t('Show Everything') };
  picker.buttons = [reset];
  const filter = await showBox<TreeFilter>(picker, undefined, (answer) => {
    picker.onDidTriggerButton(() => answer(noFilter));
    picker.onDidAccept(() =>
      answer({
        text: picker.value.trim(),
        states: picker.selectedItems.map(({ state }) => state),
      }),
    );
  });
  if (filter !== undefined) await view.setFilter(filter);
}

async function changeSorting(view: TreeView, sortings: readonly Sorting[]): Promise<void> {
  const items = sortings.map((sorting) => ({
    label: sortingLabel(sorting),
    ...(sorting === view.sorting ? { description: t('current') } : {}),
    iconPath: new vscode.ThemeIcon(sorting === view.sorting ? 'check' : 'blank'),
    sorting,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Sort {0}', view.title) });
  if (chosen !== undefined) await view.setSorting(chosen.sorting);
}

function sortingLabel(sorting: Sorting): string {
  switch (sorting) {
    case 'name':
      return t('By Name');
    case 'state':
      return t('By State: Failed First');
    case 'lastDeployment':
      return t('By Last Deployment: Newest First');
  }
}
