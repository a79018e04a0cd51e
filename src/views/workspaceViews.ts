import type * as vscode from 'vscode';
import { isRow, type WorkspaceViews } from '../platform/rows';
import type { WorkspaceData } from '../platform/workspaceData';
import type { Activity } from '../workspace/operations/activity';
import { registerActivityView, registerRunningBadge } from './activityView';
import { registerIntegrationsView } from './integrationsView';
import { registerFiringBadge, registerServersView } from './serversView';
import { registerSourcesView } from './sourcesView';
import { registerStateDecorations } from './stateDecorations';

/** All trees of the workspace. */
export function registerWorkspaceViews(
  data: WorkspaceData,
  activity: Activity,
  memento: vscode.Memento,
): WorkspaceViews & { dispose(): void } {
  const sources = registerSourcesView(data, memento);
  const servers = registerServersView(data, memento);
  const activities = registerActivityView(data, activity, memento);
  const all = [sources, servers, activities, registerIntegrationsView(data, memento)];
  let lastUsed = sources;
  const selections = all.map((view) =>
    view.tree.onDidChangeSelection(() => {
      lastUsed = view;
    }),
  );
  const others = [
    registerFiringBadge(servers, data),
    registerRunningBadge(activities, activity),
    registerStateDecorations(),
  ];
  return {
    all,
    view: (id) => all.find((view) => view.id === id) ?? sources,
    nodeOf(argument) {
      if (!isRow(argument)) return lastUsed.selected;
      return all.find(({ id }) => id === argument.view)?.node(argument);
    },
    dispose() {
      [...selections, ...others, ...all].forEach((one) => void one.dispose());
    },
  };
}
