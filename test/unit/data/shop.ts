import { read, scene, uuid } from '../trees/treeText';

/** A source with an example of everything. */
export const source = uuid(1);
const production = { id: uuid(2), name: 'production', branch: 'main' };
export const sources = [{ id: source, label: 'shop' }];
const running = {
  desiredState: 'running',
  observedState: 'running',
  healthStatus: 'healthy',
  ingressStatus: 'ready',
  driftStatus: 'none',
  driftReasons: [],
};

export const resources = read('ResourceListing', {
  resources: [
    {
      id: uuid(10),
      name: 'web-api',
      kind: 'app',
      sourceId: source,
      environment: production,
      runtimeState: running,
      config: { domains: { primary: 'web-api.shop.example' } },
    },
    {
      id: uuid(11),
      name: 'search',
      kind: 'app',
      environment: production,
      runtimeState: {
        ...running,
        driftStatus: 'drifted',
        driftReasons: ['image: observed 1.8.2, wanted 1.9.0', 'memory: observed 768m, wanted 1g'],
      },
    },
    {
      id: uuid(12),
      name: 'reporting',
      kind: 'app',
      environment: production,
      runtimeState: {
        desiredState: 'stopped',
        observedState: 'exited',
        healthStatus: 'unknown',
        // Healthy, but meaningless for a stopped resource.
        driftStatus: 'none',
        ingressStatus: 'ready',
      },
    },
    {
      id: uuid(13),
      name: 'payments',
      kind: 'app',
      environment: production,
      runtimeState: { ...running, observedState: 'crashed', healthStatus: 'unhealthy' },
    },
    {
      id: uuid(14),
      name: 'invoice-export',
      kind: 'job',
      environment: {
        id: uuid(3),
        name: 'staging',
        branch: 'next',
        disconnectedAt: '2026-11-11T12:00:00Z',
      },
      runtimeState: { desiredState: 'running', observedState: 'unknown' },
      config: {
        jobs: [
          { name: 'export', schedule: { cron: '5 * * * *', timezone: 'UTC' }, enabled: true },
          { name: 'weekly', schedule: { cron: '0 3 * * 1' }, enabled: false },
        ],
      },
    },
  ],
});

export const deployments = read('DeploymentListing', {
  deployments: [
    {
      id: uuid(101),
      commitSha: '1111111111111111111111111111111111111111',
      gitRef: 'refs/heads/main',
      environment: 'production',
      kind: 'deploy',
      trigger: 'rollback',
      state: 'failed',
      errorCode: 'health_check_failed',
      errorMessage: 'No healthy answer within 120 s.',
      createdAt: '2026-11-18T12:00:00Z',
      startedAt: '2026-11-18T12:00:20Z',
      finishedAt: '2026-11-18T12:01:30Z',
    },
    {
      id: uuid(102),
      commitSha: '2222222222222222222222222222222222222222',
      gitRef: 'refs/heads/main',
      environment: 'production',
      kind: 'deploy',
      trigger: 'push',
      state: 'running',
      createdAt: '2026-11-20T11:57:00Z',
      startedAt: '2026-11-20T11:58:30Z',
    },
    { id: uuid(103), commitSha: null, gitRef: 'refs/tags/v1', state: 'hovering' },
  ],
});

export const secrets = read('SecretListing', {
  environments: ['production', 'preview:cart'],
  bindings: [
    {
      environment: 'production',
      stage: 'build',
      declared: true,
      keys: ['REGISTRY_TOKEN'],
      revision: 'b1',
      missingKeys: [],
      inheritedKeys: [],
    },
    {
      environment: 'production',
      stage: 'runtime',
      declared: true,
      keys: ['DATABASE_URL', 'OTEL_ENDPOINT'],
      revision: 'r7',
      updatedAt: '2026-11-19T12:00:00Z',
      pendingChanges: true,
      missingKeys: ['API_TOKEN'],
      inheritedKeys: ['OTEL_ENDPOINT', 'SENTRY'],
      inheritedOrigins: { OTEL_ENDPOINT: 'global', SENTRY: 'hunter2' },
      inheritedRevisions: { global: 'g3', source: 's2' },
      affectedDeployables: [
        { id: uuid(10), name: 'web-api', kind: 'app' },
        { id: uuid(11), name: 'search', kind: 'app' },
        { id: uuid(12), name: 'reporting', kind: 'app' },
      ],
      value: 'hunter2',
    },
    { environment: 'preview:cart', stage: 'runtime', keys: ['DATABASE_URL'] },
  ],
});

export const topics = [
  { kind: 'resources', id: source },
  { kind: 'secrets', id: source },
] as const;

/** A scene with the data of the whole source loaded. */
export async function shop(): Promise<ReturnType<typeof scene>> {
  const made = scene(
    {
      listResources: () => Promise.resolve(resources),
      listSecrets: () => Promise.resolve(secrets),
      listDeployments: ({ resourceId: id }) => Promise.resolve(id === uuid(10) ? deployments : {}),
    },
    { sources },
  );
  await made.load(
    ...topics,
    ...[10, 11, 12, 13, 14].map((id) => ({ kind: 'deployments', id: uuid(id) }) as const),
  );
  return made;
}
