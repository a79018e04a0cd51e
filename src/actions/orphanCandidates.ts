import type { ControlPlaneClient } from '../api/client';
import { type Clock, day } from '../api/clock';
import { type FetchedPages, fetchNewest } from '../api/fetchPages';
import type { LogQueryFilters, LogRecord } from '../api/types';
import type { ResourceKey } from '../inventory/resourceKeys';
import { nameOfResource } from '../inventory/sources/resourceNodes';
import type { TreeContext } from '../inventory/tree/nodes';

/** A workload name of the logs that nothing known carries: a guess, no more. */
export interface OrphanCandidate {
  readonly name: string;
  /** The newest record of that name: ISO UTC. */
  readonly lastSeen: string;
}

export interface OrphanCandidates {
  /** Seen last first. */
  readonly candidates: readonly OrphanCandidate[];
  /** Whether all records of the time were looked at, or every workload of them was met. */
  readonly isWhole: boolean;
}

/** What is known to be wanted: whatever carries one of these names is no orphan. */
export interface KnownWorkloads {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  /** Ids, in lower case, of what came without a name: nothing can be said of theirs. */
  readonly nameless: ReadonlySet<string>;
  /** The topics without an answer: what they would have named may be taken for an orphan. */
  readonly unseen: readonly ResourceKey[];
}

export interface OrphanSearch {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly serverId: string;
  readonly known: Pick<KnownWorkloads, 'names' | 'nameless'>;
}

const week = 7 * day;
/** Pages of the newest records. */
const maxPages = 6;
/** Further pages, each of workloads that none before has shown. */
const maxSearches = 4;
/** As many conditions as a group takes. */
const maxConditions = 8;

/** What has to be looked at to tell a wanted workload of a server from an orphan. */
export function orphanTopics({ sources }: TreeContext, serverId: string): readonly ResourceKey[] {
  return [
    { kind: 'alerts', serverId },
    ...sources().map(({ id }) => ({ kind: 'resources', sourceId: id }) as const),
  ];
}

/** What the store knows to be wanted: workloads of the server, and resources of all known sources. */
export function knownWorkloads(context: TreeContext, serverId: string): KnownWorkloads {
  const { store } = context;
  const names = new Set<string>();
  const nameless = new Set<string>();
  const note = (id: string | undefined, given: readonly (string | undefined)[]): void => {
    const known = given.filter((name) => name !== undefined);
    known.forEach((name) => names.add(name.toLowerCase()));
    if (known.length === 0 && id !== undefined) nameless.add(id.toLowerCase());
  };
  const topics = orphanTopics(context, serverId);
  for (const topic of topics) {
    if (topic.kind === 'alerts') {
      store.alerts(topic.serverId).value?.workloads?.forEach(({ id, name }) => note(id, [name]));
    } else if (topic.kind === 'resources') {
      store.resources(topic.sourceId).value?.resources?.forEach((one) => {
        const { id, config, runtimeState } = one;
        const { observedContainerName, ingressContainerName } = runtimeState ?? {};
        note(id, [nameOfResource(one), config?.name]);
        // A container of something that is wanted is no orphan, whatever the thing is called.
        for (const name of [observedContainerName, ingressContainerName]) {
          if (name !== undefined) names.add(name.toLowerCase());
        }
      });
    }
  }
  const unseen = topics.filter((topic) => store.entry(topic).value === undefined);
  return { names, nameless, unseen };
}

/**
 * Names that logged on a server in the last seven days and that nothing known carries. Where there are
 * more records than are read, it asks for those of other workloads than were seen, since what is long
 * gone is drowned by what runs.
 *
 * @throws ApiError, or the signal's reason.
 */
export async function findOrphanCandidates(search: OrphanSearch): Promise<OrphanCandidates> {
  const { client, clock, signal, known } = search;
  const now = clock.now();
  const filters = {
    from: new Date(now - week).toISOString(),
    to: new Date(now).toISOString(),
    serverIds: [search.serverId],
  };
  const workloads = new Map<string, number>();
  const lastSeen = new Map<string, string>();

  function note(records: readonly LogRecord[]): void {
    for (const { workloadId, workloadName, timestamp } of records) {
      workloads.set(workloadId, (workloads.get(workloadId) ?? 0) + 1);
      const name = workloadName.trim();
      if (name === '' || isKnown(known, workloadId, name)) continue;
      const before = lastSeen.get(name);
      if (before === undefined || before < timestamp) lastSeen.set(name, timestamp);
    }
  }

  const read = (asked: LogQueryFilters, pages: number): Promise<FetchedPages> =>
    fetchNewest({
      client,
      filters: asked,
      maxPages: pages,
      signal,
      onPage: ({ records }) => note(records),
    });

  async function readAll(): Promise<boolean> {
    const newest = await read(filters, maxPages);
    if (newest.end === 'end') return true;
    for (let round = 0; round < maxSearches; round++) {
      // Those that log most hide the others most.
      const loud = [...workloads].sort(([, one], [, other]) => other - one).slice(0, maxConditions);
      const conditions = loud.map(([value]) => ({
        field: 'workloadId',
        operator: 'not_equals' as const,
        value,
      }));
      const met = workloads.size;
      const conditionGroup = { match: 'and' as const, conditions };
      const { end } = await read({ ...filters, conditionGroup }, 1);
      if (end === 'end') return true;
      if (workloads.size === met) return false;
    }
    return false;
  }

  const isWhole = await readAll();
  const candidates = [...lastSeen].map(([name, seen]) => ({ name, lastSeen: seen }));
  candidates.sort((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1));
  return { candidates, isWhole };
}

function isKnown({ names, nameless }: OrphanSearch['known'], id: string, name: string): boolean {
  return names.has(name.toLowerCase()) || nameless.has(id.toLowerCase());
}
