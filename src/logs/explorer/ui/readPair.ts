import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { parseSearch } from '../../query/searchQuery';
import { queryNames } from '../../query/ui/readSearch';
import { type ComparedPair, type ComparedSearch, fixedSearch } from '../comparedSides';

/** The comparison of two queries; undefined if one of them is not valid, or names what is not known. */
export function readPair(
  session: Session,
  names: Names,
  queries: { readonly now: string; readonly before: string },
): ComparedPair | undefined {
  const { when, resolve } = queryNames(session, names);
  const read = (query: string): ComparedSearch | undefined => {
    const result = parseSearch(query, when, resolve);
    const isKnown = result.ok && result.unresolved.length === 0;
    return isKnown ? fixedSearch(result.query, when) : undefined;
  };
  const [now, before] = [read(queries.now), read(queries.before)];
  return now && before && { now, before };
}
