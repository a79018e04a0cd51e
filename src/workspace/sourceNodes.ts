import type { TreeContext, TreeNode } from './nodes';

/** Source → environment → resource → deployments, and under each environment its secret keys. */
export declare function sourceNodes(context: TreeContext): readonly TreeNode[];
