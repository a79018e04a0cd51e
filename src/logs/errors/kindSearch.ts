import type { LogFilter } from '../query/filter';
import { isId } from '../query/fields';
import { searchSince } from '../query/searchQuery';
import { searchTextOf } from '../explorer/patterns';
import { timeOf } from '../../text/timeFormat';
import type { ErrorKind } from './errorKind';

/** The most workloads that a query can name. */
const mostWorkloads = 50;

/**
 * A query for the records of a kind, since the first that is known: errors of its workloads with the longest
 * constant part of its message. The API searches for one text, so other errors with that text are found, too.
 */
export function searchForKind({ template, workloads, first, last }: ErrorKind): string {
  const workloadIds = workloads.map(({ id }) => id).filter(isId);
  const search = searchTextOf(template, last);
  const filter: LogFilter = {
    severities: ['error', 'fatal'],
    ...(workloadIds.length === 0 || workloadIds.length > mostWorkloads ? {} : { workloadIds }),
    ...(search === undefined ? {} : { search }),
  };
  return searchSince(filter, timeOf(first.timestamp));
}
