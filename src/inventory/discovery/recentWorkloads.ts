import { logWindow } from '../../api/utcTime';
import type { ControlPlaneClient } from '../../api/client';
import { type Clock, day } from '../../api/clock';
import { type FetchedPages, fetchNewest, fetchPages } from '../../api/fetchPages';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import type { DiscoveryIndex } from './discoveryIndex';

interface RecentLogsOptions {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How many pages of the newest records are read. */
const maxPages = 6;
/** How many more requests exclude the servers found so far. */
const maxSearches = 4;
/** The most conditions in a group. */
const maxConditions = 8;

/**
 * Adds the workloads and servers of the records of the last day to the index. If there are more records
 * than are read, it queries again without the servers found so far, so that a busy server does not hide a
 * quiet one.
 *
 * @returns whether every server with records was found.
 */
export async function readRecentLogs(
  { client, clock, signal }: RecentLogsOptions,
  index: DiscoveryIndex,
  onProgress: (done: number, total: number) => void,
): Promise<boolean> {
  const now = clock.now();
  const filters = logWindow(now - day, now);
  let done = 0;

  const read = (asked: LogQueryFilters, pages: number): Promise<FetchedPages> =>
    fetchNewest({
      client,
      filters: asked,
      maxPages: pages,
      signal,
      onPage({ records }) {
        records.forEach((record) => index.record(record));
        onProgress(++done, maxPages);
      },
    });

  const { end } = await read(filters, maxPages);
  if (end === 'end') return true;
  for (let search = 0; search < maxSearches; search++) {
    const seen = [...index.servers.keys()];
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

/** An object that log records name. */
export interface SeenItem {
  readonly id: string;
  /** Its name in the records; undefined if they have only the id. */
  readonly name: string | undefined;
  /** ISO UTC. */
  readonly lastSeen: string;
}

export interface RecentWorkloads {
  /** Newest first, each. */
  readonly workloads: readonly SeenItem[];
  readonly servers: readonly SeenItem[];
  readonly deployments: readonly SeenItem[];
}

/** Enough to find every workload that logs often. */
const mostRecords = 2000;
const mostPages = 4;

/** The workloads, servers and deployments of the newest records of the last day. */
export async function recentWorkloads(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<RecentWorkloads> {
  const now = clock.now();
  const filters = logWindow(now - day, now);
  const seen = { workloads: newest(), servers: newest(), deployments: newest() };
  await fetchPages({
    client,
    start: { filters, direction: 'older' },
    target: mostRecords,
    maxPages: mostPages,
    signal,
    onPage: ({ records }) => records.forEach((record) => note(seen, record)),
  });
  return {
    workloads: seen.workloads.all(),
    servers: seen.servers.all(),
    deployments: seen.deployments.all(),
  };
}

function note(
  seen: Record<keyof RecentWorkloads, ReturnType<typeof newest>>,
  record: LogRecord,
): void {
  const { workloadId, workloadName, serverId, deploymentId, timestamp } = record;
  seen.workloads.add({ id: workloadId, name: workloadName, lastSeen: timestamp });
  seen.servers.add({ id: serverId, name: undefined, lastSeen: timestamp });
  if (deploymentId !== null) {
    seen.deployments.add({ id: deploymentId, name: workloadName, lastSeen: timestamp });
  }
}

/** Items by id, each with the newest time it was seen. */
function newest(): { add(item: SeenItem): void; all(): SeenItem[] } {
  const items = new Map<string, SeenItem>();
  return {
    add(item) {
      const known = items.get(item.id);
      if (known === undefined || known.lastSeen < item.lastSeen) items.set(item.id, item);
    },
    all: () => [...items.values()].sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1)),
  };
}
