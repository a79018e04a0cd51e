import * as vscode from 'vscode';
import { registerCommand } from '../../vscode/commands';
import { commands, extensionId, views } from '../../vscode/contributions';
import { announce } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { accessibilityHelp } from '../accessibilityHelp';
import { firingCount } from '../alerts/alertWatch';
import { integrationNodes, integrationTopics } from '../integrations/integrationNodes';
import { serverNodes, serverKeys } from '../servers/serverNodes';
import { sourceNodes } from '../sources/sourceNodes';
import { isRow } from './treeRow';
import type { WorkspaceViews } from './treeRegistry';
import { leftOutText } from './viewText';
import type { ConnectionData } from '../../data/ui/connectionData';
import { type TreeDefinition, TreeView } from './treeView';

/** All trees. Other features can add theirs. */
interface OpenViews extends WorkspaceViews {
  /** Adds a tree, which is disposed with the others. */
  add(view: TreeView): void;
  dispose(): void;
}

/** The trees of the workspace. */
export function registerViews(data: ConnectionData, memento: vscode.Memento): OpenViews {
  const sources = new TreeView(sourcesTree(data), data, memento);
  const servers = new TreeView(serversTree(data), data, memento);
  const integrations = new TreeView(integrationsTree(), data, memento);
  const all: TreeView[] = [];
  const others = [registerFiringBadge(servers, data)];
  let lastUsed = sources;

  function add(view: TreeView): void {
    all.push(view);
    others.push(
      view.tree.onDidChangeSelection(() => {
        lastUsed = view;
      }),
    );
  }
  [sources, servers, integrations].forEach(add);

  return {
    all,
    add,
    view: (id) => all.find((view) => view.id === id) ?? sources,
    get selected() {
      return lastUsed.selected;
    },
    nodeOf(argument) {
      if (isRow(argument)) {
        const node = all.find(({ id }) => id === argument.view)?.node(argument);
        if (node === undefined) announce(vscode.l10n.t('This row is no longer shown.'), 'info');
        return node;
      }
      const node = (argument ?? undefined) === undefined ? lastUsed.selected : undefined;
      if (node === undefined) announce(vscode.l10n.t('Select a row first.'), 'info');
      return node;
    },
    dispose() {
      [...others, ...all].forEach((one) => void one.dispose());
    },
  };
}

/** Sources with their environments, apps and jobs, deployments and secret key names. */
function sourcesTree({ targets }: ConnectionData): TreeDefinition {
  return {
    id: views.sources,
    title: vscode.l10n.t('Sources'),
    roots: sourceNodes,
    cacheKeys: () => [],
    names: ({ sources }) =>
      sources().flatMap(({ id }) => [
        { kind: 'resources', sourceId: id },
        { kind: 'secrets', sourceId: id },
      ]),
    count: ({ sources }) => sources().length,
    note: () => leftOutText(targets.leftOut('sources')),
  };
}

/** Servers with their alert rules, destinations and workloads. */
function serversTree({ targets }: ConnectionData): TreeDefinition {
  return {
    id: views.servers,
    title: vscode.l10n.t('Servers'),
    roots: serverNodes,
    cacheKeys: serverKeys,
    count: ({ servers }) => servers().length,
    note: () => leftOutText(targets.leftOut('servers')),
  };
}

/** Shows how many alert rules fire as a badge on the view container. */
function registerFiringBadge(
  { tree }: Pick<TreeView, 'tree'>,
  data: ConnectionData,
): vscode.Disposable {
  let shown = 0;
  return data.onDidChange(() => {
    const count = firingCount(data.store, data.targets.servers());
    if (count === shown) return;
    shown = count;
    const tooltip = counted(count, '{0} alert rule fires', '{0} alert rules fire');
    tree.badge = count === 0 ? undefined : { value: count, tooltip };
  });
}

/** Integrations by category, and repositories. */
function integrationsTree(): TreeDefinition {
  return {
    id: views.integrations,
    title: vscode.l10n.t('Integrations'),
    roots: integrationNodes,
    cacheKeys: integrationTopics,
  };
}

/**
 * `accessibilityHelp`: opens a document on using the views with keyboard and screen reader. Newer versions
 * of VS Code show the same texts in their own accessibility help.
 */
export function registerAccessibilityHelp(documents: ReadonlyDocuments): vscode.Disposable {
  return registerCommand(commands.accessibilityHelp, async () => {
    const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
    const name = vscode.l10n.t('Accessibility Help');
    await documents.show(`${name}.md`, accessibilityHelp(manifest));
  });
}
