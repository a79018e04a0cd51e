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

/** Texts that are kept; a tree of many rows has few different ones. */
const maxTexts = 5000;

/** What was made of a template and the arguments that lead here, and of more of them. */
interface Texts {
  text?: string;
  readonly next: Map<string | number, Texts>;
}

/** The same context, with texts made once each: a long list asks for the same ones again and again. */
export function withMemory(context: TreeContext): TreeContext {
  const texts: Texts = { next: new Map() };
  let count = 0;
  const textsOf = (before: Texts, part: string | number): Texts => {
    let known = before.next.get(part);
    if (known === undefined) before.next.set(part, (known = { next: new Map() }));
    return known;
  };
  return {
    ...context,
    t(message, ...args) {
      if (count >= maxTexts) {
        texts.next.clear();
        count = 0;
      }
      let at = textsOf(texts, message);
      for (const arg of args) at = textsOf(at, arg);
      if (at.text === undefined) {
        at.text = context.t(message, ...args);
        count++;
      }
      return at.text;
    },
  };
}

/** The parts that are there, with a dot between them. */
export function dotted(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(' · ');
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
