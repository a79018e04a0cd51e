import { timeOf } from '../../text/timeFormat';
import { searchSince } from '../query/searchQuery';
import type { ErrorKind } from './errorKind';
import { filterOfKind } from './errorQueries';

/** A query for the records of a kind, since the first that is known. */
export function searchForKind(kind: ErrorKind): string {
  return searchSince(filterOfKind(kind), timeOf(kind.first.timestamp));
}
