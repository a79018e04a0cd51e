import type { Random } from './random';
import type { Release } from './releases';

export type Language =
  'typescript' | 'javascript' | 'python' | 'java' | 'go' | 'ruby' | 'csharp' | 'rust' | 'none';

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly ip: string;
}

/** A connected repository with its production environment. */
export interface Source {
  readonly id: string;
  readonly name: string;
  readonly environmentId: string;
  readonly branch: string;
  readonly revision: string;
  /** Its environment is disconnected, so it cannot be synced. */
  readonly disconnected: boolean;
}

/** A resource of a source, which is also the workload of its log records. */
export interface Workload {
  readonly id: string;
  readonly name: string;
  readonly kind: 'app' | 'job';
  readonly language: Language;
  readonly memory: string;
  readonly description: string;
  readonly server: Server;
  readonly source: Source;
  readonly containerId: string;
  /** The current deployment. */
  readonly deploymentId: string;
  /** The ids of the deployments of the releases of the world, in their order. */
  readonly releaseIds: readonly string[];
  readonly port: number;
}

/** A preview of a pull request: the same workload in a container of its own. */
export interface Preview {
  readonly id: string;
  readonly workload: Workload;
  readonly branch: string;
  /** The name of its environment, after `preview:`. */
  readonly slug: string;
  readonly containerId: string;
  readonly deploymentId: string;
}

export interface World {
  readonly workspaceId: string;
  /** The start time of the server; earlier events count back from it. */
  readonly startedAt: number;
  /** Commits that were deployed everywhere, newest first. Empty: each source has its own. */
  readonly releases: readonly Release[];
  readonly servers: readonly Server[];
  readonly sources: readonly Source[];
  readonly workloads: readonly Workload[];
  readonly previews: readonly Preview[];
}

/** Name, kind, language, memory, server, source, description. */
const plan = [
  ['web-api', 'app', 'typescript', '512m', 0, 0, 'Public HTTP API of the shop'],
  ['storefront', 'app', 'javascript', '512m', 0, 0, 'Pages that customers see'],
  ['order-worker', 'app', 'typescript', '512m', 1, 0, 'Takes orders from the queue'],
  ['payments', 'app', 'java', '1g', 1, 1, 'Charges and refunds'],
  ['inventory', 'app', 'go', '256m', 1, 1, 'What is in stock where'],
  ['notifications', 'app', 'ruby', '512m', 0, 1, 'Mail and text messages'],
  ['recommender', 'app', 'python', '2g', 2, 2, 'Scores products for a customer'],
  ['search', 'app', 'rust', '1g', 2, 2, 'Full-text index of the catalogue'],
  ['reporting', 'app', 'csharp', '1g', 2, 2, 'Figures for the back office'],
  ['invoice-export', 'job', 'python', '2g', 2, 2, 'Writes invoices for accounting, hourly'],
  ['cache-warmer', 'job', 'javascript', '512m', 0, 3, 'Asks for popular pages, every ten minutes'],
  ['nightly-backup', 'job', 'none', '128m', 1, 3, 'Dumps the databases, at night'],
] as const;

export function createWorld(
  random: Random,
  startedAt: number,
  releases: readonly Release[] = [],
): World {
  const releaseIds = random.fork('releases');
  const workspaceId = random.uuid();
  const servers = ['fra-app-1', 'fra-app-2', 'hel-data-1'].map((name, index) => ({
    id: random.uuid(),
    name,
    ip: `192.0.2.${11 + index}`,
  }));
  const sources = ['shop-web', 'shop-services', 'data-platform', 'operations'].map((name) => ({
    id: random.uuid(),
    name,
    environmentId: random.uuid(),
    branch: 'main',
    revision: releases[0]?.sha ?? random.hex(40),
    disconnected: name === 'operations',
  }));
  const workloads = plan.map(
    ([name, kind, language, memory, server, source, description], index): Workload => {
      const ids = releases.map(() => releaseIds.uuid());
      return {
        id: random.uuid(),
        name,
        kind,
        language,
        memory,
        description,
        server: servers[server]!,
        source: sources[source]!,
        containerId: random.hex(64),
        deploymentId: ids[0] ?? random.uuid(),
        releaseIds: ids,
        port: 8080 + index,
      };
    },
  );
  const previews = (
    [
      ['web-api', 'feature/checkout-v2'],
      ['storefront', 'fix/cart-badge'],
    ] as const
  ).map(([name, branch]) => ({
    id: random.uuid(),
    workload: workloads.find((one) => one.name === name)!,
    branch,
    slug: branch.replace(/[^a-z0-9-]/g, '-'),
    containerId: random.hex(64),
    deploymentId: random.uuid(),
  }));
  return { workspaceId, startedAt, releases, servers, sources, workloads, previews };
}
