import { membersOf } from '../../api/lenient';
import type { WorkspaceViewId } from '../../vscode/contributions';
import type { TreeNode } from '../tree/nodes';
import type { Sorting, TreeFilter } from '../tree/treeOrder';

/** A row of a view of ours, as VS Code hands it to commands: the same object for the same id. */
export interface TreeRow {
  readonly view: WorkspaceViewId;
  /** Of the node that the row shows. */
  readonly id: string;
}

/** One of the trees, as commands see it. */
export interface WorkspaceView {
  readonly id: WorkspaceViewId;
  /** Its title, in the language of the person. */
  readonly title: string;
  readonly filter: TreeFilter;
  readonly sorting: Sorting;
  /** Every state that a filter could ask for, sorted. */
  states(): readonly string[];
  setFilter(filter: TreeFilter): Promise<void>;
  setSorting(sorting: Sorting): Promise<void>;
  /** What the row stands for; undefined where it is gone. */
  node(row: TreeRow): TreeNode | undefined;
  /** The node of the selected row. */
  readonly selected: TreeNode | undefined;
  /** Whether it is on the screen. */
  readonly isVisible: boolean;
  /** Asks again for everything that the view shows; resolves when all of it was tried. */
  refresh(): Promise<void>;
  /**
   * Shows the row of a node and selects it; only the view where the row is not there, such as behind
   * a filter.
   *
   * @param path the ids of its ancestors from the root on, and its own.
   */
  reveal(path: readonly string[], options?: RevealOptions): Promise<void>;
}

export interface RevealOptions {
  /** Whether its children are shown. */
  readonly expand?: boolean;
  /** Whether it takes the focus. */
  readonly focus?: boolean;
}

/** All trees, for the commands of their rows and titles. */
export interface WorkspaceViews {
  readonly all: readonly WorkspaceView[];
  view(id: WorkspaceViewId): WorkspaceView;
  /**
   * The node that a command is about: that of the row it was called on, else the selected row of the
   * tree that was used last. Undefined where there is none.
   */
  nodeOf(argument: unknown): TreeNode | undefined;
}

/** Whether VS Code called a command on a row of ours; anybody may call one with anything. */
export function isRow(value: unknown): value is TreeRow {
  const { view, id } = membersOf(value);
  return typeof view === 'string' && typeof id === 'string';
}
