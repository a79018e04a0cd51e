import type { Permission } from '../api/types';
import type { TreeNode } from './nodes';
import type { Store } from './store';
import type { Topic } from './topics';

export type Sorting = 'name' | 'state' | 'lastDeployment';

export interface TreeFilter {
  /** Found anywhere in label, description or state, whatever the case; empty for everything. */
  readonly text: string;
  /** Words of the state, such as `failed`, of which one must be there; empty for every state. */
  readonly states: readonly string[];
}

export interface TreeViewOptions {
  /** The roots as they are now. */
  readonly roots: () => readonly TreeNode[];
  readonly filter: () => TreeFilter;
  readonly sorting: () => Sorting;
}

/** What has to be drawn again. */
export type Redraw =
  | { readonly kind: 'all' }
  /** These ids alone; each with its children where they were shown. */
  | { readonly kind: 'nodes'; readonly ids: readonly string[] };

/**
 * A tree as it is drawn: ids stay the same, so an editor keeps selection and expansion. Give ids to
 * the editor as elements and ask here for what they stand for.
 */
export interface TreeView {
  /** The ids of the children, filtered and sorted; of the roots without an id. */
  children(id?: string): readonly string[];
  /** Undefined for an id that was never handed out or is gone. */
  node(id: string): TreeNode | undefined;
  parent(id: string): string | undefined;
  /** Builds what was drawn anew and says what of it is different. Call after any change. */
  update(): Redraw;
}

export declare function createTreeView(options: TreeViewOptions): TreeView;

/** The ids of nodes that are drawn otherwise than before, by what a person sees of each. */
export declare function changedNodes(
  before: readonly TreeNode[],
  after: readonly TreeNode[],
): readonly string[];

/** Why a view is empty, or that it is not; `error` for the view's message. */
export type ViewState =
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'loading' }
  /** Nothing is known and nothing failed: discover or add something. */
  | { readonly kind: 'empty' }
  /** The filter hides everything. */
  | { readonly kind: 'noMatch' }
  | { readonly kind: 'missingPermission'; readonly permission: Permission }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** There is something to see. */
  | {
      readonly kind: 'shown';
      /** Of what was asked last: what failed, although earlier answers may still be shown. */
      readonly problems: readonly TopicProblem[];
    };

export interface TopicProblem {
  readonly topic: Topic;
  readonly error: unknown;
  /** The permission that is missing, where that is the reason. */
  readonly permission?: Permission;
  /** When what is shown came, in wall-clock milliseconds; absent where nothing is shown. */
  readonly at?: number;
}

export interface ViewStateOptions {
  readonly session: 'none' | 'signedOut' | 'signedIn';
  readonly store: Store;
  /** What the view has asked for: its own topics and those of its expanded nodes. */
  readonly topics: readonly Topic[];
  /** How many roots there are, filtered and not. */
  readonly shown: number;
  readonly all: number;
}

export declare function viewState(options: ViewStateOptions): ViewState;
