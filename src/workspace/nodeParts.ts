import { ApiError } from '../api/errors';
import type { Detail, NodeStatus, NodeTarget, TreeContext, TreeNode } from './nodes';
import { plain } from './states';
import type { Known } from './store';
import { permissionOf, type Topic } from './topics';

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
  const node: Mutable<TreeNode> = {
    id: parts.id,
    kind: parts.kind,
    label: parts.label,
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
  if (parts.description) node.description = parts.description;
  return node;
}

function contextOf(
  kind: string,
  target: NodeTarget,
  topics: readonly Topic[],
  tokens: readonly string[] = [],
): string {
  let context: string = kind;
  if (target.follow !== undefined) context += ' canFollow';
  if (target.site !== undefined) context += ' hasSite';
  if (target.webUrl !== undefined) context += ' hasWebUrl';
  if (target.id !== undefined) context += ' hasId';
  if (target.name !== undefined) context += ' hasName';
  if (topics.length > 0) context += ' canRefresh';
  for (const token of tokens) context += ` ${token}`;
  return context;
}

/** In place of children that are still to come. */
export function loadingNode({ t }: TreeContext, parent: string): TreeNode {
  const label = t('Loading…');
  return makeNode({
    id: `${parent}/loading`,
    kind: 'loading',
    label,
    status: plain('loading~spin'),
  });
}

/** In place of children where there are none. */
export function noneNode(parent: string, label: string): TreeNode {
  return makeNode({ id: `${parent}/none`, kind: 'none', label, status: plain('dash') });
}

/** In place of children that could not be had: which permission is missing, or what failed. */
export function problemNode(
  { t }: TreeContext,
  parent: string,
  topic: Topic,
  error: unknown,
): TreeNode {
  const [label, icon] = problemWords(topic, error, t);
  return makeNode({
    id: `${parent}/problem ${topic.kind}`,
    kind: 'problem',
    label,
    status: { ...plain(icon, 'list.warningForeground'), words: t('not available'), rank: 3 },
    target: { error },
    topics: [topic],
    record: label,
    details: () => problemDetails(error, t),
  });
}

function problemWords(topic: Topic, error: unknown, t: TreeContext['t']): [string, string] {
  if (!(error instanceof ApiError)) {
    return [t('Failed: {0}', error instanceof Error ? error.message : String(error)), 'warning'];
  }
  switch (error.status) {
    case 401:
      return [t('The API key is not valid'), 'lock'];
    case 403:
      return [t('Missing permission {0}', permissionOf(topic)), 'lock'];
    case 404:
      return [t('Not known to the control plane'), 'question'];
    case 429:
      return [t('Too many requests: waiting'), 'clock'];
    default:
      return error.kind === 'network' || error.kind === 'timeout'
        ? [t('The control plane cannot be reached'), 'debug-disconnect']
        : [t('Failed: {0}', error.message), 'warning'];
  }
}

function problemDetails(error: unknown, t: TreeContext['t']): readonly Detail[] {
  if (!(error instanceof ApiError)) return [];
  const { message, code, status, requestId } = error;
  const lines: readonly (readonly [string, string | number | undefined])[] = [
    [t('Message'), message],
    [t('Code'), code],
    [t('Status'), status],
    [t('Request id'), requestId],
  ];
  return lines.flatMap(([label, value]) =>
    value === undefined ? [] : [{ label, value: String(value) }],
  );
}

/**
 * The children that one answer gives: what is built of it, or why there is nothing yet.
 *
 * @param none what to say where the answer holds nothing.
 */
export function childrenFrom<T>(
  context: TreeContext,
  parent: string,
  topic: Topic,
  known: Known<T>,
  none: string,
  build: (value: T) => readonly TreeNode[],
): readonly TreeNode[] {
  if (known.value === undefined) {
    if (known.error !== undefined) return [problemNode(context, parent, topic, known.error)];
    return [loadingNode(context, parent)];
  }
  const nodes = build(known.value);
  return nodes.length > 0 ? nodes : [noneNode(parent, none)];
}

/** That what is shown is old, where the last try failed; undefined where it did not. */
export function staleWords(known: Known<unknown>, { t, moments }: TreeContext): string | undefined {
  if (known.error === undefined || known.at === undefined) return undefined;
  return t('updated {0}', moments.relative(new Date(known.at).toISOString()));
}

/** Ids for rows of one parent: a key that comes twice, or none at all, gets a number. */
export function createKeys(parent: string, kind: string): (key: string | undefined) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (key = '') => {
    let unique = key;
    while (used.has(unique)) {
      const count = (counts.get(key) ?? 1) + 1;
      counts.set(key, count);
      unique = `${key} #${count}`;
    }
    used.add(unique);
    return `${parent}/${kind} ${unique}`;
  };
}

/** Texts that are kept; a tree of many rows has few different ones. */
const maxTexts = 5000;

/** The same context, with texts made once each: a long list asks for the same ones again and again. */
export function withMemory(context: TreeContext): TreeContext {
  const texts = new Map<string, string>();
  return {
    ...context,
    t(message, ...args) {
      const key = args.length === 0 ? message : `${message}\n${args.join('\n')}`;
      let text = texts.get(key);
      if (text === undefined) {
        text = context.t(message, ...args);
        if (texts.size >= maxTexts) texts.clear();
        texts.set(key, text);
      }
      return text;
    },
  };
}

/** The parts that are there, with a dot between them. */
export function dotted(parts: readonly (string | undefined)[]): string {
  let text = '';
  for (const part of parts) if (part) text += text === '' ? part : ` · ${part}`;
  return text;
}

/** Up to two names, and how many more there are. */
export function someNames(names: readonly string[], t: TreeContext['t']): string | undefined {
  const different = [...new Set(names)];
  if (different.length === 0) return undefined;
  const first = different.slice(0, 2).join(', ');
  return different.length <= 2 ? first : t('{0} and {1} more', first, different.length - 2);
}

/** A URL that may be opened: https and nothing that could lead astray, such as a user name. */
export function httpsUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2000 || /[\s\\]/.test(text)) return undefined;
  try {
    const url = new URL(text);
    const isPlain = url.username === '' && url.password === '' && url.hostname !== '';
    return url.protocol === 'https:' && isPlain ? url.href : undefined;
  } catch {
    return undefined;
  }
}
