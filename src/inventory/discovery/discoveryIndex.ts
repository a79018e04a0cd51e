import type { Deployment, LogRecord, Resource } from '../../api/types';
import { isUuid } from '../targets';

/** Where something was found. */
export type FoundBy = 'logs' | 'alerts' | 'resources' | 'deployments';

export interface FoundThing {
  /** In lower case. */
  readonly id: string;
  /** What configurations call a server; undefined for sources, which the API gives no name. */
  readonly label: string | undefined;
  /** Empty where it was known before and nothing has named it. */
  readonly foundBy: readonly FoundBy[];
  /** Names of what runs there or comes from there. */
  readonly workloads: readonly string[];
  /** Names of its environments; sources only. */
  readonly environments: readonly string[];
}

/** A workload by its id and what answers say of it. */
export interface Seen {
  readonly id: string | undefined;
  readonly name?: string | undefined;
  readonly serverId?: string | undefined;
  readonly sourceId?: string | undefined;
}

/** What was found so far, each thing once; ids that are none are passed over. */
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
  /** Its server and source too. */
  workload(seen: Seen, by: FoundBy): void;
  record(record: LogRecord): void;
  resource(resource: Resource, sourceId: string): void;
  deployment(deployment: Deployment, resourceId: string): void;
  foundSources(): readonly FoundThing[];
  foundServers(): readonly FoundThing[];
}

interface Place {
  readonly foundBy: Set<FoundBy>;
  readonly environments: Set<string>;
}

interface Workload {
  name?: string;
  sourceId?: string;
  serverId?: string;
  /** What its configuration calls its server. */
  serverName?: string;
}

export function createDiscoveryIndex(): DiscoveryIndex {
  const sources = new Map<string, Place>();
  const servers = new Map<string, Place>();
  const workloads = new Map<string, Workload>();
  const deployments = new Set<string>();

  function note(places: Map<string, Place>, id: string | undefined, by?: FoundBy): void {
    const place = placeOf(places, id);
    if (by !== undefined) place?.foundBy.add(by);
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
    places: ReadonlyMap<string, Place>,
    member: 'serverId' | 'sourceId',
  ): readonly FoundThing[] {
    return [...places].map(([id, { foundBy, environments }]) => {
      const there = [...workloads.values()].filter((one) => one[member] === id);
      return {
        id,
        label: member === 'serverId' ? distinct(there, 'serverName')[0] : undefined,
        foundBy: [...foundBy],
        workloads: distinct(there, 'name').sort(),
        environments: [...environments].sort(),
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
        placeOf(sources, asked)?.environments.add(environment.name);
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

function placeOf(places: Map<string, Place>, id: string | undefined): Place | undefined {
  if (!isUuid(id)) return undefined;
  const key = id.toLowerCase();
  const place = places.get(key) ?? { foundBy: new Set(), environments: new Set() };
  places.set(key, place);
  return place;
}

function distinct(workloads: readonly Workload[], member: 'name' | 'serverName'): string[] {
  const texts = workloads.map((one) => one[member]);
  return [...new Set(texts.filter((text) => text !== undefined))];
}
