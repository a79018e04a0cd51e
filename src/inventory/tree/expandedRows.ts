import { topicKey, type Topic } from '../resourceKeys';
import type { TreeView } from './treeView';

/** Which rows of a tree are open, as far as the editor tells. */
export interface ExpandedRows {
  /** It was opened, or was open from the start: its children were asked for. */
  open(id: string): void;
  close(id: string): void;
  /** Forgets rows that are gone. */
  prune(): void;
  /** What the children on the screen are made of, each topic once; those of closed parents are not on it. */
  topics(): readonly Topic[];
}

export function createExpandedRows(tree: Pick<TreeView, 'node' | 'parent'>): ExpandedRows {
  const ids = new Set<string>();

  function isOnScreen(id: string): boolean {
    for (let at: string | undefined = id; at !== undefined; at = tree.parent(at)) {
      if (!ids.has(at)) return false;
    }
    return true;
  }

  return {
    open: (id) => void ids.add(id),
    close: (id) => void ids.delete(id),
    prune() {
      for (const id of ids) if (tree.node(id) === undefined) ids.delete(id);
    },
    topics() {
      const found = new Map<string, Topic>();
      for (const id of ids) {
        if (!isOnScreen(id)) continue;
        for (const topic of tree.node(id)?.topics ?? []) found.set(topicKey(topic), topic);
      }
      return [...found.values()];
    },
  };
}
