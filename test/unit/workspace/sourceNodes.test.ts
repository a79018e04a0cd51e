import { assert } from 'chai';
import { sourceNodes } from '../../../src/workspace/sourceNodes';
import { httpError } from './fakeClient';
import { detailText, find, lines, read, scene, treeText, uuid } from './treeText';

const source = uuid(1);
const production = { id: uuid(2), name: 'production', branch: 'main' };
const sources = [{ id: source, label: 'shop' }];
const running = {
  desiredState: 'running',
  observedState: 'running',
  healthStatus: 'healthy',
  ingressStatus: 'ready',
  driftStatus: 'none',
  driftReasons: [],
};

const resources = read('ResourceListing', {
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
      runtimeState: { desiredState: 'stopped', observedState: 'exited', healthStatus: 'unknown' },
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

const deployments = read('DeploymentListing', {
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

const secrets = read('SecretListing', {
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

const topics = [
  { kind: 'resources', sourceId: source },
  { kind: 'secrets', sourceId: source },
] as const;

/** A scene with everything that is known of the source. */
async function shop(): Promise<ReturnType<typeof scene>> {
  const made = scene(
    {
      listResources: () => Promise.resolve(resources),
      listSecrets: () => Promise.resolve(secrets),
      listDeployments: (id) => Promise.resolve(id === uuid(10) ? deployments : {}),
    },
    { sources },
  );
  await made.load(
    ...topics,
    ...[10, 11, 12, 13, 14].map((id) => ({ kind: 'deployments', resourceId: uuid(id) }) as const),
  );
  return made;
}

describe('the tree of sources', () => {
  it('shows environments, apps, jobs, deployments and secret keys', async () => {
    const { context } = await shop();
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] shop — 00000000
          [layers] production — main
            [pass-filled] web-api — running, healthy
              [sync~spin] 2222222 — running · main · deploy by push · production · 3 min. ago · for 1 min 30 sec so far
              [error] 1111111 — failed: No healthy answer within 120 s. · main · deploy by rollback · production · 2 days ago · took 1 min 10 sec
              [circle-large-outline] v1 — hovering · v1
            [warning] search — running, healthy, drifted: 2 reasons
              [warning] image: observed 1.8.2, wanted 1.9.0
              [warning] memory: observed 768m, wanted 1g
              [dash] No deployments
            [debug-stop] reporting — exited (wanted stopped)
              [dash] No deployments
            [error] payments — crashed (wanted running), unhealthy
              [dash] No deployments
            [warning] Secret Keys — 1 missing
              [symbol-key] build — 1 key · revision b1
                [key] REGISTRY_TOKEN
              [warning] runtime — 2 keys · 1 missing · pending changes · revision r7
                [warning] API_TOKEN — missing
                [key] DATABASE_URL
                [key] OTEL_ENDPOINT — inherited from global, revision g3
                [key] SENTRY — inherited
                [references] Affects — web-api, search and 1 more
          [debug-disconnect] staging — next · disconnected 9 days ago
            [watch] invoice-export — 5 * * * * UTC · 0 3 * * 1 (switched off)
              [dash] No deployments
          [layers] preview:cart
            [key] Secret Keys
              [symbol-key] runtime — 1 key
                [key] DATABASE_URL
      `),
    );
  });

  it('says every state in words for those who see no icon', async () => {
    const { context } = await shop();
    const words = ['web-api', 'search', 'payments', 'staging', '1111111'].map(
      (label) => find(sourceNodes(context), label).status.words,
    );
    assert.deepEqual(words, [
      'running, healthy, ingress ready, no drift',
      'running, healthy, ingress ready, drifted: 2 reasons',
      'crashed (wanted running), unhealthy, ingress ready, no drift',
      'disconnected',
      'failed',
    ]);
  });

  it('tells commands what each row stands for', async () => {
    const { context } = await shop();
    const nodes = sourceNodes(context);
    assert.deepEqual(find(nodes, 'web-api').target, {
      id: uuid(10),
      resourceId: uuid(10),
      name: 'web-api',
      sourceId: source,
      environmentId: uuid(2),
      follow: { filter: { workloadIds: [uuid(10)] }, label: 'web-api' },
      site: 'https://web-api.shop.example/',
    });
    assert.deepEqual(find(nodes, 'production').target.follow, {
      filter: { workloadIds: [10, 11, 12, 13].map(uuid), environments: ['production'] },
      label: 'production',
    });
    assert.deepEqual(find(nodes, '2222222').target.follow?.filter, { deploymentIds: [uuid(102)] });
    const contexts = ['shop', 'production', 'staging', 'web-api', 'search', '2222222', 'API_TOKEN'];
    assert.deepEqual(
      contexts.map((label) => find(nodes, label).contextValue),
      [
        'source canFollow hasId hasName canRefresh canRename',
        'environment canFollow hasId hasName canRefresh canSync',
        'environment canFollow hasId hasName canRefresh',
        'resource canFollow hasSite hasId hasName canRefresh',
        'resource canFollow hasId hasName canRefresh',
        'deployment canFollow hasId hasName',
        'secretKey hasName',
      ],
    );
  });

  it('opens sites of https only, without a user name before the host', async () => {
    const hosts = [
      'http://a.example',
      'x@b.example',
      'javascript:alert(1)',
      'a b',
      '',
      'c.example/app',
    ];
    const listing = {
      resources: hosts.map((primary, index) => ({
        id: uuid(index),
        config: { domains: { primary } },
      })),
    };
    const { context, load } = scene(
      { listResources: () => Promise.resolve(read('ResourceListing', listing)) },
      { sources },
    );
    await load(topics[0]);
    const [environment] = sourceNodes(context)[0]!.children();
    assert.deepEqual(
      environment!.children().map(({ target }) => target.site),
      [undefined, undefined, undefined, undefined, undefined, 'https://c.example/app'],
    );
  });

  it('has no place for the value of a secret, even where a server sends one', async () => {
    const { context } = await shop();
    const texts: string[] = [];
    const walk = (nodes: ReturnType<typeof sourceNodes>): void =>
      nodes.forEach((node) => {
        const { label, description, status, target, contextValue, id } = node;
        texts.push(JSON.stringify([label, description, status, target, contextValue, id]));
        texts.push(detailText(node));
        walk(node.children());
      });
    walk(sourceNodes(context));
    assert.include(texts.join('\n'), 'SENTRY');
    assert.notInclude(texts.join('\n'), 'hunter2');
    assert.equal(
      detailText(find(sourceNodes(context), 'runtime')),
      lines(`
        Environment: production
        Stage: runtime
        Declared: yes
        Keys: DATABASE_URL, OTEL_ENDPOINT
        Missing keys: API_TOKEN
        Pending changes: yes
        Revision: r7
        Updated: 2026-11-19 12:00:00 UTC (1 day ago)
        Inherited keys: OTEL_ENDPOINT, SENTRY
        Inherited revision, global: g3
        Inherited revision, source: s2
        Affects: web-api, search, reporting
      `),
    );
  });

  it('shows what there is where every optional field is missing or null', async () => {
    const { context, load } = scene(
      {
        listResources: () =>
          Promise.resolve(
            read('ResourceListing', {
              resources: [{}, { id: null, config: null }, { id: uuid(10) }],
            }),
          ),
        listSecrets: () =>
          Promise.resolve(read('SecretListing', { bindings: [{}, { keys: null }] })),
        listDeployments: () =>
          Promise.resolve(read('DeploymentListing', { deployments: [{}, {}] })),
      },
      { sources: [{ id: source }] },
    );
    await load(...topics, { kind: 'deployments', resourceId: uuid(10) });
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] 00000000
          [layers] No environment
            [package] Resource
            [package] Resource
            [package] 00000000
              [circle-large-outline] Deployment
              [circle-large-outline] Deployment
            [key] Secret Keys
              [symbol-key] Any stage — 0 keys
              [symbol-key] Any stage — 0 keys
      `),
    );
  });

  it('shows unknown states with their own text and a neutral icon', async () => {
    const runtimeState = {
      desiredState: 'orbiting',
      observedState: 'orbiting',
      healthStatus: 'sparkling',
      driftStatus: 'sideways',
      ingressStatus: 'purple',
    };
    const { context, load } = scene(
      {
        listResources: () =>
          Promise.resolve(
            read('ResourceListing', {
              resources: [
                { id: uuid(10), name: 'probe', kind: 'satellite', runtimeState, moons: 3 },
              ],
            }),
          ),
        listDeployments: () =>
          Promise.resolve(
            read('DeploymentListing', {
              deployments: [{ id: uuid(1), state: 'constructor', kind: 'launch', trigger: 'moon' }],
            }),
          ),
      },
      { sources },
    );
    await load(topics[0], { kind: 'deployments', resourceId: uuid(10) });
    const nodes = sourceNodes(context);
    assert.equal(
      treeText(nodes),
      lines(`
        [repo] shop — 00000000
          [layers] No environment
            [package] probe — orbiting, sparkling
              [circle-large-outline] 00000000 — constructor · launch by moon
      `),
    );
    const probe = find(nodes, 'probe');
    assert.equal(probe.status.words, 'orbiting, sparkling, ingress purple, drift sideways');
    assert.include(detailText(probe), 'Moons: 3');
    assert.include(detailText(probe), 'Kind: satellite');
  });

  it('names the permission that is missing and shows the rest', async () => {
    const { context, load } = scene(
      {
        listResources: (id) =>
          id === source ? Promise.resolve(resources) : Promise.reject(httpError(403, 'forbidden')),
        listDeployments: () => Promise.reject(httpError(403, 'forbidden')),
        listSecrets: ({ sourceId }) =>
          sourceId === source
            ? Promise.reject(httpError(403, 'forbidden'))
            : Promise.resolve(secrets),
      },
      { sources: [...sources, { id: uuid(9), label: 'hidden' }] },
    );
    await load(
      ...topics,
      { kind: 'deployments', resourceId: uuid(14) },
      { kind: 'resources', sourceId: uuid(9) },
      { kind: 'secrets', sourceId: uuid(9) },
    );
    const text = treeText(sourceNodes(context));
    assert.include(
      text,
      lines(`
        [debug-disconnect] staging — next · disconnected 9 days ago
          [watch] invoice-export — 5 * * * * UTC · 0 3 * * 1 (switched off)
            [lock] Missing permission resource.read
          [key] Secret Keys
            [lock] Missing permission secret.list
      `).replace(/^/gm, '  '),
    );
    assert.include(
      text,
      lines(`
        [repo] hidden — 00000000
          [lock] Missing permission repository.read
          [layers] production
            [warning] Secret Keys — 1 missing
      `),
    );
  });

  it('keeps what it showed when a refresh fails, and says how old it is', async () => {
    let isBroken = false;
    const { context, load, clock } = scene(
      {
        listResources: () =>
          isBroken ? Promise.reject(httpError(500, 'internal')) : Promise.resolve(resources),
      },
      { sources },
    );
    await load(topics[0]);
    const before = treeText(sourceNodes(context));
    isBroken = true;
    await clock.advance(300_000);
    await load(topics[0]);
    assert.equal(
      treeText(sourceNodes(context)),
      before.replace('shop — 00000000', 'shop — 00000000 · updated 5 min. ago'),
    );
  });

  it('says that it is loading before anything came', () => {
    const { context } = scene({}, { sources });
    assert.equal(
      treeText(sourceNodes(context)),
      '[repo] shop — 00000000\n  [loading~spin] Loading…',
    );
  });

  it('calls a source after what comes from it where nobody has named it', async () => {
    const { context, load } = scene(
      {
        listResources: () => Promise.resolve(resources),
        listAlertRules: () =>
          Promise.resolve({ workloads: [{ name: 'web-api', sourceId: source.toUpperCase() }] }),
      },
      { sources: [{ id: source }], servers: [{ id: uuid(7) }] },
    );
    const label = (): string => sourceNodes(context)[0]!.label;
    assert.equal(label(), '00000000');
    await load({ kind: 'alerts', serverId: uuid(7) });
    assert.equal(label(), 'web-api');
    await load(topics[0]);
    assert.equal(label(), 'web-api, search and 3 more');
  });

  it('gives every row an id of its own, the same each time', async () => {
    const { context } = await shop();
    const ids = (): string[] => {
      const found: string[] = [];
      const walk = (nodes: ReturnType<typeof sourceNodes>): void =>
        nodes.forEach((node) => {
          found.push(node.id);
          walk(node.children());
        });
      walk(sourceNodes(context));
      return found;
    };
    assert.equal(new Set(ids()).size, ids().length);
    assert.deepEqual(ids(), ids());
  });
});
