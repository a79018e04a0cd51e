import type * as vscode from 'vscode';
import { isRow, type WorkspaceViews } from './treeRegistry';
import type { WorkspaceData } from './workspaceData';
import { registerIntegrationsView } from './integrationsView';
import { registerFiringBadge, registerServersView } from './serversView';
import { registerSourcesView } from './sourcesView';
import { registerStateDecorations } from './stateDecorations';
import type { RegisteredView } from './workspaceView';

/** All trees, to which another part of the extension may add its own. */
export interface OpenViews extends WorkspaceViews {
  /** A tree that ends with the others. */
  add(view: RegisteredView): void;
  dispose(): void;
}

/** The trees of the workspace. */
export function registerWorkspaceViews(data: WorkspaceData, memento: vscode.Memento): OpenViews {
  const sources = registerSourcesView(data, memento);
  const servers = registerServersView(data, memento);
  const all: RegisteredView[] = [];
  const others = [registerFiringBadge(servers, data), registerStateDecorations()];
  let lastUsed = sources;

  function add(view: RegisteredView): void {
    all.push(view);
    others.push(
      view.tree.onDidChangeSelection(() => {
        lastUsed = view;
      }),
    );
  }
  [sources, servers, registerIntegrationsView(data, memento)].forEach(add);

  return {
    all,
    add,
    view: (id) => all.find((view) => view.id === id) ?? sources,
    nodeOf(argument) {
      if (!isRow(argument)) return lastUsed.selected;
      return all.find(({ id }) => id === argument.view)?.node(argument);
    },
    dispose() {
      [...others, ...all].forEach((one) => void one.dispose());
    },
  };
}
