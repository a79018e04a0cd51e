import { compareNames } from '../base/textFormat';
import type { TreeNode } from './nodes';

export type Sorting = 'name' | 'state' | 'lastDeployment';

export interface TreeFilter {
  /** Found anywhere in label, description or state, ignoring case; empty: matches all. */
  readonly text: string;
  /** States such as `failed`, one of which must match; empty: matches all. */
  readonly states: readonly string[];
}

/** Which rows of a tree are shown, and in which order. */
export interface TreeOrder {
  readonly filter: TreeFilter;
  readonly sorting: Sorting;
}

export function isFiltering({ text, states }: TreeFilter): boolean {
  return text.trim() !== '' || states.length > 0;
}

/**
 * The siblings to show, in order: those that match, contain a match, or are inside a match.
 *
 * @param above their ancestors.
 */
export function arrange(
  nodes: readonly TreeNode[],
  filter: TreeFilter,
  sorting: Sorting,
  above: readonly TreeNode[],
): readonly TreeNode[] {
  if (!isFiltering(filter)) return sorted(nodes, sorting);
  const matches = createMatcher(filter);
  if (above.some(matches)) return sorted(nodes, sorting);
  return sorted(
    nodes.filter((node) => holds(node, matches)),
    sorting,
  );
}

/** Whether a node or a loaded node below it matches. */
function holds(node: TreeNode, matches: (node: TreeNode) => boolean): boolean {
  return matches(node) || node.children().some((child) => holds(child, matches));
}

function createMatcher({ text, states }: TreeFilter): (node: TreeNode) => boolean {
  const wanted = text.trim().toLowerCase();
  const anyOf = new Set(states.map((state) => state.toLowerCase()));
  return ({ kind, label, description = '', status }) => {
    // Placeholders have no content to match.
    if (kind === 'loading' || kind === 'none') return false;
    const isState = anyOf.size === 0 || status.states.some((one) => anyOf.has(one.toLowerCase()));
    const all = `${label}\n${description}\n${status.words}`;
    return isState && (wanted === '' || all.toLowerCase().includes(wanted));
  };
}

/** The states of these nodes and of all loaded nodes below them, each once ignoring case, sorted. */
export function statesOf(nodes: readonly TreeNode[]): readonly string[] {
  const found = new Map<string, string>();
  const walk = (node: TreeNode): void => {
    for (const state of node.status.states) {
      const key = state.toLowerCase();
      if (!found.has(key)) found.set(key, state);
    }
    node.children().forEach(walk);
  };
  nodes.forEach(walk);
  return [...found.values()].sort(compareNames);
}

/** The states that a filter offers: those of the tree, and those chosen before that it no longer has. */
export function filterChoices(
  states: readonly string[],
  { states: chosen }: TreeFilter,
): readonly { readonly state: string; readonly isChosen: boolean }[] {
  const wanted = new Set(chosen.map((state) => state.toLowerCase()));
  const there = new Set(states.map((state) => state.toLowerCase()));
  const gone = chosen.filter((state) => !there.has(state.toLowerCase()));
  return [...states, ...gone].map((state) => ({
    state,
    isChosen: wanted.has(state.toLowerCase()),
  }));
}

function sorted(nodes: readonly TreeNode[], sorting: Sorting): readonly TreeNode[] {
  if (nodes.length < 2) return nodes;
  const rows = nodes.filter(({ isSortable }) => isSortable);
  if (rows.length < 2) return nodes;
  const sortedRows = sortRows(rows, sorting);
  let next = 0;
  // Other rows keep their places: problems first, secrets last.
  return nodes.map((node) => (node.isSortable ? (sortedRows[next++] ?? node) : node));
}

function sortRows(rows: readonly TreeNode[], sorting: Sorting): readonly TreeNode[] {
  if (sorting === 'name') return [...rows].sort((a, b) => urgency(b) - urgency(a) || byName(a, b));
  if (sorting === 'state') {
    return [...rows].sort((a, b) => b.status.rank - a.status.rank || byName(a, b));
  }
  // Read once per row, because it may visit everything below.
  const times = new Map(rows.map((node) => [node, node.time() ?? -Infinity]));
  const timeOf = (node: TreeNode): number => times.get(node) ?? -Infinity;
  return [...rows].sort((a, b) => {
    const [left, right] = [timeOf(a), timeOf(b)];
    return left === right ? byName(a, b) : right - left;
  });
}

function urgency({ isUrgent, status }: TreeNode): number {
  return isUrgent ? status.rank : 0;
}

function byName(a: TreeNode, b: TreeNode): number {
  return compareNames(a.label, b.label) || (a.id < b.id ? -1 : 1);
}
