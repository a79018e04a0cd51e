import type { ControlPlaneClient } from '../api/client';
import { fetchEach } from '../api/fetchPages';
import type { LogRecord, Resource } from '../api/types';
import { logWindow } from '../api/utcTime';
import { orphanKindForm } from '../api/validateRequest';
import { day } from '../base/clock';
import { getOrMake } from '../base/maps';
import { dotted } from '../base/textFormat';
import { nameOfResource, type DataContext } from '../data/labels';
import type { CacheKey } from '../data/store';
import type { Target } from '../data/targets';

/** A name that may be an orphan: of the server's list, or in the logs and of no known workload or resource. */
export interface OrphanCandidate {
  readonly name: string;
  /** The time of the newest record with that name, ISO UTC. */
  readonly lastSeen?: string;
  /** What the server says of those with this name. Untrusted. */
  readonly listed?: string;
}

export interface OrphanCandidates {
  /** The last seen first. */
  readonly candidates: readonly OrphanCandidate[];
  /** Whether all records of the time range were read, or at least one of each workload. */
  readonly isWhole: boolean;
  /** Whether the control plane lists them as orphans. */
  readonly isListed?: true;
}

/** An orphan that a server lists. */
export type ListedOrphan = Readonly<Record<'name' | 'kind', string>> & {
  readonly reason: string | undefined;
};

/**
 * The orphans that a server lists; undefined if it does not describe that it does.
 *
 * @throws ApiError, or the signal's reason.
 */
export async function listedOrphans(
  client: Pick<ControlPlaneClient, 'listOrphans'>,
  serverId: string,
  signal: AbortSignal,
): Promise<readonly ListedOrphan[] | undefined> {
  const answer = await client.listOrphans({ serverId }, { signal, priority: 'person' });
  return answer?.orphans?.flatMap(({ kind, name, reason }) => {
    const isValid = kind !== undefined && orphanKindForm.test(kind) && name !== undefined;
    return isValid ? [{ kind, name, reason }] : [];
  });
}

/** One candidate for each name, with what the server says of it. */
export function candidatesOf(orphans: readonly ListedOrphan[]): OrphanCandidates {
  const texts = new Map<string, string[]>();
  for (const { name, kind, reason } of orphans) {
    getOrMake(texts, name, () => []).push(dotted([kind, reason]));
  }
  const candidates = [...texts].map(([name, all]) => ({ name, listed: all.join(', ') }));
  return { candidates, isWhole: true, isListed: true };
}

/** The known workloads and resources. An item with one of these names is not an orphan. */
interface KnownWorkloads {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  /** Ids, in lower case, of those without a name. Their workloads are not orphans either. */
  readonly nameless: ReadonlySet<string>;
  /** The keys that are not loaded: their names are missing and would count as orphans. */
  readonly missing: readonly CacheKey[];
}

interface OrphanSearch {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>;
  readonly signal: AbortSignal;
  readonly serverId: string;
  readonly known: Pick<KnownWorkloads, 'names' | 'nameless'>;
}

const week = 7 * day;
/** The store keys that are needed to tell a known workload of a server from an orphan. */
export function orphanKeys({ sources }: DataContext, serverId: string): readonly CacheKey[] {
  return [
    { kind: 'alerts', id: serverId },
    ...sources().map(({ id }) => ({ kind: 'resources', id }) as const),
  ];
}

/** The workloads of the server and the resources of all sources that the store knows. */
export function knownWorkloads(context: DataContext, serverId: string): KnownWorkloads {
  const { store } = context;
  const names = new Set<string>();
  const nameless = new Set<string>();
  const remember = (id: string | undefined, given: readonly (string | undefined)[]): void => {
    const known = given.filter((name) => name !== undefined);
    known.forEach((name) => names.add(name.toLowerCase()));
    if (known.length === 0 && id !== undefined) nameless.add(id.toLowerCase());
  };
  for (const { id, name } of store.read('alerts', serverId).value?.workloads ?? []) {
    remember(id, [name]);
  }
  for (const source of context.sources()) {
    for (const resource of store.read('resources', source.id).value?.resources ?? []) {
      const { id, config, runtimeState } = resource;
      const { observedContainerName, ingressContainerName } = runtimeState ?? {};
      remember(id, [nameOfResource(resource), config?.name]);
      // The container of a known resource is not an orphan, even if its name differs.
      for (const name of [observedContainerName, ingressContainerName]) {
        if (name !== undefined) names.add(name.toLowerCase());
      }
    }
  }
  const missing = orphanKeys(context, serverId).filter(
    (key) => store.entry(key).value === undefined,
  );
  return { names, nameless, missing };
}

/** An item that is no orphan, as far as is known. */
export interface KnownItem {
  readonly name: string;
  /** The source that deploys it; undefined if it only runs on the server. */
  readonly source: Target | undefined;
}

/** Which of the items of a clean-up are what is deployed or runs, in their order. */
export function knownItems(
  context: DataContext,
  serverId: string,
  items: readonly string[],
): readonly KnownItem[] {
  const { store } = context;
  const known = new Map<string, Target | undefined>();
  for (const { name } of store.read('alerts', serverId).value?.workloads ?? []) {
    if (name !== undefined) known.set(name.toLowerCase(), undefined);
  }
  for (const source of context.sources()) {
    const { resources = [] } = store.read('resources', source.id).value ?? {};
    for (const name of resources.flatMap(namesOf)) known.set(name.toLowerCase(), source);
  }
  return items.flatMap((name) => {
    const key = name.toLowerCase();
    return known.has(key) ? [{ name, source: known.get(key) }] : [];
  });
}

/** The names of a resource and of its containers, which differ from it. */
function namesOf(resource: Resource): string[] {
  const { config, runtimeState } = resource;
  const { observedContainerName, ingressContainerName } = runtimeState ?? {};
  return [
    nameOfResource(resource),
    config?.name,
    observedContainerName,
    ingressContainerName,
  ].filter((name) => name !== undefined);
}

/**
 * Finds workload names in the logs of a server of the last seven days that are not known. Running workloads
 * write far more records than removed ones, so those with most of them are left out of further searches.
 *
 * @throws ApiError, or the signal's reason.
 */
export async function findOrphanCandidates(search: OrphanSearch): Promise<OrphanCandidates> {
  const { client, signal, known } = search;
  const now = client.serverNow();
  const filters = { ...logWindow(now - week, now), serverIds: [search.serverId] };
  const workloads = new Map<string, number>();
  const lastSeen = new Map<string, string>();

  function remember(records: readonly LogRecord[]): void {
    for (const { workloadId, workloadName, timestamp } of records) {
      workloads.set(workloadId, (workloads.get(workloadId) ?? 0) + 1);
      const name = workloadName.trim();
      if (name === '' || isKnown(known, workloadId, name)) continue;
      const before = lastSeen.get(name);
      if (before === undefined || before < timestamp) lastSeen.set(name, timestamp);
    }
  }

  const isWhole = await fetchEach({
    client,
    filters,
    signal,
    priority: 'person',
    field: 'workloadId',
    found: () => [...workloads].sort(([, a], [, b]) => b - a).map(([id]) => id),
    onPage: ({ records }) => remember(records),
  });
  const candidates = [...lastSeen].map(([name, seen]) => ({ name, lastSeen: seen }));
  candidates.sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
  return { candidates, isWhole };
}

function isKnown({ names, nameless }: OrphanSearch['known'], id: string, name: string): boolean {
  return names.has(name.toLowerCase()) || nameless.has(id.toLowerCase());
}
