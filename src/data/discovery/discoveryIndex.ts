import { compareNames } from '../../base/compareNames';
import type { Deployment, LogRecord, Resource } from '../../api/types';
import { isUuid } from '../targets';

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

/** The objects found so far, each once. Invalid ids are ignored. */
export interface DiscoveryIndex {
  readonly sources: ReadonlyMap<string, unknown>;
  readonly servers: ReadonlyMap<string, unknown>;
  readonly workloads: ReadonlyMap<
    string,
    { readonly sourceId?: string; readonly serverId?: string }
  >;
  readonly deployments: ReadonlySet<string>;
  source(id: string | undefined, by?: FoundBy): void;
  server(id: string | undefined, by?: FoundBy): void;
  /** Also adds its server and source. */
  workload(seen: Seen, by: FoundBy): void;
  record(record: LogRecord): void;
  resource(resource: Resource, sourceId: string): void;
  deployment(deployment: Deployment, resourceId: string): void;
  foundSources(): readonly FoundTarget[];
  foundServers(): readonly FoundTarget[];
}

interface Origin {
  readonly foundBy: Set<FoundBy>;
  readonly environments: Set<string>;
}

interface Workload {
  name?: string;
  sourceId?: string;
  serverId?: string;
  /** The configured name of its server. */
  serverName?: string;
}

export function createDiscoveryIndex(): DiscoveryIndex {
  const sources = new Map<string, Origin>();
  const servers = new Map<string, Origin>();
  const workloads = new Map<string, Workload>();
  const deployments = new Set<string>();

  function note(origins: Map<string, Origin>, id: string | undefined, by?: FoundBy): void {
    const origin = originOf(origins, id);
    if (by !== undefined) origin?.foundBy.add(by);
  }

  function noteWorkload({ id, name, serverId, sourceId }: Seen, by: FoundBy): Workload | undefined {
    note(servers, serverId, by);
    note(sources, sourceId, by);
    if (!isUuid(id)) return undefined;
    const key = id.toLowerCase();
    const workload = workloads.get(key) ?? {};
    workloads.set(key, workload);
    if (name !== undefined) workload.name = name;
    if (isUuid(serverId)) workload.serverId = serverId.toLowerCase();
    if (isUuid(sourceId)) workload.sourceId = sourceId.toLowerCase();
    return workload;
  }

  function found(
    origins: ReadonlyMap<string, Origin>,
    member: 'serverId' | 'sourceId',
  ): readonly FoundTarget[] {
    return [...origins].map(([id, { foundBy, environments }]) => {
      const there = [...workloads.values()].filter((one) => one[member] === id);
      return {
        id,
        label: member === 'serverId' ? distinct(there, 'serverName')[0] : undefined,
        foundBy: [...foundBy],
        workloads: distinct(there, 'name').sort(compareNames),
        environments: [...environments].sort(compareNames),
      };
    });
  }

  return {
    sources,
    servers,
    workloads,
    deployments,
    source: (id, by) => note(sources, id, by),
    server: (id, by) => note(servers, id, by),
    workload: (seen, by) => void noteWorkload(seen, by),
    record({ workloadId, workloadName, serverId, deploymentId }) {
      noteWorkload({ id: workloadId, name: workloadName, serverId }, 'logs');
      if (isUuid(deploymentId)) deployments.add(deploymentId.toLowerCase());
    },
    resource({ id, name, config, environment, sourceId }, asked) {
      const seen = { id, name: name ?? config?.name, sourceId: sourceId ?? asked };
      const workload = noteWorkload(seen, 'resources');
      if (workload !== undefined && config?.server !== undefined)
        workload.serverName = config.server;
      if (environment?.name !== undefined) {
        originOf(sources, asked)?.environments.add(environment.name);
      }
    },
    deployment({ id, appId, serverId, sourceId }, asked) {
      noteWorkload({ id: appId ?? asked, serverId, sourceId }, 'deployments');
      if (isUuid(id)) deployments.add(id.toLowerCase());
    },
    foundSources: () => found(sources, 'sourceId'),
    foundServers: () => found(servers, 'serverId'),
  };
}

function originOf(origins: Map<string, Origin>, id: string | undefined): Origin | undefined {
  if (!isUuid(id)) return undefined;
  const key = id.toLowerCase();
  const origin = origins.get(key) ?? { foundBy: new Set(), environments: new Set() };
  origins.set(key, origin);
  return origin;
}

function distinct(workloads: readonly Workload[], member: 'name' | 'serverName'): string[] {
  const texts = workloads.map((one) => one[member]);
  return [...new Set(texts.filter((text) => text !== undefined))];
}
