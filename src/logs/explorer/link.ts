import { maxQueryLength } from '../query/parser';

/** The path of links that open a search. */
const searchPath = '/logs';

const parameter = 'q=';

/** What a link to a search has behind its authority: a query, and never a base URL or a key. */
export function linkTo(query: string): string {
  // A URL cannot hold half a character.
  const text = query.replace(/\p{Surrogate}/gu, '\ufffd');
  return `${searchPath}?${parameter}${encodeURIComponent(text)}`;
}

/**
 * The query of a link that came from anywhere; undefined where it is none. There is one parameter, to
 * the end: VS Code hands out what is behind the question mark decoded, so that nobody could tell an
 * `&` of the query from one behind it.
 *
 * @param query decoded, without the question mark.
 */
export function queryOfLink(path: string, query: string): string | undefined {
  if (path !== searchPath || !query.startsWith(parameter)) return undefined;
  const text = query.slice(parameter.length);
  return text.length <= maxQueryLength ? text : undefined;
}
