import { day, hour } from '../../../src/base/clock';
import { printOf, type Random } from '../random';
import { configOf } from '../resources';
import type { Server, Source, Workload, World } from '../world';

/** An object that a test may change. */
export type Row = Record<string, unknown> & { readonly id: string };

/** An environment of a source; its members that change are in the row. */
export interface Environment {
  readonly id: string;
  readonly source: Source;
  readonly name: string;
  readonly branch: string;
  /** What its manifest has wrong, which makes each of its syncs fail. */
  readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[];
  readonly row: Row;
}

/** An app or a database in an environment. */
export interface Deployable {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly server: Server;
  readonly environment: Environment;
  /** The deployments that it has at the start, newest first, by their ids. */
  readonly deploymentIds: readonly string[];
  readonly row: Row;
}

/** The orphans of a server, as its last check found them. */
export interface Orphan {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
}

/** What there is besides logs, with what the API document does not know: databases, environments, orphans. */
export type Estate = ReturnType<typeof createEstate>;

const databases = [
  ['orders-db', 'postgres', 'shop-services', 'production', 'postgres:17'],
  ['sessions', 'redis', 'shop-web', 'production', 'redis:8'],
  ['warehouse', 'clickhouse', 'data-platform', 'production', 'clickhouse:25'],
] as const;

/** By source: more environments than production. The one of data-platform has nothing in it. */
const otherEnvironments: Readonly<Record<string, readonly string[]>> = {
  'shop-web': ['staging'],
  'shop-services': ['staging'],
  'data-platform': ['experiments'],
};

const brokenManifest = [
  { message: 'Unrecognized key: "replcias"', path: ['apps', 'payments', 'rollout'] },
  {
    message: 'Invalid input: expected string, received undefined',
    path: ['apps', 'inventory', 'server'],
  },
];

const unusual: Readonly<Record<string, object>> = {
  search: {
    driftStatus: 'drifted',
    driftReasons: ['image: observed 1.8.2, wanted 1.9.0', 'memory: observed 768m, wanted 1g'],
  },
  recommender: { healthStatus: 'unhealthy' },
  reporting: { desiredState: 'stopped', observedState: 'stopped', healthStatus: 'unknown' },
  notifications: { healthStatus: 'starting', ingressStatus: 'reconnecting' },
};

export function createEstate(world: World, random: Random) {
  const ago = (ms: number): string => new Date(world.startedAt - ms).toISOString();

  function environmentOf(source: Source, name: string): Environment {
    const isProduction = name === 'production';
    const id = isProduction ? source.environmentId : random.uuid();
    const branch = isProduction ? source.branch : name === 'staging' ? 'develop' : name;
    const row = {
      id,
      sourceId: source.id,
      name,
      branch,
      previewsEnabled: isProduction && source.name === 'shop-web',
      mappingRevision: String(1 + random.int(9)),
      autoDeployPaused: false,
      disconnectedAt: source.disconnected && isProduction ? ago(9 * day) : null,
      latestCommitSha: source.revision,
      latestSuccessfulSyncId: random.uuid(),
      latestSyncStatus: 'succeeded',
      latestSyncFinishedAt: ago(random.int(40) * hour),
      latestSyncIssues: [],
    };
    const issues = source.name === 'shop-services' && name === 'staging' ? brokenManifest : [];
    return { id, source, name, branch, issues, row };
  }

  const environments = world.sources.flatMap((source) =>
    ['production', ...(otherEnvironments[source.name] ?? [])].map((name) =>
      environmentOf(source, name),
    ),
  );
  const environmentNamed = (source: Source, name: string): Environment =>
    environments.find((one) => one.source === source && one.name === name)!;

  function deployableOf(
    given: Omit<Deployable, 'row' | 'environment'> & {
      readonly environment: Environment;
      readonly description: string | null;
      readonly image: string;
      readonly config: object;
      readonly health: 'healthy' | 'none';
    },
  ): Deployable {
    const { id, name, kind, server, environment, description, image, config, health } = given;
    const { source } = environment;
    const hasIngress = health === 'healthy';
    const row = {
      id,
      name,
      description,
      kind,
      // The same in each environment.
      entityId: uuidOf(`${source.id} ${name}`),
      manifestId: name,
      sourceId: source.id,
      sourceRevision: source.revision,
      serverIp: server.ip,
      serverReady: true,
      environment: {
        ...{ id: environment.id, name: environment.name, branch: environment.branch },
        disconnectedAt: environment.row['disconnectedAt'],
      },
      runtimeState: {
        desiredState: 'running',
        observedState: 'running',
        healthStatus: health,
        driftStatus: 'in_sync',
        driftReasons: [],
        ingressStatus: hasIngress ? 'ready' : 'disabled',
        ingressContainerName: hasIngress ? 'proxy' : null,
        ingressImage: hasIngress ? 'registry.shop.example/proxy:3' : null,
        ingressRestartCount: hasIngress ? random.int(3) : null,
        observedContainerName: `${name}-1`,
        observedImage: image,
        checkedAt: ago(1000 * random.int(60)),
        ...(environment.name === 'production' ? unusual[name] : {}),
      },
      config,
      archivedAt: null,
      createdAt: ago((200 + random.int(200)) * day),
      updatedAt: ago(random.int(20 * 24) * hour),
    };
    return { id, name, kind, server, environment, deploymentIds: given.deploymentIds, row };
  }

  function appOf(workload: Workload, environment: Environment): Deployable {
    const { name, description, source, server } = workload;
    const isProduction = environment.name === 'production';
    // There is no kind for jobs: they are jobs of an app.
    const kind = name === 'nightly-backup' ? 'compose' : 'app';
    const first = isProduction ? workload.deploymentId : random.uuid();
    return deployableOf({
      id: isProduction ? workload.id : random.uuid(),
      name,
      kind,
      server,
      environment,
      description,
      image: `registry.shop.example/${name}:${source.revision.slice(0, 12)}`,
      config: { ...configOf(workload), kind },
      health: workload.kind === 'app' ? 'healthy' : 'none',
      deploymentIds: isProduction && workload.releaseIds.length > 0 ? workload.releaseIds : [first],
    });
  }

  const apps = environments.flatMap((environment) =>
    world.workloads
      .filter(({ source }) => source === environment.source && environment.name !== 'experiments')
      .map((workload) => appOf(workload, environment)),
  );
  const stores = databases.map(([name, kind, sourceName, environmentName, image]) => {
    const source = world.sources.find((one) => one.name === sourceName)!;
    return deployableOf({
      ...{ id: random.uuid(), name, kind, image, description: null },
      server: world.servers[2]!,
      environment: environmentNamed(source, environmentName),
      config: {
        ...{ id: name, name, kind, image, autoDeploy: false },
        container: { port: 5432, volumes: [{ name: 'data', mountPath: '/data' }] },
        health: { type: 'container', timeoutSeconds: 5 },
      },
      health: 'none',
      deploymentIds: [random.uuid()],
    });
  });

  const sourceRows = new Map(
    world.sources.map((source, index): [string, Row] => [
      source.id,
      {
        id: source.id,
        provider: index === 2 ? 'gitlab' : 'github',
        repositoryOwner: 'example-shop',
        repositoryName: source.name,
        status: 'active',
        createdAt: ago((300 + index) * day),
        updatedAt: ago((index + 1) * hour),
      },
    ]),
  );
  const serverRows = new Map(
    world.servers.map(({ id, name, ip }, index): [string, Row] => [
      id,
      {
        id,
        name,
        canonicalIp: ip,
        setupStatus: 'ready',
        healthStatus: 'healthy',
        watch: { enabled: true, status: 'reporting' },
        config: {},
        archivedAt: null,
        createdAt: ago((400 + index) * day),
        updatedAt: ago((index + 1) * hour),
      },
    ]),
  );
  const previews = world.previews.map(
    ({ id, workload, branch, slug, deploymentId }, index): Row => ({
      id,
      appId: workload.id,
      sourceId: workload.source.id,
      branch,
      pullRequestNumber: 41 + index,
      hostname: `${slug}.preview.shop.example`,
      latestCommitSha: random.hex(40),
      latestDeploymentId: deploymentId,
      status: index === 0 ? 'healthy' : 'building',
      createdAt: ago((3 + index) * day),
      updatedAt: ago((1 + index) * hour),
    }),
  );
  const orphans = new Map<string, readonly Orphan[]>(
    world.servers.map(({ id }, index) => [
      id,
      [
        { kind: 'container', name: `web-api-old-${index}`, reason: 'no workload owns it' },
        { kind: 'image', name: 'registry.shop.example/web-api:0f3a', reason: 'no release uses it' },
        { kind: 'volume', name: `old-data-${index}`, reason: 'no workload owns it' },
        { kind: 'volume', name: 'in-use-cache', reason: 'no workload owns it' },
      ],
    ]),
  );
  return {
    workspaceId: world.workspaceId,
    ownerId: random.uuid(),
    environments,
    apps,
    stores,
    deployables: [...apps, ...stores] as readonly Deployable[],
    sourceRows,
    serverRows,
    previews,
    /** By server. */
    orphans,
  };
}

/** A UUID that is the same for the same text. */
export function uuidOf(words: string): string {
  const hex = printOf(words) + printOf(`${words} again`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
