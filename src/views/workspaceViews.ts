import type * as vscode from 'vscode';
import { isRow, type WorkspaceViews } from '../platform/rows';
import type { WorkspaceData } from '../platform/workspaceData';
import { registerIntegrationsView } from './integrationsView';
import { registerFiringBadge, registerServersView } from './serversView';
import { registerSourcesView } from './sourcesView';
import { registerStateDecorations } from './stateDecorations';

/** All trees of the workspace. */
export function registerWorkspaceViews(
  data: WorkspaceData,
  memento: vscode.Memento,
): WorkspaceViews & { dispose(): void } {
  const sources = registerSourcesView(data, memento);
  const servers = registerServersView(data, memento);
  const all = [sources, servers, registerIntegrationsView(data, memento)];
  let lastUsed = sources;
  const selections = all.map((view) =>
    view.tree.onDidChangeSelection(() => {
      lastUsed = view;
    }),
  );
  const others = [registerFiringBadge(servers, data), registerStateDecorations()];
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
