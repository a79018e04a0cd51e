import type { TreeNode } from './nodes';

/** Deeper than any tree of ours. */
const maxDepth = 6;

/** The ids of the rows from the root to the first node that fits; undefined where none does. */
export function pathTo(
  nodes: readonly TreeNode[],
  fits: (node: TreeNode) => boolean,
  depth = maxDepth,
): readonly string[] | undefined {
  for (const node of nodes) {
    if (fits(node)) return [node.id];
    const path = depth > 1 ? pathTo(node.children(), fits, depth - 1) : undefined;
    if (path !== undefined) return [node.id, ...path];
  }
  return undefined;
}
