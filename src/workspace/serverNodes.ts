import type { TreeContext, TreeNode } from './nodes';

/** Server → alert rules, destinations, providers, workloads. */
export declare function serverNodes(context: TreeContext): readonly TreeNode[];
