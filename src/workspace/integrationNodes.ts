import type { TreeContext, TreeNode } from './nodes';
import type { Topic } from './topics';

/** The topics that the roots of the view are made of. */
export declare function integrationTopics(context: TreeContext): readonly Topic[];

/** Categories with their providers, and the repositories with `Load more…`. */
export declare function integrationNodes(context: TreeContext): readonly TreeNode[];
