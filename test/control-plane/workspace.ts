import type { Integration, Repository, SecretBinding } from '../../src/api/types';
import { Alerts } from './alerts';
import { createDeployments } from './deployments';
import { Operations } from './operations';
import type { Random } from './random';
import { createResources } from './resources';
import type { Source, World } from './world';

export type Workspace = ReturnType<typeof createWorkspace>;

/** Everything except logs. */
export function createWorkspace(
  world: World,
  random: Random,
  times: { readonly now: () => number; readonly stepSeconds: number },
) {
  return {
    resources: createResources(world, random.fork('resources')),
    deployments: createDeployments(world, random.fork('deployments'), times),
    alerts: new Alerts(world, random.fork('alerts')),
    secrets: createSecrets(world, random.fork('secrets')),
    repositories: createRepositories(random.fork('repositories')),
    operations: new Operations(random.fork('operations'), times),
  };
}

export const integrations: Integration[] = [
  { category: 'git', provider: 'codehost-a' },
  { category: 'git', provider: 'codehost-b' },
  { category: 'backup', provider: 'object-storage' },
  { category: 'telemetry', provider: 'collector' },
  { category: 'notification', provider: 'chat-a' },
  { category: 'notification', provider: 'smtp' },
];

const subjects = [
  ...['shop', 'checkout', 'billing', 'catalogue', 'identity', 'mail', 'pricing', 'returns'],
  ...['search', 'shipping', 'stock', 'support', 'tax', 'tracking'],
];
const parts = ['api', 'web', 'worker', 'infra', 'docs'];

/** 70 repositories for each number of a series. */
export function createRepositories(random: Random, series: readonly number[] = [1]): Repository[] {
  return series
    .flatMap((number) =>
      subjects.flatMap((subject) =>
        parts.map((part) => `${subject}-${part}${number === 1 ? '' : `-${number}`}`),
      ),
    )
    .map((name) => {
      const owner = random.chance(0.8) ? 'example-shop' : 'example-labs';
      return {
        id: String(10_000 + random.int(90_000)),
        name,
        fullName: `${owner}/${name}`,
        owner,
        defaultBranch: random.chance(0.9) ? 'main' : 'develop',
        webUrl: `https://codehost.example/${owner}/${name}`,
        private: random.chance(0.7),
        provider: 'codehost-b',
      };
    });
}

export const keysOf: Record<string, string[]> = {
  'shop-web': ['DATABASE_URL', 'SESSION_SECRET', 'CDN_TOKEN'],
  'shop-services': ['DATABASE_URL', 'PAYMENT_PROVIDER_KEY', 'SMTP_PASSWORD', 'QUEUE_URL'],
  'data-platform': ['WAREHOUSE_URL', 'MODEL_BUCKET_KEY'],
  operations: ['BACKUP_BUCKET_KEY'],
};

/** The bindings of a source: names and revisions only, since the API never sends values. */
function createSecrets(world: World, random: Random): Map<Source, SecretBinding[]> {
  return new Map(
    world.sources.map((source) => {
      const keys = keysOf[source.name] ?? [];
      const workloads = world.workloads.filter((one) => one.source === source);
      const previews = world.previews.filter(({ workload }) => workload.source === source);
      const binding = (environment: string, stage: string): SecretBinding => ({
        environment,
        stage,
        declared: true,
        keys: stage === 'build' ? keys.slice(0, 1) : keys,
        revision: random.hex(12),
        updatedAt: new Date(world.startedAt - random.int(40) * 86_400_000).toISOString(),
        pendingChanges: source.name === 'shop-services' && stage === 'runtime',
        missingKeys: source.name === 'data-platform' && stage === 'runtime' ? ['API_TOKEN'] : [],
        inheritedKeys: ['OTEL_ENDPOINT'],
        inheritedOrigins: { OTEL_ENDPOINT: 'global' },
        inheritedRevisions: { global: random.hex(12), source: random.hex(12) },
        availableReferences: { globals: ['OTEL_ENDPOINT', 'REGISTRY_TOKEN'], source: keys },
        affectedDeployables: environment.startsWith('preview:')
          ? previews.map(({ id, workload }) => ({ id, name: workload.name, kind: 'preview' }))
          : workloads.map(({ id, name, kind }) => ({ id, name, kind })),
      });
      const environments = ['production', ...previews.map(({ slug }) => `preview:${slug}`)];
      return [
        source,
        environments.flatMap((name) => [binding(name, 'build'), binding(name, 'runtime')]),
      ];
    }),
  );
}
