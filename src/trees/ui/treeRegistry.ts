import type { WorkspaceViewId } from '../../vscode/contributions';
import type { TreeNode } from '../nodes';
import type { TreeView } from './treeView';

/** All trees, for the commands of their rows and titles. */
export interface WorkspaceViews {
  readonly all: readonly TreeView[];
  view(id: WorkspaceViewId): TreeView;
  /** The node of the selected row of the tree that was used last. */
  readonly selected: TreeNode | undefined;
  /**
   * The node that the argument of a command means: that of its row, or `selected` if there is no argument,
   * as from a key. Any other argument means no row. If there is no node, the status bar says why.
   */
  nodeOf(argument: unknown): TreeNode | undefined;
}
