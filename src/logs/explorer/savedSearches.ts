import * as v from 'valibot';
import { listOf, maybe, readStored } from '../../base/storedValue';
import type { LogFilter } from '../query/fields';
import { maxQueryLength, parseQuery } from '../query/parser';

/** A saved search, as stored in settings. Plain JSON. */
export interface SavedSearch {
  readonly name: string;
  /** In the query language, with its range. */
  readonly query: string;
  /** The origin of the control plane whose ids are in the query, if there are any. */
  readonly origin?: string | undefined;
}

/** In UTF-16 units. */
export const longestSearchName = 100;
/** More in a file of settings are not read. */
export const maxSearches = 200;

const storedSearches = listOf(
  v.object({
    name: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(),
      v.transform((name) => name.slice(0, longestSearchName)),
    ),
    query: v.pipe(v.string(), v.maxLength(maxQueryLength)),
    origin: maybe(v.string()),
  }),
);

/**
 * Reads saved searches from settings, which may contain anything. Skips entries without a name or query,
 * and further entries with the same name.
 */
export function readSavedSearches(value: unknown): readonly SavedSearch[] {
  const searches = new Map<string, SavedSearch>();
  for (const search of readStored(storedSearches, value) ?? []) {
    if (searches.has(search.name)) continue;
    searches.set(search.name, search);
    if (searches.size >= maxSearches) break;
  }
  return [...searches.values()];
}

/**
 * Adds a search, or replaces the one with its name. If its query contains ids, the origin is saved too.
 */
export function withSavedSearch(
  searches: readonly SavedSearch[],
  { name, query }: SavedSearch,
  origin: string,
): readonly SavedSearch[] {
  const saved = { name, query, ...(hasIds(query) ? { origin } : {}) };
  const isThere = searches.some((one) => one.name === name);
  return isThere ? searches.map((one) => (one.name === name ? saved : one)) : [...searches, saved];
}

/** Whether a search with this name can be saved: it is there already, or there is room. */
export function hasRoomFor(searches: readonly SavedSearch[], name: string): boolean {
  return searches.length < maxSearches || searches.some((one) => one.name === name);
}

/** Removes the search with this name. */
export function withoutSearch(
  searches: readonly SavedSearch[],
  name: string,
): readonly SavedSearch[] {
  return searches.filter((one) => one.name !== name);
}

/** Renames a search, which keeps its position. */
export function withRenamedSearch(
  searches: readonly SavedSearch[],
  name: string,
  newName: string,
): readonly SavedSearch[] {
  return searches
    .filter((one) => one.name === name || one.name !== newName)
    .map((one) => (one.name === name ? { ...one, name: newName } : one));
}

/** Whether a search can run on a control plane: not with ids of another one. */
export function canRun({ query, origin }: SavedSearch, at: string): boolean {
  return origin === undefined || origin === at || !hasIds(query);
}

const idMembers = [
  ...(['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'] as const),
  ...(['containerIds', 'traceId'] as const),
] satisfies readonly (keyof LogFilter)[];

/** Whether a query contains ids, which have no meaning on another control plane. */
export function hasIds(query: string): boolean {
  const result = parseQuery(query);
  if (!result.ok) return false;
  const { filter } = result;
  return (
    idMembers.some((member) => (filter[member]?.length ?? 0) > 0) ||
    (filter.conditionGroup?.conditions ?? []).some(
      ({ field, value }) => field.endsWith('Id') && !field.startsWith('attribute:') && value !== '',
    )
  );
}

/** The path of links that open a search. */
const searchPath = '/logs';

/** The path of links that open a comparison. */
const comparisonPath = '/compare';

const parameter = 'q=';

/** The path and query string of a link to a search. Never contains a base URL or a key. */
export function linkTo(query: string): string {
  return linkedText(searchPath, query);
}

interface ComparedQueries {
  readonly now: string;
  readonly before: string;
}

/** The same for a comparison. Queries have one line. */
export function linkToComparison({ now, before }: ComparedQueries): string {
  return linkedText(comparisonPath, `${now}\n${before}`);
}

/** The path and query string of a link with a text. */
export function linkedText(path: string, text: string): string {
  // URLs cannot contain half of a surrogate pair.
  return `${path}?${parameter}${encodeURIComponent(text.toWellFormed())}`;
}

/**
 * The text of an untrusted link. VS Code decodes the query string, which makes an `&` in the text ambiguous, so there
 * is only one parameter.
 *
 * @param query the decoded query string without the question mark.
 */
export function textOfLink(query: string): string | undefined {
  return query.startsWith(parameter) ? query.slice(parameter.length) : undefined;
}

/** The query of an untrusted link; undefined if it is not a link to a search. */
export function queryOfLink(path: string, query: string): string | undefined {
  const text = path === searchPath ? textOfLink(query) : undefined;
  return text !== undefined && text.length <= maxQueryLength ? text : undefined;
}

/** The queries of an untrusted link; undefined if it is not a link to a comparison. */
export function comparisonOfLink(path: string, query: string): ComparedQueries | undefined {
  const text = path === comparisonPath ? textOfLink(query) : undefined;
  const [now, before, ...more] = (text ?? '').split('\n');
  if (now === undefined || before === undefined || more.length > 0) return undefined;
  return Math.max(now.length, before.length) <= maxQueryLength ? { now, before } : undefined;
}
