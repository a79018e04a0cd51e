import type { ControlPlaneClient } from '../../api/client';
import { fetchEach, fetchPages, newestPages } from '../../api/fetchPages';
import { operations } from '../../api/generated/operations';
import type { Permission, Deployment, LogRecord, Resource } from '../../api/types';
import { logWindow } from '../../api/utcTime';
import { day } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { compareNames, isBlank } from '../../base/textFormat';
import { inParallel, isRefusal } from '../store';
import { type Target, isUuid } from '../targets';

/** Requests of a discovery that failed. */
export interface Unseen {
  readonly step: FoundBy;
  readonly permission: Permission;
  /** How many requests failed for this reason. */
  readonly count: number;
  /**
   * `missing`: the API key lacks the permission; `refused`: these were refused, others were allowed;
   * `failed`: another error.
   */
  readonly why: 'missing' | 'refused' | 'failed';
  /** The last one. */
  readonly error: unknown;
}

export interface Discovery {
  readonly sources: readonly FoundTarget[];
  readonly servers: readonly FoundTarget[];
  readonly workloads: number;
  readonly unseen: readonly Unseen[];
  /** Steps that reached a limit, so that there may be more to find. */
  readonly cut: readonly FoundBy[];
}

export interface DiscoveryProgress {
  readonly step: FoundBy;
  readonly done: number;
  /** How many requests this step has so far. */
  readonly total: number;
  readonly sources: number;
  readonly servers: number;
}

type DiscoveryClient = Pick<
  ControlPlaneClient,
  'queryLogs' | 'serverNow' | 'listAlertRules' | 'listResources' | 'listDeployments'
>;

const permissions = {
  logs: operations.queryLogs.permission,
  alerts: operations.listAlertRules.permission,
  resources: operations.listResources.permission,
  deployments: operations.listDeployments.permission,
} as const satisfies Record<FoundBy, Permission>;

/** The most requests of each step but the first, in all rounds together. */
const maxRequests = 100;
const atOnce = 2;
/** Each round uses what the round before found. */
const maxRounds = 4;
/** After so many refusals and no answer, the API key is taken to lack the permission. */
const refusalsThatSay = 3;

/**
 * Finds servers and sources, although the API lists neither: the answers of each step name the objects for
 * the next one. If a step fails, the others continue. Rejects only with the signal's reason.
 *
 * @param known to start from, in case the API key may not read logs.
 */
export async function discover(
  client: DiscoveryClient,
  known: { readonly sources: readonly Target[]; readonly servers: readonly Target[] },
  signal: AbortSignal,
  onProgress?: (progress: DiscoveryProgress) => void,
): Promise<Discovery> {
  const search = new DiscoverySearch(client, signal, onProgress);
  known.servers.forEach(({ id }) => search.index.server(id));
  known.sources.forEach(({ id }) => search.index.source(id));
  await search.run();
  signal.throwIfAborted();
  return search.result;
}

/** A step that requests all new candidates. */
interface DiscoveryStep {
  readonly step: Exclude<FoundBy, 'logs'>;
  readonly candidates: () => Iterable<string>;
  readonly look: (id: string) => Promise<void>;
  readonly visited: Set<string>;
  refusals: number;
  answers: number;
}

/** One run of all steps, and what it has found so far. */
class DiscoverySearch {
  readonly index = new DiscoveryIndex();
  private readonly unseen = new Map<string, Unseen>();
  private readonly cut = new Set<FoundBy>();
  private readonly granted = new Set<FoundBy>();

  constructor(
    private readonly client: DiscoveryClient,
    private readonly signal: AbortSignal,
    private readonly onProgress: ((progress: DiscoveryProgress) => void) | undefined,
  ) {}

  get result(): Discovery {
    const { index, unseen, cut, granted } = this;
    return {
      sources: index.foundSources(),
      servers: index.foundServers(),
      workloads: index.workloads.size,
      unseen: [...unseen.values()].map((one) =>
        one.why === 'missing' && granted.has(one.step) ? { ...one, why: 'refused' } : one,
      ),
      cut: [...cut],
    };
  }

  async run(): Promise<void> {
    try {
      const isAll = await readRecentLogs(this.client, this.index, this.signal, (done, total) =>
        this.report('logs', done, total),
      );
      if (!isAll) this.cut.add('logs');
    } catch (error) {
      this.failed('logs', error);
    }
    const steps = this.steps();
    for (let round = 0; round < maxRounds; round++) {
      let isNew = false;
      for (const step of steps) isNew = (await this.runStep(step)) || isNew;
      if (!isNew) return;
    }
  }

  private steps(): readonly DiscoveryStep[] {
    const { client, signal, index } = this;
    // Hundreds of them: what a person asks for meanwhile goes first.
    const scheduling = { signal, priority: 'awaited', retries: true } as const;
    const step = (
      name: DiscoveryStep['step'],
      candidates: DiscoveryStep['candidates'],
      look: DiscoveryStep['look'],
    ): DiscoveryStep => ({
      step: name,
      candidates,
      look,
      visited: new Set(),
      refusals: 0,
      answers: 0,
    });
    return [
      step(
        'alerts',
        () => index.servers.keys(),
        async (serverId) => {
          const { workloads = [], rules = [] } = await client.listAlertRules(
            { serverId },
            scheduling,
          );
          workloads.forEach(({ id, name, sourceId }) =>
            index.workload({ id, name, sourceId, serverId }, 'alerts'),
          );
          rules.forEach(({ deployableId }) =>
            index.workload({ id: deployableId, serverId }, 'alerts'),
          );
        },
      ),
      step(
        'resources',
        () => index.sources.keys(),
        async (sourceId) => {
          const { resources = [] } = await client.listResources({ sourceId }, scheduling);
          resources.forEach((resource) => index.resource(resource, sourceId));
        },
      ),
      step(
        'deployments',
        () => homelessFirst(index),
        async (resourceId) => {
          const { deployments = [] } = await client.listDeployments({ resourceId }, scheduling);
          deployments.forEach((deployment) => index.deployment(deployment, resourceId));
        },
      ),
    ];
  }

  /** Resolves with whether there were new candidates. */
  private async runStep(step: DiscoveryStep): Promise<boolean> {
    const { visited } = step;
    const fresh = [...step.candidates()].filter((id) => !visited.has(id));
    const ids = fresh.slice(0, maxRequests - visited.size);
    if (ids.length < fresh.length) this.cut.add(step.step);
    ids.forEach((id) => visited.add(id));
    let done = 0;
    await inParallel(ids, atOnce, async (id) => {
      this.signal.throwIfAborted();
      await this.lookAt(step, id);
      this.report(step.step, ++done, ids.length);
    });
    return ids.length > 0;
  }

  private async lookAt(step: DiscoveryStep, id: string): Promise<void> {
    try {
      if (step.answers === 0 && step.refusals >= refusalsThatSay) {
        this.failed(step.step, this.unseen.get(`${step.step} missing`)?.error);
        return;
      }
      await step.look(id);
      step.answers++;
      this.granted.add(step.step);
    } catch (error) {
      if (isRefusal(error)) step.refusals++;
      this.failed(step.step, error);
    }
  }

  private failed(step: FoundBy, error: unknown): void {
    this.signal.throwIfAborted();
    const why = isRefusal(error) ? 'missing' : 'failed';
    const key = `${step} ${why}`;
    const count = (this.unseen.get(key)?.count ?? 0) + 1;
    this.unseen.set(key, { step, permission: permissions[step], why, error, count });
  }

  private report(step: FoundBy, done: number, total: number): void {
    const { sources, servers } = this.index;
    this.onProgress?.({ step, done, total, sources: sources.size, servers: servers.size });
  }
}

/** All workloads, first those without a server or source, which only their deployments can name. */
function homelessFirst({ workloads }: DiscoveryIndex): string[] {
  const isKnown = ([, { serverId, sourceId }]: [
    string,
    { serverId?: string; sourceId?: string },
  ]) => serverId !== undefined && sourceId !== undefined;
  const all = [...workloads];
  return [...all.filter((one) => !isKnown(one)), ...all.filter(isKnown)].map(([id]) => id);
}

/** Where an object was found. */
export type FoundBy = 'logs' | 'alerts' | 'resources' | 'deployments';

export interface FoundTarget {
  /** In lower case. */
  readonly id: string;
  /** The configured name of a server; undefined for sources, which have no name in the API. */
  readonly label: string | undefined;
  /** Empty if it was known before and no answer names it. */
  readonly foundBy: readonly FoundBy[];
  /** The names of its apps and jobs. */
  readonly workloads: readonly string[];
  /** The names of its environments; sources only. */
  readonly environments: readonly string[];
}

/** A workload in an answer. */
export interface Seen {
  readonly id: string | undefined;
  readonly name?: string | undefined;
  readonly serverId?: string | undefined;
  readonly sourceId?: string | undefined;
}

interface Origin {
  readonly foundBy: Set<FoundBy>;
  readonly environments: Set<string>;
}

interface Workload {
  name?: string;
  sourceId?: string;
  serverId?: string;
  serverName?: string;
}

/** The objects found so far, each once. Invalid ids are ignored. */
class DiscoveryIndex {
  readonly sources = new Map<string, Origin>();
  readonly servers = new Map<string, Origin>();
  readonly workloads = new Map<string, Workload>();

  source(id: string): void {
    originOf(this.sources, id);
  }

  server(id: string): void {
    originOf(this.servers, id);
  }

  record({ workloadId, workloadName, serverId }: LogRecord): void {
    this.workload({ id: workloadId, name: workloadName, serverId }, 'logs');
  }

  resource({ id, name, config, environment, sourceId }: Resource, asked: string): void {
    const seen = { id, name: name ?? config?.name, sourceId: sourceId ?? asked };
    const workload = this.workload(seen, 'resources');
    if (workload !== undefined && config?.server !== undefined) workload.serverName = config.server;
    if (environment?.name !== undefined) {
      originOf(this.sources, asked)?.environments.add(environment.name);
    }
  }

  deployment({ appId, serverId, sourceId }: Deployment, asked: string): void {
    this.workload({ id: appId ?? asked, serverId, sourceId }, 'deployments');
  }

  /** Also adds its server and source. */
  workload({ id, name, serverId, sourceId }: Seen, by: FoundBy): Workload | undefined {
    originOf(this.servers, serverId)?.foundBy.add(by);
    originOf(this.sources, sourceId)?.foundBy.add(by);
    if (!isUuid(id)) return undefined;
    const workload = getOrMake(this.workloads, id.toLowerCase(), (): Workload => ({}));
    // A record without a name has a blank one.
    if (name !== undefined && !isBlank(name)) workload.name = name;
    if (isUuid(serverId)) workload.serverId = serverId.toLowerCase();
    if (isUuid(sourceId)) workload.sourceId = sourceId.toLowerCase();
    return workload;
  }

  foundSources(): readonly FoundTarget[] {
    return this.found(this.sources, 'sourceId');
  }

  foundServers(): readonly FoundTarget[] {
    return this.found(this.servers, 'serverId');
  }

  private found(
    origins: ReadonlyMap<string, Origin>,
    member: 'serverId' | 'sourceId',
  ): readonly FoundTarget[] {
    return [...origins].map(([id, { foundBy, environments }]) => {
      const there = [...this.workloads.values()].filter((one) => one[member] === id);
      return {
        id,
        label: member === 'serverId' ? distinct(there, 'serverName')[0] : undefined,
        foundBy: [...foundBy],
        workloads: distinct(there, 'name').sort(compareNames),
        environments: [...environments].sort(compareNames),
      };
    });
  }
}

function originOf(origins: Map<string, Origin>, id: string | undefined): Origin | undefined {
  if (!isUuid(id)) return undefined;
  return getOrMake(origins, id.toLowerCase(), () => ({
    foundBy: new Set<FoundBy>(),
    environments: new Set<string>(),
  }));
}

function distinct(workloads: readonly Workload[], member: 'name' | 'serverName'): string[] {
  const texts = workloads.map((one) => one[member]);
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/**
 * Adds the workloads and servers of the records of the last day to the index.
 *
 * @returns whether every server with records was found.
 */
function readRecentLogs(
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
        const name = isBlank(workloadName) ? undefined : workloadName;
        keepNewest(workloads, { id: workloadId, name, lastSeen: timestamp });
        keepNewest(servers, { id: serverId, name: undefined, lastSeen: timestamp });
        if (deploymentId === null) continue;
        keepNewest(deployments, { id: deploymentId, name, lastSeen: timestamp });
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
function keepNewest(items: Map<string, SeenItem>, item: SeenItem): void {
  const known = items.get(item.id);
  if (known === undefined || known.lastSeen < item.lastSeen) items.set(item.id, item);
}

function newestFirst(items: ReadonlyMap<string, SeenItem>): readonly SeenItem[] {
  return [...items.values()].sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
}
