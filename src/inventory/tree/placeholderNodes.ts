import { ApiError } from '../../api/errors';
import type { CacheEntry } from '../cacheEntry';
import { permissionOf, type ResourceKey } from '../resourceKeys';
import { type NodeDetail, makeNode, type TreeContext, type TreeNode } from './nodes';
import { plain } from './status';

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
  topic: ResourceKey,
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

function problemWords(topic: ResourceKey, error: unknown, t: TreeContext['t']): [string, string] {
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

function problemDetails(error: unknown, t: TreeContext['t']): readonly NodeDetail[] {
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
  topic: ResourceKey,
  known: CacheEntry<T>,
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
export function staleText(
  known: CacheEntry<unknown>,
  { t, moments }: TreeContext,
): string | undefined {
  if (known.error === undefined || known.at === undefined) return undefined;
  return t('updated {0}', moments.relative(new Date(known.at).toISOString()));
}
