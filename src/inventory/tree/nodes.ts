import type { LogQueryFilters } from '../../api/types';
import type { SignedInConnection } from '../../connection/signedIn';
import type { Counted, Translate } from '../../text/textFormat';
import type { TimeFormat } from '../../text/timeFormat';
import type { ResourceKey } from '../resourceKeys';
import type { Store } from '../store';
import type { Target } from '../targets';

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

/** What of a node differs from that of a leaf without state. */
export type NodeParts = Pick<TreeNode, 'id' | 'kind' | 'label'> & {
  readonly description?: string | undefined;
  readonly status: NodeStatus;
  readonly target?: NodeTarget;
  readonly topics?: readonly ResourceKey[];
  /** Tokens of the context value besides those that the target tells. */
  readonly tokens?: readonly string[];
  readonly isExpanded?: boolean;
  readonly record?: unknown;
  readonly details?: () => readonly NodeDetail[];
  readonly time?: () => number | undefined;
  readonly children?: () => readonly TreeNode[];
};

/** For what is put together member by member before it is handed on. */
export type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

const noTarget: NodeTarget = {};
const noTopics: readonly ResourceKey[] = [];
const nobody = (): readonly TreeNode[] => [];
const nothing = (): readonly NodeDetail[] => [];
const never = (): undefined => undefined;

export function makeNode(parts: NodeParts): TreeNode {
  const { target = noTarget, topics = noTopics, children } = parts;
  return {
    id: parts.id,
    kind: parts.kind,
    label: parts.label,
    description: parts.description === '' ? undefined : parts.description,
    status: parts.status,
    contextValue: contextOf(parts.kind, target, topics, parts.tokens),
    collapsible: children === undefined ? 'none' : parts.isExpanded ? 'expanded' : 'collapsed',
    target,
    topics,
    record: parts.record,
    details: parts.details ?? nothing,
    time: parts.time ?? never,
    children: children ?? nobody,
  };
}

const marks = ['canFollow', 'hasSite', 'hasWebUrl', 'hasId', 'hasName', 'canRefresh'];
/** By kind and by the marks that are set, since a tree of many rows has few different ones. */
const contexts = new Map<string, string[]>();

function contextOf(
  kind: string,
  target: NodeTarget,
  topics: readonly ResourceKey[],
  tokens: readonly string[] = [],
): string {
  const { follow, site, webUrl, id, name } = target;
  const things = [follow, site, webUrl, id, name, topics[0]];
  const set = things.reduce(
    (bits: number, one, at) => (one === undefined ? bits : bits | (1 << at)),
    0,
  );
  const known = contexts.get(kind) ?? [];
  contexts.set(kind, known);
  const context = (known[set] ??= [kind, ...marks.filter((_, at) => set & (1 << at))].join(' '));
  return tokens.length === 0 ? context : `${context} ${tokens.join(' ')}`;
}

/** Ids for rows of one parent: a key that comes twice, or none at all, gets a number. */
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
  /** Something that was started from here. */
  | 'activity'
  /** In place of children that are still to come. */
  | 'loading'
  /** In place of children that could not be had. */
  | 'problem'
  /** In place of children where there are none. */
  | 'none';

export interface NodeStatus {
  /** The id of a codicon, such as `pass-filled`. */
  readonly icon: string;
  /** The id of a theme colour; absent: the colour of text. */
  readonly color?: string;
  /** The state in words, for screen readers; empty where there is no state. */
  readonly words: string;
  /** The states that a filter can ask for, each in words, such as `running` and `healthy`. */
  readonly states: readonly string[];
  /** Sorts by state: 0 where nothing is known, up to 4 where something is wrong. */
  readonly rank: number;
}

/** A line of a tooltip. Both texts may be the server's, which is untrusted. */
export interface NodeDetail {
  readonly label: string;
  readonly value: string;
}

/** What commands need to know of a node; ids are as the API or the settings give them. */
export interface NodeTarget {
  /** What `Copy Id` copies. */
  readonly id?: string | undefined;
  /** What `Copy Name` copies. */
  readonly name?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly resourceId?: string;
  readonly environmentId?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly commitSha?: string | undefined;
  /** What to follow, and what to call it. */
  readonly follow?:
    | {
        readonly filter: Omit<LogQueryFilters, 'from' | 'to'>;
        readonly label: string;
      }
    | undefined;
  /** The site of a resource, https only. */
  readonly site?: string;
  /** The page of a repository, https only. */
  readonly webUrl?: string;
  /** Of a `loadMore` node: the search whose next page is to be loaded. */
  readonly search?: string;
  /** Of an `activity` node: the id of its entry. */
  readonly activityId?: string;
  /** Of a `problem` node. */
  readonly error?: unknown;
}

/** A row of a tree: plain data, and its children by function. All texts may be the server's: untrusted. */
export interface TreeNode {
  /** Unique in its tree, and the same as long as it stands for the same thing. */
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
  /** What the children are made of: to be refreshed when the node is expanded or refreshed. */
  readonly topics: readonly ResourceKey[];
  /** What the details are made of: the same object as long as nothing in it has changed. */
  readonly record?: unknown;
  /** The lines of the tooltip: every field that came. */
  details(): readonly NodeDetail[];
  /** When something was last deployed, in milliseconds since 1970, as far as is known. */
  time(): number | undefined;
  /** From the store as it is when called; empty where nothing can be expanded. */
  children(): readonly TreeNode[];
}

/** Texts in the language of the person. */
export interface Texts {
  readonly t: Translate;
  readonly counted: Counted;
}

/** What trees are built from. */
export interface TreeContext extends Texts {
  readonly store: Store;
  readonly moments: TimeFormat;
  /** Wall-clock milliseconds since 1970. */
  readonly now: () => number;
  readonly sources: () => readonly Target[];
  readonly servers: () => readonly Target[];
  /** The search of the repositories; empty for all. */
  readonly repositorySearch: () => string;
}

/**
 * Follows the logs of what a row or a message is about; true where they are followed now.
 *
 * @param on the connection that it was found on, where that may have been left since.
 */
export type FollowLogs = (
  follow: NodeTarget['follow'],
  on?: SignedInConnection,
) => Promise<boolean>;
