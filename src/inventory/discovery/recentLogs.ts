import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import { fetchNewest, type FetchedPages } from '../../api/fetchPages';
import type { LogQueryFilters } from '../../api/types';
import { day } from '../../api/units';
import type { Finds } from './discoveryIndex';

export interface RecentLogsOptions {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Pages of the newest records. */
const maxPages = 6;
/** Further requests, each for servers that none before has shown. */
const maxSearches = 4;
/** As many conditions as a group takes. */
const maxConditions = 8;

/**
 * Notes who has logged in the last day. Where there are more records than are read, it asks for those
 * of other servers than the ones that were seen, so that a chatty server does not hide a quiet one.
 *
 * @returns whether every server that has logged was seen.
 */
export async function readRecentLogs(
  { client, clock, signal }: RecentLogsOptions,
  finds: Finds,
  onProgress: (done: number, total: number) => void,
): Promise<boolean> {
  const now = clock.now();
  const filters = { from: new Date(now - day).toISOString(), to: new Date(now).toISOString() };
  let done = 0;

  const read = (asked: LogQueryFilters, pages: number): Promise<FetchedPages> =>
    fetchNewest({
      client,
      filters: asked,
      maxPages: pages,
      signal,
      onPage({ records }) {
        records.forEach((record) => finds.record(record));
        onProgress(++done, maxPages);
      },
    });

  const { end } = await read(filters, maxPages);
  if (end === 'end') return true;
  for (let search = 0; search < maxSearches; search++) {
    const seen = [...finds.servers.keys()];
    if (seen.length === 0 || seen.length > maxConditions) return false;
    const conditions = seen.map((value) => ({
      field: 'serverId',
      operator: 'not_equals' as const,
      value,
    }));
    const conditionGroup = { match: 'and' as const, conditions };
    const { records } = await read({ ...filters, conditionGroup }, 1);
    if (records.length === 0) return true;
  }
  return false;
}
