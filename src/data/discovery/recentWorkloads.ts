import type { ControlPlaneClient } from '../../api/client';
import { day } from '../../base/clock';
import { fetchEach, fetchPages, newestPages } from '../../api/fetchPages';
import { logWindow } from '../../api/utcTime';
import type { DiscoveryIndex } from './discovery';

/**
 * Adds the workloads and servers of the records of the last day to the index.
 *
 * @returns whether every server with records was found.
 */
export function readRecentLogs(
  client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
  index: DiscoveryIndex,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<boolean> {
  const now = client.serverNow();
  let done = 0;
  return fetchEach({
    client,
    filters: logWindow(now - day, now),
    signal,
    priority: 'person',
    field: 'serverId',
    found: () => [...index.servers.keys()],
    onPage({ records }) {
      records.forEach((record) => index.record(record));
      onProgress(++done, newestPages);
    },
  });
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
  client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
  signal: AbortSignal,
): Promise<RecentWorkloads> {
  const now = client.serverNow();
  const filters = logWindow(now - day, now);
  const workloads = new Map<string, SeenItem>();
  const servers = new Map<string, SeenItem>();
  const deployments = new Map<string, SeenItem>();
  await fetchPages({
    client,
    start: { filters, direction: 'older' },
    target: mostRecords,
    maxPages: mostPages,
    signal,
    priority: 'person',
    onPage({ records }) {
      for (const { workloadId, workloadName, serverId, deploymentId, timestamp } of records) {
        note(workloads, { id: workloadId, name: workloadName, lastSeen: timestamp });
        note(servers, { id: serverId, name: undefined, lastSeen: timestamp });
        if (deploymentId === null) continue;
        note(deployments, { id: deploymentId, name: workloadName, lastSeen: timestamp });
      }
    },
  });
  return {
    workloads: newestFirst(workloads),
    servers: newestFirst(servers),
    deployments: newestFirst(deployments),
  };
}

/** Keeps the newest time that an item was seen. */
function note(items: Map<string, SeenItem>, item: SeenItem): void {
  const known = items.get(item.id);
  if (known === undefined || known.lastSeen < item.lastSeen) items.set(item.id, item);
}

function newestFirst(items: ReadonlyMap<string, SeenItem>): readonly SeenItem[] {
  return [...items.values()].sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
}
