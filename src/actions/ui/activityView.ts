import * as vscode from 'vscode';
import { views } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import type { Activity } from '../activity';
import { activityNodes } from '../activityNodes';
import { registerWorkspaceView, type RegisteredView } from '../../inventory/ui/workspaceView';

/** What was started from here, newest first, and what became of it. */
export function registerActivityView(
  data: WorkspaceData,
  activity: Activity,
  memento: vscode.Memento,
): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.activity,
      title: vscode.l10n.t('Activity'),
      roots: (context) => activityNodes(context, activity.entries),
      topics: () => [],
      sorting: 'lastDeployment',
      onDidChange: (listener) => activity.onDidChange(listener),
    },
    data,
    memento,
  );
}

/** Shows on the icon of the view how many actions go on, and looks for those of other windows. */
export function registerRunningBadge(
  { tree }: Pick<RegisteredView, 'tree'>,
  activity: Activity,
): vscode.Disposable {
  let shown = 0;
  const unsubscribe = activity.onDidChange(() => {
    const { running } = activity;
    if (running === shown) return;
    shown = running;
    tree.badge = running === 0 ? undefined : { value: running, tooltip: badgeWords(running) };
  });
  return vscode.Disposable.from(
    { dispose: unsubscribe },
    tree.onDidChangeVisibility(({ visible }) => {
      if (visible) void activity.refresh();
    }),
  );
}

function badgeWords(count: number): string {
  return counted(count, '{0} action is running', '{0} actions are running');
}
