import type { LogQueryRequest, LogRecord } from './types';
import { compareTimestamps } from './compareTimestamps';

/** Which way a search goes on through the logs. */
export type Direction = NonNullable<LogQueryRequest['direction']>;

/**
 * The records of a page, oldest first, whichever way round the server sends them; records of one
 * instant are taken to run the way that the contract is read. Their order is that of the server.
 */
export function oldestFirst(
  records: readonly LogRecord[],
  direction: Direction,
): readonly LogRecord[] {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return records;
  const order = compareTimestamps(first.timestamp, last.timestamp);
  const runsBack = direction === 'older' ? !(order < 0) : order > 0;
  return runsBack ? [...records].reverse() : records;
}
