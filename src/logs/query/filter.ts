import { isObject } from '../../base/json';
import type { LogQueryFilters, LogTailFilters } from '../../api/types';
import { validateLogQuery } from '../../api/validateRequest';

/** All filters of a log query except the range. Plain JSON. */
export type LogFilter = Omit<LogQueryFilters, 'from' | 'to'>;

/** The filters of a log query over a range (ISO UTC with `Z`). */
export function queryFilters(filter: LogFilter, from: string, to: string): LogQueryFilters {
  return { ...filter, from, to };
}

/** The filters that a stream accepts. The client applies `stream` and `conditionGroup`. */
export function tailFilters(filter: LogFilter, from: string, to: string): LogTailFilters {
  const { stream, conditionGroup, ...rest } = filter;
  return { ...rest, from, to };
}

/** The most workloads that a filter can name. */
export const mostWorkloads = 50;

/** A filter for workloads: for all without any, and if there are more than it can name. */
export function workloadFilter(ids: readonly string[]): Pick<LogFilter, 'workloadIds'> {
  return ids.length === 0 || ids.length > mostWorkloads ? {} : { workloadIds: [...ids] };
}

/**
 * Validates an untrusted filter, such as the argument of a command.
 *
 * @throws InvalidRequestError if the contract does not allow it.
 */
export function asLogFilter(value: unknown): LogFilter {
  const instant = '2000-01-01T00:00:00Z';
  const members: object = isObject(value) ? value : { filter: value };
  const request: unknown = { filters: { ...members, from: instant, to: instant } };
  validateLogQuery(request);
  const { from, to, ...filter } = request.filters;
  return filter;
}
