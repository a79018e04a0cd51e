import { compareNames } from '../../base/textFormat';
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

/** The objects found so far, each once. Invalid ids are ignored. */
export class DiscoveryIndex {
  readonly sources = new Map<string, Origin>();
  readonly servers = new Map<string, Origin>();
  readonly workloads = new Map<string, Workload>();
  readonly deployments = new Set<string>();

  source(id: string | undefined, by?: FoundBy): void {
    this.note(this.sources, id, by);
  }

  server(id: string | undefined, by?: FoundBy): void {
    this.note(this.servers, id, by);
  }

  /** Also adds its server and source. */
  workload(seen: Seen, by: FoundBy): void {
    void this.noteWorkload(seen, by);
  }

  record({ workloadId, workloadName, serverId, deploymentId }: LogRecord): void {
    this.noteWorkload({ id: workloadId, name: workloadName, serverId }, 'logs');
    if (isUuid(deploymentId)) this.deployments.add(deploymentId.toLowerCase());
  }

  resource({ id, name, config, environment, sourceId }: Resource, asked: string): void {
    const seen = { id, name: name ?? config?.name, sourceId: sourceId ?? asked };
    const workload = this.noteWorkload(seen, 'resources');
    if (workload !== undefined && config?.server !== undefined) workload.serverName = config.server;
    if (environment?.name !== undefined) {
      originOf(this.sources, asked)?.environments.add(environment.name);
    }
  }

  deployment({ id, appId, serverId, sourceId }: Deployment, asked: string): void {
    this.noteWorkload({ id: appId ?? asked, serverId, sourceId }, 'deployments');
    if (isUuid(id)) this.deployments.add(id.toLowerCase());
  }

  foundSources(): readonly FoundTarget[] {
    return this.found(this.sources, 'sourceId');
  }

  foundServers(): readonly FoundTarget[] {
    return this.found(this.servers, 'serverId');
  }

  private note(origins: Map<string, Origin>, id: string | undefined, by?: FoundBy): void {
    const origin = originOf(origins, id);
    if (by !== undefined) origin?.foundBy.add(by);
  }

  private noteWorkload({ id, name, serverId, sourceId }: Seen, by: FoundBy): Workload | undefined {
    this.note(this.servers, serverId, by);
    this.note(this.sources, sourceId, by);
    if (!isUuid(id)) return undefined;
    const key = id.toLowerCase();
    const workload = this.workloads.get(key) ?? {};
    this.workloads.set(key, workload);
    if (name !== undefined) workload.name = name;
    if (isUuid(serverId)) workload.serverId = serverId.toLowerCase();
    if (isUuid(sourceId)) workload.sourceId = sourceId.toLowerCase();
    return workload;
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
  const key = id.toLowerCase();
  const origin = origins.get(key) ?? { foundBy: new Set(), environments: new Set() };
  origins.set(key, origin);
  return origin;
}

function distinct(workloads: readonly Workload[], member: 'name' | 'serverName'): string[] {
  const texts = workloads.map((one) => one[member]);
  return [...new Set(texts.filter((text) => text !== undefined))];
}
