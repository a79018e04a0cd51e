import type { WorkspaceViewId } from '../../vscode/contributions';
import type { TreeNode } from '../nodes';
import type { Sorting, TreeFilter } from '../treeOrder';

/** A row as VS Code passes it to commands. The same id is always the same object. */
export interface TreeRow {
  readonly view: WorkspaceViewId;
  /** The id of the node that the row shows. */
  readonly id: string;
}

/** A tree, for commands. */
export interface WorkspaceView {
  readonly id: WorkspaceViewId;
  /** In the user's language. */
  readonly title: string;
  readonly filter: TreeFilter;
  readonly sorting: Sorting;
  /** The states that a filter can offer, sorted. */
  states(): readonly string[];
  setFilter(filter: TreeFilter): Promise<void>;
  setSorting(sorting: Sorting): Promise<void>;
  /** The node of a row; undefined if it is gone. */
  node(row: TreeRow): TreeNode | undefined;
  /** The node of the selected row. */
  readonly selected: TreeNode | undefined;
  readonly isVisible: boolean;
  /** Requests everything that the view shows; resolves when all requests have ended. */
  refresh(): Promise<void>;
  /**
   * Shows and selects the row of a node. If the row is not there, for example because of the filter, it
   * shows the view only.
   *
   * @param path the ids from the root to the node.
   */
  reveal(path: readonly string[], options?: RevealOptions): Promise<void>;
}

export interface RevealOptions {
  /** Expands the row. */
  readonly expand?: boolean;
  /** Moves the focus to the row. */
  readonly focus?: boolean;
}

/** All trees, for the commands of their rows and titles. */
export interface WorkspaceViews {
  readonly all: readonly WorkspaceView[];
  view(id: WorkspaceViewId): WorkspaceView;
  /** The node of the selected row of the tree that was used last. */
  readonly selected: TreeNode | undefined;
  /**
   * The node that the argument of a command means: that of its row, or `selected` if there is no argument,
   * as from a key. Any other argument means no row. If there is no node, the status bar says why.
   */
  nodeOf(argument: unknown): TreeNode | undefined;
}

/** The rows that trees gave to VS Code. */
const given = new WeakSet();

/** A row for a tree to give to VS Code, which passes the same object to the commands of the row. */
export function createRow(view: WorkspaceViewId, id: string): TreeRow {
  const row = { view, id };
  given.add(row);
  return row;
}

/**
 * Whether the argument of a command is the object that a tree gave to VS Code, not a copy that anything can
 * make. That does not prove that a person used the row: VS Code also passes the object for a link that names
 * the focused row of a tree. So it decides about local changes only; what changes a server asks.
 */
export function isRow(value: unknown): value is TreeRow {
  return typeof value === 'object' && value !== null && given.has(value);
}
