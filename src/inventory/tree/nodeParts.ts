import type { Detail, NodeStatus, NodeTarget, TreeNode } from './nodes';
import type { Topic } from '../resourceKeys';

/** What of a node differs from that of a leaf without state. */
export type NodeParts = Pick<TreeNode, 'id' | 'kind' | 'label'> & {
  readonly description?: string | undefined;
  readonly status: NodeStatus;
  readonly target?: NodeTarget;
  readonly topics?: readonly Topic[];
  /** Tokens of the context value besides those that the target tells. */
  readonly tokens?: readonly string[];
  readonly isExpanded?: boolean;
  readonly record?: unknown;
  readonly details?: () => readonly Detail[];
  readonly time?: () => number | undefined;
  readonly children?: () => readonly TreeNode[];
};

/** For what is put together member by member before it is handed on. */
export type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

const noTarget: NodeTarget = {};
const noTopics: readonly Topic[] = [];
const nobody = (): readonly TreeNode[] => [];
const nothing = (): readonly Detail[] => [];
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
  topics: readonly Topic[],
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
