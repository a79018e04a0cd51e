import * as vscode from 'vscode';
import { membersOf } from '../../base/json';
import { registerConnectionName } from '../../connection/ui/session';
import { ReadListings } from '../../data/readListings';
import { isUuid } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { registerCommand } from '../../vscode/commands';
import { commands, extensionId, views, type TreeViewId } from '../../vscode/contributions';
import { announce } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { firingCount } from '../alerts/alertWatch';
import { integrationNodes, integrationKeys } from '../integrations/integrationNodes';
import type { TreeNode } from '../nodes';
import { serverNodes, serverKeys } from '../servers/serverNodes';
import { sourceNodes } from '../sources/sourceNodes';
import { accessibilityHelp } from '../treeState';
import { isRow } from './treeRow';
import { leftOutText, type TreeDefinition, TreeView } from './treeView';

/** A deployment of an app or job. */
export interface DeploymentTarget {
  readonly resourceId?: string | undefined;
  readonly deploymentId?: string | undefined;
}

/** All trees, for the commands of their rows and titles. Other features can add theirs. */
export class Views {
  private readonly open: TreeView[] = [];
  private readonly sources: TreeView;
  private readonly endings: vscode.Disposable[] = [];
  private lastUsed: TreeView;

  constructor(data: ConnectionData, memento: vscode.Memento) {
    this.sources = new TreeView(sourcesTree(data), data, memento);
    this.lastUsed = this.sources;
    const servers = new TreeView(serversTree(data), data, memento);
    const integrations = new TreeView(integrationsTree(), data, memento);
    [this.sources, servers, integrations].forEach((view) => this.add(view));
    this.endings.push(
      registerFiringBadge(servers, data),
      registerConnectionName(this.sources.tree, data.session),
    );
  }

  get all(): readonly TreeView[] {
    return this.open;
  }

  /** Adds a tree, which is disposed with the others. */
  add(view: TreeView): void {
    this.open.push(view);
    this.endings.push(
      view.tree.onDidChangeSelection(() => {
        this.lastUsed = view;
      }),
    );
  }

  view(id: TreeViewId): TreeView {
    return this.all.find((view) => view.id === id) ?? this.sources;
  }

  /** The node of the selected row of the tree that was used last. */
  get selected(): TreeNode | undefined {
    return this.lastUsed.selected;
  }

  /**
   * The node that the argument of a command means: that of its row, or `selected` if there is no argument,
   * as from a key. Any other argument means no row. If there is no node, the status bar says why.
   */
  nodeOf(argument: unknown): TreeNode | undefined {
    if (isRow(argument)) {
      const node = this.all.find(({ id }) => id === argument.view)?.node(argument);
      if (node === undefined) announce(vscode.l10n.t('This row is no longer shown.'), 'info');
      return node;
    }
    const node = (argument ?? undefined) === undefined ? this.selected : undefined;
    if (node === undefined) announce(vscode.l10n.t('Select a row first.'), 'info');
    return node;
  }

  /** As `nodeOf`, but also by the argument `{ resourceId, deploymentId }`: for what changes nothing. */
  deploymentOf(argument: unknown): DeploymentTarget | undefined {
    const { resourceId, deploymentId } = membersOf(argument);
    const isNamed = !isRow(argument) && isUuid(resourceId) && isUuid(deploymentId);
    return isNamed ? { resourceId, deploymentId } : this.nodeOf(argument)?.target;
  }

  dispose(): void {
    [...this.endings, ...this.all].forEach((one) => void one.dispose());
  }
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
        { kind: 'resources', id },
        { kind: 'secrets', id },
      ]),
    count: ({ sources }) => sources().length,
    note: () => leftOutText(targets.leftOut('sources')),
    listed: 'sources',
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
    listed: 'servers',
  };
}

/** Shows how many alert rules fire as a badge on the view container. */
function registerFiringBadge(
  { tree }: Pick<TreeView, 'tree'>,
  data: ConnectionData,
): vscode.Disposable {
  let shown = 0;
  const listings = new ReadListings(data.store);
  return data.onDidChange((change) => {
    if (!listings.dependOn(change)) return;
    listings.clear();
    const count = firingCount(listings, data.context.servers());
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
    cacheKeys: integrationKeys,
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
