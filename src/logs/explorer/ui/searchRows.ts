import * as vscode from 'vscode';
import { commands } from '../../../vscode/contributions';
import { markdown } from '../../../vscode/markdown';
import type { Tails } from '../../tail/tails';
import { rowText } from '../../../base/untrustedText';
import type { ListedSearch, SearchList } from './searchList';
import type { Session } from '../../../connection/ui/session';
import type { ExtraRow, LogsView } from '../../tail/ui/logsView';

const { t } = vscode.l10n;

type Section = 'saved' | 'recent';

/**
 * Shows saved and recent searches below the tails of the view. Without an API key they cannot run, and
 * the view shows how to connect instead.
 */
export function registerSearchRows(
  logsView: LogsView,
  list: SearchList,
  session: Session,
  tails: Pick<Tails, 'all'>,
): vscode.Disposable {
  const sections = (['saved', 'recent'] as const).map((section) => ({
    section,
    id: `searches ${section}`,
    children: () => list[section].map(searchRow),
    item: () => sectionItem(section),
  }));
  return logsView.add({
    onDidChange: list.onDidChange,
    roots() {
      if (session.state.kind !== 'signedIn') return [];
      const shown = sections.filter(({ section }) => list[section].length > 0);
      // Rows hide the welcome view, which has a button for this.
      const isOfferHidden = shown.length > 0 && tails.all.length === 0;
      return [...(isOfferHidden ? [offer] : []), ...shown];
    },
  });
}

const offer: ExtraRow = {
  id: 'searches offer',
  children: () => [],
  item() {
    const label = t('Follow Logs…');
    const item = new vscode.TreeItem(label);
    item.id = offer.id;
    item.iconPath = new vscode.ThemeIcon('add');
    const why = t('Not following any logs.');
    item.description = why;
    item.accessibilityInformation = { label: `${label}, ${why}` };
    item.command = { command: commands.followLogs, title: label };
    return item;
  },
};

function searchRow(search: ListedSearch): ExtraRow {
  return { id: search.id, children: () => [], item: () => searchItem(search) };
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
  const { id, name, query, saved, canRun } = search;
  const label = rowText(name === '' ? t('everything') : name);
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(
    saved === undefined ? 'history' : canRun ? 'bookmark' : 'circle-slash',
  );
  if (saved !== undefined) item.description = rowText(query);
  item.contextValue = [
    saved === undefined ? 'search.recent' : 'search.saved',
    ...(canRun ? ['canRun'] : []),
  ].join(' ');
  const words = wordsOf(search);
  item.accessibilityInformation = {
    label: [label, ...(saved === undefined ? [] : [item.description]), ...words].join(', '),
  };
  item.tooltip = markdown(label, ...(saved === undefined ? [] : [query]), ...words);
  item.command = { command: commands.runSearch, title: t('Run'), arguments: [{ id }] };
  return item;
}

/** The meaning of the icon, in words. */
function wordsOf({ saved, canRun }: ListedSearch): string[] {
  if (saved === undefined) return [t('recent search')];
  return [
    saved.owner === 'user' ? t('saved search') : t('saved search of the workspace'),
    ...(canRun ? [] : [t('contains IDs of another control plane')]),
  ];
}
