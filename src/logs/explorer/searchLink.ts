import { maxQueryLength } from '../query/parser';

/** The path of links that open a search. */
const searchPath = '/logs';

const parameter = 'q=';

/** The path and query string of a link to a search. Never contains a base URL or a key. */
export function linkTo(query: string): string {
  // URLs cannot contain half of a surrogate pair.
  const text = query.replace(/\p{Surrogate}/gu, '\ufffd');
  return `${searchPath}?${parameter}${encodeURIComponent(text)}`;
}

/**
 * The query of an untrusted link; undefined if it is not a link to a search. VS Code decodes the query
 * string, which makes an `&` in the query ambiguous, so there is only one parameter.
 *
 * @param query the decoded query string without the question mark.
 */
export function queryOfLink(path: string, query: string): string | undefined {
  if (path !== searchPath || !query.startsWith(parameter)) return undefined;
  const text = query.slice(parameter.length);
  return text.length <= maxQueryLength ? text : undefined;
}
