import { maxQueryLength } from '../query/parser';

/** The path of links that open a search. */
const searchPath = '/logs';

/** The path of links that open a comparison. */
const comparisonPath = '/compare';

const parameter = 'q=';

/** The path and query string of a link to a search. Never contains a base URL or a key. */
export function linkTo(query: string): string {
  return `${searchPath}?${parameter}${encoded(query)}`;
}

/** The two queries of a comparison. */
interface ComparedQueries {
  readonly now: string;
  readonly before: string;
}

/** The same for a comparison. Queries have one line. */
export function linkToComparison({ now, before }: ComparedQueries): string {
  return `${comparisonPath}?${parameter}${encoded(`${now}\n${before}`)}`;
}

function encoded(query: string): string {
  // URLs cannot contain half of a surrogate pair.
  return encodeURIComponent(query.replace(/\p{Surrogate}/gu, '\ufffd'));
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

/** The queries of an untrusted link; undefined if it is not a link to a comparison. */
export function comparisonOfLink(path: string, query: string): ComparedQueries | undefined {
  if (path !== comparisonPath || !query.startsWith(parameter)) return undefined;
  const [now, before, ...more] = query.slice(parameter.length).split('\n');
  if (now === undefined || before === undefined || more.length > 0) return undefined;
  return Math.max(now.length, before.length) <= maxQueryLength ? { now, before } : undefined;
}
