import * as vscode from 'vscode';
import { views } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import type { WorkspaceData } from './workspaceData';
import { firingCount } from '../alerts/alertNews';
import { serverNodes, serverTopics } from '../servers/serverNodes';
import { leftWords } from './viewText';
import { registerWorkspaceView, type RegisteredView } from './workspaceView';

/** What is watched where: servers with their alert rules, destinations and workloads. */
export function registerServersView(data: WorkspaceData, memento: vscode.Memento): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.servers,
      title: vscode.l10n.t('Servers'),
      roots: serverNodes,
      topics: serverTopics,
      count: ({ servers }) => servers().length,
      note: () => leftWords(data.known.left('servers')),
    },
    data,
    memento,
  );
}

/** Shows on the icon of the view how many alert rules fire. */
export function registerFiringBadge(
  { tree }: Pick<RegisteredView, 'tree'>,
  data: WorkspaceData,
): vscode.Disposable {
  let shown = 0;
  return data.onDidChange(() => {
    const count = firingCount(data.store, data.known.servers());
    if (count === shown) return;
    shown = count;
    tree.badge = count === 0 ? undefined : { value: count, tooltip: badgeWords(count) };
  });
}

function badgeWords(count: number): string {
  return counted(count, '{0} alert rule fires', '{0} alert rules fire');
}
