import { type CacheKey, resourceKeyOf } from '../data/cacheKeys';
import type { TreeNode } from './nodes';
import { arrange, isFiltering, type Sorting, statesOf, type TreeFilter } from './treeOrder';

interface TreeViewOptions {
  readonly roots: () => readonly TreeNode[];
  readonly filter: () => TreeFilter;
  readonly sorting: () => Sorting;
}

/** What must be drawn again. */
type Redraw =
  | { readonly kind: 'all' }
  /** These nodes, each with its children if they are shown. */
  | { readonly kind: 'nodes'; readonly ids: readonly string[] };

/** The drawn nodes of a tree by id. Ids are stable, so that VS Code keeps selection and expansion. */
export interface TreeView {
  /** The ids of the children, filtered and sorted; without an id, those of the roots. */
  children(id?: string): readonly string[];
  /** Undefined if the id is unknown or its node is gone. */
  node(id: string): TreeNode | undefined;
  parent(id: string): string | undefined;
  /** How many roots were drawn last. */
  readonly shown: number;
  /** How many roots there are without the filter. */
  readonly unfiltered: number;
  /** The states that a filter can offer, sorted. */
  states(): readonly string[];
  /** Rebuilds the drawn nodes and returns what changed. Call it after any change of the data. */
  update(): Redraw;
}

interface Drawn {
  node: TreeNode;
  parent: string | undefined;
  /** Undefined until they are requested. */
  children: readonly string[] | undefined;
}

export function createTreeView({ roots, filter, sorting }: TreeViewOptions): TreeView {
  const drawn = new Map<string, Drawn>();
  let top: readonly string[] | undefined;
  let unfiltered = 0;

  function arranged(nodes: readonly TreeNode[], parent: Drawn | undefined): readonly TreeNode[] {
    const wanted = filter();
    const above = isFiltering(wanted) ? ancestors(parent) : [];
    return arrange(nodes, wanted, sorting(), above);
  }

  function ancestors(of: Drawn | undefined): readonly TreeNode[] {
    const found: TreeNode[] = [];
    for (let at = of; at !== undefined; at = drawn.get(at.parent ?? '')) found.push(at.node);
    return found;
  }

  function rootNodes(): readonly TreeNode[] {
    const all = roots();
    unfiltered = all.length;
    return arranged(all, undefined);
  }

  /** Stores nodes as drawn; their children are compared later. */
  function note(nodes: readonly TreeNode[], parent: string | undefined): readonly string[] {
    return nodes.map((node) => {
      const there = drawn.get(node.id);
      if (there === undefined) drawn.set(node.id, { node, parent, children: undefined });
      else Object.assign(there, { node, parent });
      return node.id;
    });
  }

  function forget(id: string): void {
    const children = drawn.get(id)?.children ?? [];
    drawn.delete(id);
    children.forEach(forget);
  }

  /** Drops nodes that are no longer children. Returns whether the children changed. */
  function replace(before: readonly string[], after: readonly string[]): boolean {
    const isSame = before.length === after.length && before.every((id, at) => id === after[at]);
    if (isSame) return false;
    if (before.length > 0) {
      const there = new Set(after);
      before.filter((id) => !there.has(id)).forEach(forget);
    }
    return true;
  }

  /** Rebuilds the drawn children at all levels and adds the ids of the changed nodes. */
  function compare(ids: readonly string[], changed: string[]): void {
    for (const id of ids) {
      const entry = drawn.get(id);
      if (entry?.children === undefined) continue;
      const before = entry.children;
      const nodes = arranged(entry.node.children(), entry);
      const old = before.flatMap((child) => drawn.get(child)?.node ?? []);
      const changedChildren = changedNodes(old, nodes);
      entry.children = note(nodes, id);
      if (replace(before, entry.children) && !changed.includes(id)) changed.push(id);
      changed.push(...changedChildren);
      compare(entry.children, changed);
    }
  }

  function drawRoots(): readonly string[] {
    const ids = note(rootNodes(), undefined);
    replace(top ?? [], ids);
    top = ids;
    return ids;
  }

  return {
    children(id) {
      if (id === undefined) return drawRoots();
      const entry = drawn.get(id);
      if (entry === undefined) return [];
      const ids = note(arranged(entry.node.children(), entry), id);
      replace(entry.children ?? [], ids);
      entry.children = ids;
      return ids;
    },
    node: (id) => drawn.get(id)?.node,
    parent: (id) => drawn.get(id)?.parent,
    get shown() {
      return (top ?? drawRoots()).length;
    },
    get unfiltered() {
      if (top === undefined) drawRoots();
      return unfiltered;
    },
    states: () => statesOf(roots()),
    update() {
      if (top === undefined) return { kind: 'all' };
      const before = top;
      const nodes = rootNodes();
      const old = before.flatMap((id) => drawn.get(id)?.node ?? []);
      const ids = [...changedNodes(old, nodes)];
      top = note(nodes, undefined);
      const isOther = replace(before, top);
      compare(top, ids);
      return isOther ? { kind: 'all' } : { kind: 'nodes', ids: withoutInner(ids, drawn) };
    },
  };
}

/** Leaves out ids below another of the ids, because they are drawn with it. */
function withoutInner(ids: readonly string[], drawn: ReadonlyMap<string, Drawn>): string[] {
  const all = new Set(ids);
  return [...all].filter((id) => {
    for (let at = drawn.get(id)?.parent; at !== undefined; at = drawn.get(at)?.parent) {
      if (all.has(at)) return false;
    }
    return true;
  });
}

/** The ids of nodes that look different from before. New nodes are left out: they come with their parent. */
function changedNodes(before: readonly TreeNode[], after: readonly TreeNode[]): readonly string[] {
  const old = new Map(before.map((node) => [node.id, node]));
  return after
    .filter((node) => {
      const there = old.get(node.id);
      return there !== undefined && !looksAlike(there, node);
    })
    .map(({ id }) => id);
}

function looksAlike(one: TreeNode, other: TreeNode): boolean {
  return (
    one.label === other.label &&
    one.description === other.description &&
    one.status.icon === other.status.icon &&
    one.status.color === other.status.color &&
    one.status.words === other.status.words &&
    one.contextValue === other.contextValue &&
    one.collapsible === other.collapsible &&
    one.record === other.record
  );
}

/** The expanded rows of a tree. */
interface ExpandedRows {
  /** VS Code expanded it or requested its children. */
  open(id: string): void;
  close(id: string): void;
  has(id: string): boolean;
  /** Whether VS Code shows a row open when it gets it. */
  opens(id: string): boolean;
  /** Drops rows that are gone. */
  prune(): void;
  /** The keys of the visible children, each once. Children of a closed parent are not visible. */
  cacheKeys(): readonly CacheKey[];
}

export function createExpandedRows(tree: Pick<TreeView, 'node' | 'parent'>): ExpandedRows {
  /** Whether a row is expanded, once VS Code has said so. */
  const known = new Map<string, boolean>();
  const has = (id: string): boolean => known.get(id) === true;

  function isOnScreen(id: string): boolean {
    for (let at: string | undefined = id; at !== undefined; at = tree.parent(at)) {
      if (!has(at)) return false;
    }
    return true;
  }

  return {
    open: (id) => void known.set(id, true),
    close: (id) => void known.set(id, false),
    has,
    opens: (id) => known.get(id) ?? tree.node(id)?.collapsible === 'expanded',
    prune() {
      for (const id of known.keys()) if (tree.node(id) === undefined) known.delete(id);
    },
    cacheKeys() {
      const found = new Map<string, CacheKey>();
      for (const id of known.keys()) {
        if (!isOnScreen(id)) continue;
        for (const key of tree.node(id)?.cacheKeys ?? []) found.set(resourceKeyOf(key), key);
      }
      return [...found.values()];
    },
  };
}
