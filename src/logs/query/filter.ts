import { isObject } from '../../api/lenient';
import type { LogQueryFilters, LogTailFilters } from '../../api/types';
import { validateLogQuery } from '../../api/validateRequest';

/** What is asked of the logs, without the range of time: all filters of the query. Plain JSON. */
export type LogFilter = Omit<LogQueryFilters, 'from' | 'to'>;

/** The filters of the query over a range of time (ISO UTC with `Z`). */
export function queryFilters(filter: LogFilter, from: string, to: string): LogQueryFilters {
  return { ...filter, from, to };
}

/** What the stream takes of them: `stream` and `conditionGroup` are left to the client. */
export function tailFilters(filter: LogFilter, from: string, to: string): LogTailFilters {
  const { stream, conditionGroup, ...rest } = filter;
  return { ...rest, from, to };
}

/**
 * A filter from outside, such as the argument of a command.
 *
 * @throws InvalidRequestError where the contract does not allow it.
 */
export function asLogFilter(value: unknown): LogFilter {
  const instant = '2000-01-01T00:00:00Z';
  const members: object = isObject(value) ? value : { filter: value };
  const request: unknown = { filters: { ...members, from: instant, to: instant } };
  validateLogQuery(request);
  const { from, to, ...filter } = request.filters;
  return filter;
}
