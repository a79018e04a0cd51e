import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import { fetchPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { day } from '../../api/units';

/** Something that log records name. */
export interface SeenItem {
  readonly id: string;
  /** The name that records give it; absent where they give only the id. */
  readonly name: string | undefined;
  /** ISO UTC. */
  readonly lastSeen: string;
}

export interface SeenLately {
  /** Newest first, each. */
  readonly workloads: readonly SeenItem[];
  readonly servers: readonly SeenItem[];
  readonly deployments: readonly SeenItem[];
}

/** Enough to meet every workload that logs at all often, in at most so many pages. */
const mostRecords = 2000;
const maxPages = 4;

/** Who has logged lately: the workloads, servers and deployments of recent records of the last day. */
export async function seenLately(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<SeenLately> {
  const now = clock.now();
  const filters = { from: new Date(now - day).toISOString(), to: new Date(now).toISOString() };
  const seen = { workloads: newest(), servers: newest(), deployments: newest() };
  await fetchPages({
    client,
    start: { filters, direction: 'older' },
    target: mostRecords,
    maxPages,
    signal,
    onPage: ({ records }) => records.forEach((record) => note(seen, record)),
  });
  return {
    workloads: seen.workloads.all(),
    servers: seen.servers.all(),
    deployments: seen.deployments.all(),
  };
}

function note(seen: Record<keyof SeenLately, ReturnType<typeof newest>>, record: LogRecord): void {
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
