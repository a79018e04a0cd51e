import * as vscode from 'vscode';
import { views } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import { firingCount } from '../alerts/alertWatch';
import { integrationNodes, integrationTopics } from '../integrations/integrationNodes';
import { serverNodes, serverTopics } from '../servers/serverNodes';
import { sourceNodes } from '../sources/sourceNodes';
import { registerStateDecorations } from './treeItems';
import { isRow, type WorkspaceViews } from './treeRegistry';
import { leftText } from './viewText';
import type { WorkspaceData } from './workspaceData';
import { type RegisteredView, registerWorkspaceView } from './workspaceView';

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

/** What runs where: sources with their environments, apps and jobs, deployments and secret key names. */
function registerSourcesView(data: WorkspaceData, memento: vscode.Memento): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.sources,
      title: vscode.l10n.t('Sources'),
      roots: sourceNodes,
      topics: () => [],
      names: ({ sources }) =>
        sources().flatMap(({ id }) => [
          { kind: 'resources', sourceId: id },
          { kind: 'secrets', sourceId: id },
        ]),
      count: ({ sources }) => sources().length,
      note: () => leftText(data.known.left('sources')),
    },
    data,
    memento,
  );
}

/** What is watched where: servers with their alert rules, destinations and workloads. */
function registerServersView(data: WorkspaceData, memento: vscode.Memento): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.servers,
      title: vscode.l10n.t('Servers'),
      roots: serverNodes,
      topics: serverTopics,
      count: ({ servers }) => servers().length,
      note: () => leftText(data.known.left('servers')),
    },
    data,
    memento,
  );
}

/** Shows on the icon of the view how many alert rules fire. */
function registerFiringBadge(
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

/** What the workspace is connected to: integrations by category, and its repositories. */
function registerIntegrationsView(data: WorkspaceData, memento: vscode.Memento): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.integrations,
      title: vscode.l10n.t('Integrations'),
      roots: integrationNodes,
      topics: integrationTopics,
    },
    data,
    memento,
  );
}
