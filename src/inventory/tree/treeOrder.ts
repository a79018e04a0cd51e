import type { NodeKind, TreeNode } from './nodes';

export type Sorting = 'name' | 'state' | 'lastDeployment';

export interface TreeFilter {
  /** Found anywhere in label, description or state, whatever the case; empty for everything. */
  readonly text: string;
  /** States such as `failed`, of which one must be there; empty for every state. */
  readonly states: readonly string[];
}

export function isFiltering({ text, states }: TreeFilter): boolean {
  return text.trim() !== '' || states.length > 0;
}

/**
 * Siblings as they are shown: those that match or lie below or above a match, in order.
 *
 * @param above the ancestors: whatever lies below a match is shown with it.
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

/** Whether a node or anything below it that is known matches. */
function holds(node: TreeNode, matches: (node: TreeNode) => boolean): boolean {
  return matches(node) || node.children().some((child) => holds(child, matches));
}

function createMatcher({ text, states }: TreeFilter): (node: TreeNode) => boolean {
  const wanted = text.trim().toLowerCase();
  const anyOf = new Set(states.map((state) => state.toLowerCase()));
  return ({ kind, label, description = '', status }) => {
    // They stand for what is not there, and their words are ours.
    if (kind === 'loading' || kind === 'none') return false;
    const isState = anyOf.size === 0 || status.states.some((one) => anyOf.has(one.toLowerCase()));
    const all = `${label}\n${description}\n${status.words}`;
    return isState && (wanted === '' || all.toLowerCase().includes(wanted));
  };
}

/** Every state below these nodes that is known, each once whatever its case, sorted. */
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

/**
 * The states to offer for a filter: those of the tree, and those of the filter that the tree has no
 * longer, so that none is in force unseen.
 */
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

/** Others have an order of their own: deployments by time, keys by what is missing, pages as they came. */
const sortable: ReadonlySet<NodeKind> = new Set([
  'source',
  'environment',
  'resource',
  'server',
  'rule',
  'destination',
  'provider',
  'workload',
  'category',
  'integration',
]);

function sorted(nodes: readonly TreeNode[], sorting: Sorting): readonly TreeNode[] {
  if (nodes.length < 2) return nodes;
  const rows = nodes.filter(({ kind }) => sortable.has(kind));
  if (rows.length < 2) return nodes;
  const sortedRows = sortRows(rows, sorting);
  let next = 0;
  // What has a place of its own keeps it: a problem stands first, the secrets stand last.
  return nodes.map((node) => (sortable.has(node.kind) ? (sortedRows[next++] ?? node) : node));
}

function sortRows(rows: readonly TreeNode[], sorting: Sorting): readonly TreeNode[] {
  if (sorting === 'name') return [...rows].sort(byName);
  if (sorting === 'state') {
    return [...rows].sort(
      (one, other) => other.status.rank - one.status.rank || byName(one, other),
    );
  }
  // Each is asked once, since it may look through all that lies below.
  const times = new Map(rows.map((node) => [node, node.time() ?? -Infinity]));
  const timeOf = (node: TreeNode): number => times.get(node) ?? -Infinity;
  return [...rows].sort((one, other) => {
    const [left, right] = [timeOf(one), timeOf(other)];
    return left === right ? byName(one, other) : right - left;
  });
}

function byName(one: TreeNode, other: TreeNode): number {
  return compareNames(one.label, other.label) || (one.id < other.id ? -1 : 1);
}

/** Without regard to case and the same everywhere, whatever the language of the machine. */
function compareNames(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (left !== right) return left < right ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}
