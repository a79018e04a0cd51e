import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import { ApiError } from '../../api/errors';
import type { Permission } from '../../api/types';
import {
  createDiscoveryIndex,
  type DiscoveryIndex,
  type FoundBy,
  type FoundThing,
} from './discoveryIndex';
import { readRecentLogs } from './recentWorkloads';

/** What could not be looked at, and why. */
export interface Unseen {
  readonly permission: Permission;
  /** Things of this kind that could not be looked at. */
  readonly count: number;
  /**
   * `missing`: the key lacks the permission; `refused`: it was refused for these, and allowed for others;
   * `failed`: another error.
   */
  readonly why: 'missing' | 'refused' | 'failed';
  /** The last one. */
  readonly error: unknown;
}

export interface Discovery {
  readonly sources: readonly FoundThing[];
  readonly servers: readonly FoundThing[];
  readonly workloads: number;
  readonly deployments: number;
  readonly unseen: readonly Unseen[];
  /** Which bounds were reached, so that there may be more than was found. */
  readonly cut: readonly FoundBy[];
}

export interface DiscoveryProgress {
  readonly step: FoundBy;
  readonly done: number;
  /** Requests of this step that are known of so far. */
  readonly total: number;
  readonly sources: number;
  readonly servers: number;
}

export type DiscoveryClient = Pick<
  ControlPlaneClient,
  'queryLogs' | 'listAlertRules' | 'listResources' | 'listDeployments'
>;

export interface DiscoveryOptions {
  readonly client: DiscoveryClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: DiscoveryProgress) => void;
  /** What is known already: a place to start from where logs may not be read. */
  readonly sources?: readonly string[];
  readonly servers?: readonly string[];
}

const permissions = {
  logs: 'logs.read',
  alerts: 'alert.read',
  resources: 'repository.read',
  deployments: 'resource.read',
} as const satisfies Record<FoundBy, Permission>;

/** Requests of each step but the first, in all rounds together. */
const maxRequests = { alerts: 100, resources: 100, deployments: 100 };
const atOnce = 2;
/** What a round finds, the next one looks at; a world that goes on for longer is cut. */
const maxRounds = 4;
/** So many refusals and nothing else: the key lacks the permission, whatever is asked for. */
const refusalsThatSay = 3;

/**
 * Finds servers and sources although the API lists neither: each answer names what the next step asks
 * for. A step that fails leaves the others alone. Rejects only with the signal's reason.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovery> {
  const { client, signal } = options;
  const finds = createDiscoveryIndex();
  const unseen = new Map<string, Unseen>();
  const cut = new Set<FoundBy>();
  const granted = new Set<Permission>();
  options.servers?.forEach((id) => finds.server(id));
  options.sources?.forEach((id) => finds.source(id));

  function note(step: FoundBy, error: unknown, count = 1): void {
    signal.throwIfAborted();
    const permission = permissions[step];
    const why = isRefusal(error) ? 'missing' : 'failed';
    const before = unseen.get(`${permission} ${why}`)?.count ?? 0;
    unseen.set(`${permission} ${why}`, { permission, why, error, count: before + count });
  }

  const tell = (step: FoundBy, done: number, total: number): void =>
    options.onProgress?.({
      step,
      done,
      total,
      sources: finds.sources.size,
      servers: finds.servers.size,
    });

  try {
    const isAll = await readRecentLogs(options, finds, (done, total) => tell('logs', done, total));
    if (!isAll) cut.add('logs');
  } catch (error) {
    note('logs', error);
  }

  /** Looks at what was not looked at yet; says whether there was anything. */
  function createStep(
    step: Exclude<FoundBy, 'logs'>,
    candidates: () => Iterable<string>,
    look: (id: string) => Promise<void>,
  ): () => Promise<boolean> {
    const visited = new Set<string>();
    let refusals = 0;
    let answers = 0;
    return async () => {
      const fresh = [...candidates()].filter((id) => !visited.has(id));
      const ids = fresh.slice(0, maxRequests[step] - visited.size);
      if (ids.length < fresh.length) cut.add(step);
      ids.forEach((id) => visited.add(id));
      let done = 0;
      await inParallel(ids, async (id) => {
        signal.throwIfAborted();
        try {
          if (answers === 0 && refusals >= refusalsThatSay) {
            note(step, unseen.get(`${permissions[step]} missing`)?.error);
            return;
          }
          await look(id);
          answers++;
          granted.add(permissions[step]);
        } catch (error) {
          if (isRefusal(error)) refusals++;
          note(step, error);
        } finally {
          tell(step, ++done, ids.length);
        }
      });
      return ids.length > 0;
    };
  }

  const steps = [
    createStep(
      'alerts',
      () => finds.servers.keys(),
      async (serverId) => {
        const { workloads = [], rules = [] } = await client.listAlertRules(
          { serverId },
          { signal },
        );
        workloads.forEach(({ id, name, sourceId }) =>
          finds.workload({ id, name, sourceId, serverId }, 'alerts'),
        );
        rules.forEach(({ deployableId }) =>
          finds.workload({ id: deployableId, serverId }, 'alerts'),
        );
      },
    ),
    createStep(
      'resources',
      () => finds.sources.keys(),
      async (sourceId) => {
        const { resources = [] } = await client.listResources(sourceId, { signal });
        resources.forEach((resource) => finds.resource(resource, sourceId));
      },
    ),
    createStep(
      'deployments',
      () => homelessFirst(finds),
      async (resourceId) => {
        const { deployments = [] } = await client.listDeployments(resourceId, { signal });
        deployments.forEach((deployment) => finds.deployment(deployment, resourceId));
      },
    ),
  ];
  for (let round = 0; round < maxRounds; round++) {
    let isNew = false;
    for (const step of steps) isNew = (await step()) || isNew;
    if (!isNew) break;
  }
  signal.throwIfAborted();
  return {
    sources: finds.foundSources(),
    servers: finds.foundServers(),
    workloads: finds.workloads.size,
    deployments: finds.deployments.size,
    unseen: [...unseen.values()].map((one) =>
      one.why === 'missing' && granted.has(one.permission) ? { ...one, why: 'refused' } : one,
    ),
    cut: [...cut],
  };
}

/** All workloads, those first whose server or source only their deployments can tell. */
function homelessFirst({ workloads }: DiscoveryIndex): string[] {
  const isKnown = ([, { serverId, sourceId }]: [
    string,
    { serverId?: string; sourceId?: string },
  ]) => serverId !== undefined && sourceId !== undefined;
  const all = [...workloads];
  return [...all.filter((one) => !isKnown(one)), ...all.filter(isKnown)].map(([id]) => id);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}
