import type { Resource } from '../../src/api/types';
import type { Random } from './random';
import type { Workload, World } from './world';

type Config = NonNullable<Resource['config']>;
type Runtime = NonNullable<Resource['runtimeState']>;

const jobs: Record<string, { cron: string; command: string[]; timeoutSeconds: number }> = {
  'invoice-export': { cron: '5 * * * *', command: ['python', '-m', 'export'], timeoutSeconds: 900 },
  'cache-warmer': { cron: '*/10 * * * *', command: ['node', 'warm.js'], timeoutSeconds: 120 },
  'nightly-backup': { cron: '30 2 * * *', command: ['/bin/backup', '--all'], timeoutSeconds: 7200 },
};

/** The state of each resource that is not simply running. */
const unusual: Record<string, Runtime> = {
  search: {
    driftStatus: 'drifted',
    driftReasons: ['image: observed 1.8.2, wanted 1.9.0', 'memory: observed 768m, wanted 1g'],
  },
  recommender: { healthStatus: 'unhealthy' },
  reporting: { desiredState: 'stopped', observedState: 'exited', healthStatus: 'unknown' },
  notifications: { observedState: 'restarting', healthStatus: 'starting' },
};

export function configOf(workload: Workload): Config {
  const { name, kind, language, memory, server, source, port, description } = workload;
  const limits = { cpus: language === 'java' ? 2 : 1, memory };
  const job = jobs[name];
  return {
    id: name,
    name,
    kind,
    server: server.name,
    sourceBranch: source.branch,
    context: name,
    dockerfile: `${name}/Dockerfile`,
    description,
    autoDeploy: kind === 'app',
    vulnerabilityScanning: true,
    deploymentInputs: [`${name}/**`],
    logDrains: ['otlp'],
    jobs: job
      ? [
          {
            name,
            command: job.command,
            schedule: { cron: job.cron, timezone: 'UTC' },
            timeoutSeconds: job.timeoutSeconds,
            enabled: true,
            description,
          },
        ]
      : [],
    container: {
      port,
      network: 'shop',
      networkAlias: name,
      volumes:
        name === 'search' ? [{ name: 'index', mountPath: '/data', initialData: 'image' }] : [],
      resources: limits,
    },
    deployment: {
      type: 'dockerfile',
      context: name,
      dockerfile: `${name}/Dockerfile`,
      arguments: {},
      resources: limits,
      timeoutSeconds: 900,
      target: 'runtime',
      architecture: 'amd64',
      cache: { enabled: true, scope: source.name },
    },
    buildServer: {
      ip: server.ip,
      allowRuntimeFallback: true,
      transfer: 'registry',
      registry: 'registry.shop.example',
      architecture: 'amd64',
    },
    externalSecrets: {},
    telemetry: {
      integration: 'collector',
      signals: ['metrics', 'traces'],
      protocol: 'otlp-http',
      sampling: 0.25,
      cardinalityLimit: 2000,
      redactAttributes: ['customer.email'],
    },
    ...(kind === 'app' ? webConfig(name) : {}),
  };
}

/** Only for a resource that serves requests. */
function webConfig(name: string): Config {
  return {
    health: { path: '/healthz', timeoutSeconds: 5 },
    hooks: { preDeploy: { command: ['./migrate', 'up'], timeoutSeconds: 120 } },
    domains: {
      primary: `${name}.shop.example`,
      redirects: [{ host: `www.${name}.shop.example`, status: 301 }],
    },
    preview: { domain: 'preview.shop.example', enabled: name.startsWith('web'), ttlHours: 72 },
    ingress: { type: 'proxy' },
    rollout: {
      type: 'rolling',
      replicas: 2,
      maxSurge: 1,
      maxUnavailable: 0,
      startupDeadlineSeconds: 120,
      minimumHealthySeconds: 15,
      failureThreshold: 3,
      drainSeconds: 20,
      terminationSeconds: 30,
    },
    tls: { mode: 'direct' },
  };
}

export function createResources(world: World, random: Random): Resource[] {
  const ago = (days: number): string => new Date(world.startedAt - days * 86_400_000).toISOString();
  return world.workloads.map((workload) => {
    const { id, name, kind, source, server, description } = workload;
    const image = `registry.shop.example/${name}:${source.revision.slice(0, 12)}`;
    return {
      id,
      name,
      description,
      kind,
      entityId: random.uuid(),
      manifestId: random.uuid(),
      sourceId: source.id,
      sourceRevision: source.revision,
      serverIp: server.ip,
      serverReady: true,
      createdAt: ago(200 + random.int(200)),
      updatedAt: ago(random.int(20)),
      environment: {
        id: source.environmentId,
        name: 'production',
        branch: source.branch,
        ...(source.disconnected ? { disconnectedAt: ago(9) } : {}),
      },
      runtimeState: {
        desiredState: 'running',
        observedState: kind === 'app' ? 'running' : 'unknown',
        healthStatus: kind === 'app' ? 'healthy' : 'unknown',
        ingressStatus: kind === 'app' ? 'ready' : 'unknown',
        driftStatus: 'none',
        driftReasons: [],
        checkedAt: new Date(world.startedAt - 1000 * random.int(60)).toISOString(),
        observedContainerName: `${name}-${workload.containerId.slice(0, 6)}`,
        observedImage: image,
        ingressContainerName: 'proxy',
        ingressImage: 'registry.shop.example/proxy:3',
        ingressRestartCount: random.int(3),
        ...unusual[name],
      },
      config: configOf(workload),
    };
  });
}
