import type { LogQueryFilters, LogTailFilters } from '../api/types';

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
