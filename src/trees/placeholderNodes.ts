import { ApiError, failedAs } from '../api/errors';
import type { DataContext } from '../data/labels';
import { listings } from '../data/listings';
import { isRefusal, type CacheKey, type CacheEntry } from '../data/store';
import { detailLines, makeNode, type NodeDetail, type TreeNode } from './nodes';
import { plain } from './status';

/** In place of children that are loading. */
export function loadingNode({ t }: DataContext, parent: string): TreeNode {
  const id = `${parent}/loading`;
  return makeNode({ id, kind: 'loading', label: t('Loading…'), status: plain('loading~spin') });
}

/** In place of children if there are none. */
export function noneNode(parent: string, label: string): TreeNode {
  return makeNode({ id: `${parent}/none`, kind: 'none', label, status: plain('dash') });
}

/** In place of children that could not be loaded: says why. */
export function problemNode(
  { t }: DataContext,
  parent: string,
  key: CacheKey,
  error: unknown,
): TreeNode {
  const [label, icon] = problemWords(key, error, t);
  return makeNode({
    id: `${parent}/problem ${key.kind}`,
    kind: 'problem',
    label,
    status: { ...plain(icon, 'list.warningForeground'), words: t('not available'), rank: 3 },
    target: { error },
    cacheKeys: [key],
    record: label,
    details: () => problemDetails(error, t),
  });
}

function problemWords(key: CacheKey, error: unknown, t: DataContext['t']): [string, string] {
  if (!(error instanceof ApiError)) {
    return [t('Failed: {0}', error instanceof Error ? error.message : String(error)), 'warning'];
  }
  switch (error.meaning) {
    case 'unknownKey':
      return [t('The API key is not valid'), 'lock'];
    case 'missingPermission':
      return [t('Not allowed ({0})', listings[key.kind].permission), 'lock'];
    case 'notFound':
      return [t('Not found'), 'question'];
    case 'rateLimited':
      return [t('Too many requests. Waiting…'), 'clock'];
    case 'unreachable':
      return [t('The control plane cannot be reached'), 'debug-disconnect'];
    default:
      return [t('Failed: {0}', error.message), 'warning'];
  }
}

function problemDetails(error: unknown, t: DataContext['t']): readonly NodeDetail[] {
  if (!(error instanceof ApiError)) return [];
  const { message, code, status, requestId } = error;
  return detailLines([
    [t('Message'), message],
    [t('Code'), code],
    [t('Status'), status],
    [t('Request ID'), requestId],
  ]);
}

/**
 * The children from one cached value, or a placeholder that says why there are none.
 *
 * @param none the label of the placeholder if the value is empty.
 */
export function childrenFrom<T>(
  context: DataContext,
  parent: string,
  key: CacheKey,
  known: CacheEntry<T>,
  none: string,
  build: (value: T) => readonly TreeNode[],
): readonly TreeNode[] {
  if (known.value === undefined) {
    if (known.error !== undefined) return [problemNode(context, parent, key, known.error)];
    return [loadingNode(context, parent)];
  }
  const nodes = build(known.value);
  return nodes.length > 0 ? nodes : [noneNode(parent, none)];
}

/** What is wrong with a cached value, for the row of a target: not available, or old. */
export function availabilityText(
  entry: CacheEntry<unknown>,
  context: DataContext,
): string | undefined {
  const { error, value } = entry;
  if (error === undefined || value !== undefined) return staleText(entry, context);
  if (isRefusal(error)) return context.t('not allowed');
  return failedAs(error, 'notFound')
    ? context.t('not known on this connection')
    : context.t('not available');
}

/** How old the value is if the last request failed; undefined if it did not fail. */
export function staleText(
  known: CacheEntry<unknown>,
  { t, timeFormat }: DataContext,
): string | undefined {
  const age = known.error === undefined ? undefined : timeFormat.relativeTo(known.at);
  return age === undefined ? undefined : t('updated {0}', age);
}
