import { maxQueryLength } from '../query/language';

/** The path of links that open a search. */
export const searchPath = '/logs';

/** What a link to a search has behind its authority: a query, and never a base URL or a key. */
export function linkTo(query: string): string {
  // A URL cannot hold half a character.
  return `${searchPath}?q=${encodeURIComponent(query.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}

/**
 * The query of a link that came from anywhere; undefined where it is none. Nothing else in it is
 * looked at.
 *
 * @param query still encoded, without the question mark.
 */
export function queryOfLink(path: string, query: string): string | undefined {
  if (path !== searchPath || query.length > 3 * maxQueryLength) return undefined;
  const found = new URLSearchParams(query).getAll('q');
  const [text] = found;
  return found.length === 1 && text !== undefined && text.length <= maxQueryLength
    ? text
    : undefined;
}
