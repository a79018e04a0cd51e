import type { FollowTarget } from '../data/targets';
import type { CacheKey } from '../data/cacheKeys';

/** Deeper than any tree of this extension. */
const maxDepth = 6;

/** The ids of the rows from the root to the first matching node; undefined if none matches. */
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

/** The parts of a node that differ from those of a leaf without state. */
export type NodeParts = Pick<TreeNode, 'id' | 'kind' | 'label' | 'status'> &
  Partial<Omit<TreeNode, 'contextValue' | 'collapsible'>> & {
    /** More tokens of the context value. */
    readonly tokens?: readonly string[];
    readonly isExpanded?: boolean;
  };

// Shared, because a tree may have many rows.
const noTarget: NodeTarget = {};
const none: readonly never[] = [];
const noItems = (): readonly never[] => none;
const noTime = (): undefined => undefined;

export function makeNode(parts: NodeParts): TreeNode {
  const { target = noTarget, cacheKeys = none, children } = parts;
  return {
    id: parts.id,
    kind: parts.kind,
    label: parts.label,
    description: parts.description === '' ? undefined : parts.description,
    status: parts.status,
    contextValue: contextOf(parts.kind, target, cacheKeys, parts.tokens),
    collapsible: children === undefined ? 'none' : parts.isExpanded ? 'expanded' : 'collapsed',
    target,
    cacheKeys,
    record: parts.record,
    sentence: parts.sentence ?? (() => parts.status.words),
    details: parts.details ?? noItems,
    time: parts.time ?? noTime,
    children: children ?? noItems,
  };
}

const marks = ['canFollow', 'hasSite', 'hasWebUrl', 'hasId', 'hasName', 'canRefresh'];
/** By kind and marks, because a tree with many rows has few different ones. */
const contexts = new Map<string, string[]>();

function contextOf(
  kind: string,
  target: NodeTarget,
  cacheKeys: readonly CacheKey[],
  tokens: readonly string[] = [],
): string {
  const { follow, site, webUrl, id, name } = target;
  const values = [follow, site, webUrl, id, name, cacheKeys[0]];
  const set = values.reduce(
    (bits: number, one, at) => (one === undefined ? bits : bits | (1 << at)),
    0,
  );
  const known = contexts.get(kind) ?? [];
  contexts.set(kind, known);
  const context = (known[set] ??= [kind, ...marks.filter((_, at) => set & (1 << at))].join(' '));
  return tokens.length === 0 ? context : `${context} ${tokens.join(' ')}`;
}

/** Makes ids for the rows of one parent. A repeated or missing key gets a number. */
export function createKeys(parent: string, kind: string): (key: string | undefined) => string {
  const start = `${parent}/${kind} `;
  const used = new Set<string>();
  let counts: Map<string, number> | undefined;
  return (key = '') => {
    let unique = key;
    while (used.has(unique)) {
      counts ??= new Map();
      const count = (counts.get(key) ?? 1) + 1;
      counts.set(key, count);
      unique = `${key} #${count}`;
    }
    used.add(unique);
    return start + unique;
  };
}

export type NodeKind =
  | 'source'
  | 'environment'
  | 'resource'
  | 'drift'
  | 'deployment'
  | 'preview'
  | 'secrets'
  | 'secretBinding'
  | 'secretKey'
  | 'affected'
  | 'server'
  | 'rules'
  | 'rule'
  | 'destinations'
  | 'destination'
  | 'providers'
  | 'provider'
  | 'workloads'
  | 'workload'
  | 'category'
  | 'integration'
  | 'repositories'
  | 'repository'
  | 'loadMore'
  | 'activity'
  | 'error'
  | 'errorPlace'
  | 'errorSuspect'
  | 'errorWorkload'
  | 'errorRecord'
  | 'mutedErrors'
  /** In place of children that are loading. */
  | 'loading'
  /** In place of children that could not be loaded. */
  | 'problem'
  /** In place of children if there are none. */
  | 'none';

export interface NodeStatus {
  /** The id of a codicon, such as `pass-filled`. */
  readonly icon: string;
  /** The id of a theme colour; absent: the colour of text. */
  readonly color?: string;
  /** The state in words for tooltips and screen readers; empty if there is none. */
  readonly words: string;
  /** The states that a filter offers, such as `running` and `healthy`. */
  readonly states: readonly string[];
  /** The order by state: from 0 (unknown) to 4 (failed). */
  readonly rank: number;
}

/** A line of a tooltip. Both texts may come from the server and are untrusted. */
export interface NodeDetail {
  readonly label: string;
  readonly value: string;
}

/** A position in a file of the workspace. */
export interface CodePosition {
  /** The URI of the file as text. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column?: number | undefined;
}

/** The parts of a node that commands use. Ids are as the API or the settings give them. */
export interface NodeTarget {
  /** The text that `Copy Id` copies. */
  readonly id?: string | undefined;
  /** The text that `Copy Name` copies. */
  readonly name?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly commitSha?: string | undefined;
  /** What *Follow Logs* follows. */
  readonly follow?: FollowTarget | undefined;
  /** The site of a resource, https only. */
  readonly site?: string | undefined;
  /** The page of a repository, https only. */
  readonly webUrl?: string | undefined;
  /** For `loadMore`: the search whose next page to load. */
  readonly search?: string;
  /** For `activity`: the id of its entry. */
  readonly activityId?: string;
  /** For `error` and its children: the key of its kind. */
  readonly errorKey?: string;
  /** A line of a file of the workspace, which a click opens. */
  readonly place?: CodePosition | undefined;
  /** For `errorSuspect`: the commit, and the URI of a file that it changed, which a click shows. */
  readonly suspect?: { readonly sha: string; readonly file: string };
  /** For `errorRecord`: the id of its event. */
  readonly eventId?: string;
  /** For `problem`. */
  readonly error?: unknown;
}

/** A row of a tree: plain data, and a function for its children. All texts are untrusted. */
export interface TreeNode {
  /** Unique in its tree, and stable for the same object. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
  readonly description?: string | undefined;
  readonly status: NodeStatus;
  /**
   * The kind and tokens for `when` clauses, separated by spaces: `canFollow`, `hasSite`, `hasWebUrl`,
   * `hasId`, `hasName`, `canRename` (a source or server of the settings), `canRefresh`, `canSync`,
   * `firing`.
   */
  readonly contextValue: string;
  readonly collapsible: 'none' | 'collapsed' | 'expanded';
  readonly target: NodeTarget;
  /** What the children are made of: refreshed when the node is expanded or refreshed. */
  readonly cacheKeys: readonly CacheKey[];
  /** What the details are made of: the same object as long as nothing in it changes. */
  readonly record?: unknown;
  /** What the tooltip says first; empty: nothing. */
  sentence(): string;
  /** The facts of the tooltip: three to five lines, ids last. */
  details(): readonly NodeDetail[];
  /** When something was last deployed, in milliseconds since 1970; undefined if unknown. */
  time(): number | undefined;
  /** Built from the current state of the store. */
  children(): readonly TreeNode[];
}
