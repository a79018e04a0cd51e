import * as vscode from 'vscode';
import type { ConnectionData } from '../../data/ui/connectionData';
import { TreeView } from '../../trees/ui/treeView';
import type { Views } from '../../trees/ui/views';
import { type CommandId, registerCommand } from '../../vscode/commands';
import { commands, views as viewIds } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import type { Activity } from '../activity';
import type { ActivityEntry } from '../activityEntry';
import { activityNodes } from '../activityNodes';
import type { ProgressNotifications } from './progressNotifications';

/** Registers the view of the actions that were started on the connection, newest first. */
export function registerActivityView(
  data: ConnectionData,
  activity: Activity,
  memento: vscode.Memento,
): TreeView {
  return new TreeView(
    {
      id: viewIds.activity,
      title: vscode.l10n.t('Activity'),
      roots: (context) => activityNodes(context, activity.kinds, activity.entries),
      cacheKeys: () => [],
      sorting: 'lastDeployment',
      onDidChange: activity.onDidChange,
    },
    data,
    memento,
  );
}

/** Shows the number of running actions as the badge, and reads changes when the view is opened. */
export function registerRunningBadge(
  { tree }: Pick<TreeView, 'tree'>,
  activity: Activity,
): vscode.Disposable {
  let shown = 0;
  const subscription = activity.onDidChange(() => {
    const { running } = activity;
    if (running === shown) return;
    shown = running;
    tree.badge = running === 0 ? undefined : { value: running, tooltip: badgeText(running) };
  });
  return vscode.Disposable.from(
    subscription,
    tree.onDidChangeVisibility(({ visible }) => {
      if (visible) void activity.refresh();
    }),
  );
}

function badgeText(count: number): string {
  return counted(count, '{0} action is running', '{0} actions are running');
}

/** Registers the commands of rows and progress notifications. */
export function registerActivityActions(
  activity: Activity,
  notifications: ProgressNotifications,
  views: Views,
): vscode.Disposable {
  const on = (command: CommandId, act: (entry: ActivityEntry) => unknown): vscode.Disposable =>
    registerCommand(command, (argument) => {
      const { key = '' } = views.nodeOf(argument)?.target ?? {};
      const entry = activity.find(key);
      return entry && act(entry);
    });
  return vscode.Disposable.from(
    on(commands.watchAgain, ({ id }) => notifications.watchAgain(id)),
    on(commands.showResult, (entry) => notifications.runNextStep('showResult', entry)),
    on(commands.showDeployments, (entry) => notifications.runNextStep('showDeployments', entry)),
    on(commands.removeFromActivity, ({ id }) => activity.remove(id)),
    // The links in a notification pass the id. From the palette, all notifications are hidden.
    registerCommand(commands.stopWatching, (argument) => {
      const id = typeof argument === 'string' ? argument : views.nodeOf(argument)?.target.key;
      if (id !== undefined) activity.stop(id);
    }),
    registerCommand(commands.runInBackground, async (id) => {
      notifications.hide(typeof id === 'string' ? id : undefined);
      await vscode.commands.executeCommand(`${viewIds.activity}.focus`);
    }),
  );
}
