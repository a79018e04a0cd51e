import { assert } from 'chai';
import { deploymentDetails } from '../../../../src/trees/sources/resourceNodes';
import { sourceNodes } from '../../../../src/trees/sources/sourceNodes';
import { statesOf } from '../../../../src/trees/treeOrder';
import { uiText } from '../../../host/texts';
import { shop, source, sources, topics, resources, secrets } from '../../data/shop';
import { httpError } from '../../data/fakeClient';
import { find, gives, lines, scene, treeText, uuid, detailText } from '../treeText';

const noEnvironment = uiText('No environment');
const unnamed = uiText('Resource');
const deployment = uiText('Deployment');
const secretKeys = uiText('Secret Keys');
const hourly = uiText('every hour at minute {0}', 5);
const weekly = uiText('{0} (off)', uiText('weekly: {0} at {1}', 'Monday', '03:00'));
const anyStage = `${uiText('Any stage')} — ${uiText('{0} keys', 0)}`;

describe('The tree of sources', () => {
  it('shows environments, apps, jobs, deployments and secret keys', async () => {
    const { context } = await shop();
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] shop — 1 failing
          [layers] production — 1 failing · main
            [pass-filled] web-api — running
              [sync~spin] 2222222 — running · 3 min. ago · push
              [error] 1111111 — failed: health_check_failed · 2 days ago · rollback
              [circle-large-outline] v1 — hovering
            [warning] search — drifted: 2 reasons, running
              [warning] image: observed 1.8.2, wanted 1.9.0
              [warning] memory: observed 768m, wanted 1g
              [dash] No deployments
            [circle-slash] reporting — exited
              [dash] No deployments
            [error] payments — crashed, desired: running, unhealthy
              [dash] No deployments
            [warning] Secret Keys — 1 missing
              [tag] build — 1 key · revision b1
                [key] REGISTRY_TOKEN
              [warning] runtime — 2 keys · 1 missing · pending changes · revision r7
                [warning] API_TOKEN — missing
                [key] DATABASE_URL
                [key] OTEL_ENDPOINT — inherited from global, revision g3
                [key] SENTRY — inherited
                [references] Affects — web-api, search and 1 more
          [debug-disconnect] staging — next · disconnected 9 days ago
            [watch] invoice-export — ${hourly} · ${weekly} · ${uiText('next {0}', 'in 5 min.')}
              [dash] No deployments
          [layers] preview:cart
            [key] Secret Keys
              [tag] runtime — 1 key
                [key] DATABASE_URL
      `),
    );
  });

  it('has the duration of a deployment that runs or whose end is known', () => {
    const { context } = scene({});
    const startedAt = '2026-11-20T11:58:30Z';
    const ofState = (state: string, finishedAt?: string): string | undefined =>
      deploymentDetails({ state, startedAt, ...(finishedAt && { finishedAt }) }, context).find(
        ({ label }) => label === uiText('Duration'),
      )?.value;
    assert.equal(ofState('running'), '1 min 30 sec');
    assert.equal(ofState('succeeded', '2026-11-20T11:59:00Z'), '30 sec');
    assert.isUndefined(ofState('succeeded'));
  });

  it('has every state as text, for people who cannot see the icon', async () => {
    const { context } = await shop();
    const words = ['web-api', 'search', 'payments', 'staging', '1111111'].map(
      (label) => find(sourceNodes(context), label).status.words,
    );
    assert.deepEqual(words, [
      'running, healthy, ingress: ready, no drift',
      'running, healthy, ingress: ready, drifted: 2 reasons',
      'crashed, desired: running, unhealthy, ingress: ready, no drift',
      'disconnected',
      'failed',
    ]);
  });

  it('has states for a filter, but no reasons of a drift', async () => {
    const { context } = await shop();
    const states = statesOf(sourceNodes(context));
    assert.include(states, 'drifted');
    assert.notInclude(states, 'drift');
  });

  it('tells commands what each row represents', async () => {
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

  it('opens only https sites without a user name in the URL', async () => {
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
      { listResources: gives('ResourceListing', listing) },
      { sources },
    );
    await load(topics[0]);
    const [environment] = sourceNodes(context)[0]!.children();
    assert.deepEqual(
      environment!.children().map(({ target }) => target.site),
      [undefined, undefined, undefined, undefined, undefined, 'https://c.example/app'],
    );
  });

  it('never shows the value of a secret, even if a server sends one', async () => {
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
        ${uiText('Missing keys')}: API_TOKEN
        ${uiText('Keys')}: DATABASE_URL, OTEL_ENDPOINT
        ${uiText('Affects')}: web-api, search, reporting
        ${uiText('Updated')}: 2026-11-19 12:00:00 UTC (1 day ago)
        ${uiText('Revision')}: r7
      `),
    );
  });

  it('shows the available data if every optional field is missing or null', async () => {
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [{}, { id: null, config: null }, { id: uuid(10) }],
        }),
        listSecrets: gives('SecretListing', { bindings: [{}, { keys: null }] }),
        listDeployments: gives('DeploymentListing', { deployments: [{}, {}] }),
      },
      { sources: [{ id: source }] },
    );
    await load(...topics, { kind: 'deployments', id: uuid(10) });
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] 00000000
          [layers] ${noEnvironment}
            [package] ${unnamed}
            [package] ${unnamed}
            [package] 00000000
              [circle-large-outline] ${deployment}
              [circle-large-outline] ${deployment}
            [key] ${secretKeys}
              [tag] ${anyStage}
              [tag] ${anyStage}
      `),
    );
  });

  it('reads what is empty like what is missing: no row is blank, and no success is a failure', async () => {
    const answers = {
      listResources: gives('ResourceListing', {
        resources: [
          { id: uuid(11), name: '', config: { name: ' ' }, kind: '', environment: { name: '' } },
        ],
      }),
      listDeployments: gives('DeploymentListing', {
        deployments: [
          {
            ...{ id: uuid(20), state: 'succeeded', errorCode: '', errorMessage: '', commitSha: '' },
            ...{ finishedAt: '2026-11-20T11:00:00Z', gitRef: '', environment: '', trigger: '' },
          },
          { id: uuid(21), state: 'failed', errorCode: '', errorMessage: 'No healthy answer' },
        ],
      }),
      listSecrets: gives('SecretListing', {}),
    };
    const { context, load } = scene(answers, { sources });
    await load(...topics, { kind: 'deployments', id: uuid(11) });
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] shop
          [layers] ${noEnvironment}
            [package] 00000000
              [pass-filled] 00000000 — succeeded
              [error] 00000000 — failed: No healthy answer
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
        listResources: gives('ResourceListing', {
          resources: [{ id: uuid(10), name: 'probe', kind: 'satellite', runtimeState, moons: 3 }],
        }),
        listDeployments: gives('DeploymentListing', {
          deployments: [{ id: uuid(1), state: 'constructor', kind: 'launch', trigger: 'moon' }],
        }),
      },
      { sources },
    );
    await load(topics[0], { kind: 'deployments', id: uuid(10) });
    const nodes = sourceNodes(context);
    assert.equal(
      treeText(nodes),
      lines(`
        [repo] shop
          [layers] ${noEnvironment}
            [package] probe — sparkling, orbiting
              [circle-large-outline] 00000000 — constructor · launch
      `),
    );
    const probe = find(nodes, 'probe');
    assert.equal(
      probe.status.words,
      `orbiting, sparkling, ${uiText('ingress')}: purple, ${uiText('drift')}: sideways`,
    );
    assert.include(detailText(probe), 'Moons: 3');
    assert.include(detailText(probe), `${uiText('Kind')}: satellite`);
  });

  it('says each state of a resource with its label, and nothing of what is unknown', async () => {
    const resource = (id: number, name: string, runtimeState: object): object => ({
      ...{ id: uuid(id), name, kind: 'app', runtimeState },
    });
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [
            resource(10, 'unseen', {
              ...{ desiredState: 'running', observedState: 'unknown', healthStatus: 'Unknown' },
              ...{ driftStatus: 'unknown', ingressStatus: 'unknown' },
            }),
            resource(11, 'off', {
              ...{ desiredState: 'running', observedState: 'exited', healthStatus: 'unhealthy' },
              ...{ driftStatus: 'in_sync', ingressStatus: 'not_ready' },
            }),
          ],
        }),
      },
      { sources },
    );
    await load(topics[0]);
    const nodes = sourceNodes(context);
    const unseen = find(nodes, 'unseen');
    assert.equal(unseen.status.words, '');
    assert.equal(unseen.sentence(), '');
    assert.equal(
      detailText(unseen),
      `${uiText('Desired')}: running\n${uiText('Kind')}: app\n${uiText('ID')}: ${uuid(10)}`,
    );
    const off = find(nodes, 'off');
    assert.equal(
      off.status.words,
      `exited, ${uiText('desired')}: running, unhealthy, ${uiText('ingress')}: not ready, ${uiText('no drift')}`,
    );
    assert.include(
      detailText(off),
      [
        `${uiText('State')}: exited`,
        `${uiText('Desired')}: running`,
        `${uiText('Health')}: unhealthy`,
        `${uiText('Ingress')}: not ready`,
        `${uiText('Drift')}: in sync`,
      ].join('\n'),
    );
  });

  it('says of an environment, a trigger and what is not checked only what it means', async () => {
    const runtimeState = {
      ...{ desiredState: 'running', observedState: 'running', healthStatus: 'none' },
      ...{ driftStatus: 'in_sync', ingressStatus: 'disabled' },
    };
    const resource = (id: number, name: string, state: object): object => ({
      ...{ id: uuid(id), name, kind: 'app', environment: { id: uuid(50), name: 'staging' } },
      runtimeState: { ...runtimeState, ...state },
    });
    const deployment = (id: number, more: object): object => ({
      ...{ id: uuid(id), kind: 'deploy', state: 'succeeded', environment: 'production' },
      ...{ targetEnvironment: { id: uuid(50), name: 'staging' }, ...more },
    });
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [
            resource(10, 'db', {}),
            resource(11, 'tunnel', { ingressStatus: 'reconnecting' }),
            resource(12, 'cut', { ingressStatus: 'stopped' }),
            resource(13, 'off', {
              ...{ desiredState: 'stopped', observedState: 'stopped', ingressStatus: 'stopped' },
            }),
          ],
        }),
        listDeployments: ({ resourceId: id }) =>
          gives('DeploymentListing', {
            deployments:
              id === uuid(10)
                ? [
                    deployment(1, { trigger: 'auto_deploy' }),
                    deployment(2, { trigger: 'manual' }),
                    deployment(3, { kind: 'rollback' }),
                    deployment(4, { trigger: 'push', environment: 'preview', gitRef: 'fix' }),
                  ]
                : [],
          })(),
      },
      { sources },
    );
    await load(
      topics[0],
      ...[10, 11, 12, 13].map((id) => ({ kind: 'deployments' as const, id: uuid(id) })),
    );
    const nodes = sourceNodes(context);
    assert.equal(
      treeText(find(nodes, 'staging').children()).replaceAll(/\n {2}\[dash\].*/g, ''),
      lines(`
        [pass-filled] db — running
          [pass-filled] 00000000 — succeeded · ${uiText('automatic')}
          [pass-filled] 00000000 — succeeded · ${uiText('manual')}
          [pass-filled] 00000000 — succeeded · ${uiText('rollback')}
          [pass-filled] fix — succeeded · push · preview
        [warning] tunnel — ${uiText('ingress')}: reconnecting, running
        [warning] cut — ${uiText('ingress')}: stopped, running
        [circle-slash] off — stopped
      `),
    );
    assert.equal(
      find(nodes, 'db').status.words,
      [
        'running',
        uiText('no health check'),
        `${uiText('ingress')}: disabled`,
        uiText('no drift'),
      ].join(', '),
    );
    const [first] = find(nodes, 'db').children();
    assert.include(first && detailText(first), `${uiText('Environment')}: staging`);
  });

  it('shows environments that are listed and have nothing, and keys of previews with their environment', async () => {
    const [production, empty, gone] = [
      { id: uuid(50), name: 'production', branch: 'main' },
      { id: uuid(51), name: 'staging', branch: 'next' },
      { id: uuid(52), name: 'old', disconnectedAt: '2026-11-19T12:00:00Z' },
    ];
    const binding = (environment: string, key: string): object => ({
      ...{ environment, stage: 'build', keys: [key] },
      revision: '0f3a1b2c-0000-4000-8000-000000000000',
    });
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [
            {
              id: uuid(10),
              name: 'web',
              environment: { ...production, id: uuid(50).toUpperCase() },
            },
          ],
        }),
        listEnvironments: gives('EnvironmentListing', {
          environments: [production, empty, gone, {}],
        }),
        listDeployments: gives('DeploymentListing', {}),
        listSecrets: gives('SecretListing', {
          environments: ['preview:production', 'production', 'preview:cart', 'preview:staging'],
          bindings: [
            binding('preview:production', 'A'),
            binding('production', 'B'),
            binding('preview:cart', 'C'),
          ],
        }),
      },
      { sources },
    );
    await load(
      ...topics,
      { kind: 'environments', id: source },
      { kind: 'deployments', id: uuid(10) },
    );
    const nodes = sourceNodes(context)[0]!.children();
    const { counted } = context;
    const build = `build — ${counted(1, '{0} key', '{0} keys')} · ${uiText('revision {0}', '0f3a1b2c')}`;
    const text = treeText(nodes).replaceAll(/.*\[(?:package|dash)\].*\n/g, '');
    assert.equal(
      text,
      lines(`
        [layers] production — main
          [key] ${secretKeys}
            [tag] ${build}
              [key] B
          [key] ${uiText('Secret Keys of Previews')}
            [tag] ${build}
              [key] A
        [layers] staging — next
          [dash] ${uiText('No apps or jobs')}
        [debug-disconnect] old — ${uiText('disconnected {0}', '1 day ago')}
          [dash] ${uiText('No apps or jobs')}
        [layers] preview:cart
          [key] ${secretKeys}
            [tag] ${build}
              [key] C
      `).replaceAll(/.*\[dash\].*\n/g, ''),
    );
    assert.equal(
      find(nodes, 'staging').contextValue,
      'environment hasId hasName canRefresh canSync',
    );
    assert.deepInclude(find(nodes, 'staging').target, {
      sourceId: source,
      environmentId: uuid(51),
    });
    assert.equal(find(nodes, 'staging').children()[0]?.label, uiText('No apps or jobs'));
  });

  it('says what an environment lacks that another one has, without alarm, and shows a missing key once', async () => {
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {}),
        listSecrets: gives('SecretListing', {
          bindings: [
            { environment: 'production', stage: 'build', keys: ['A', 'B'], missingKeys: ['B'] },
            { environment: 'staging', stage: 'build', keys: ['A', 'C', 'D'] },
          ],
        }),
      },
      { sources },
    );
    await load(...topics);
    const environments = sourceNodes(context)[0]!.children();
    const [row] = find(environments, 'production').children();
    assert.equal(
      treeText([row!]),
      lines(`
        [warning] ${secretKeys} — ${uiText('{0} missing', 1)} · ${uiText('lacks {0} keys of {1}', 2, 'staging')}
          [warning] build — ${uiText('{0} keys', 2)} · ${uiText('{0} missing', 1)}
            [warning] B — ${uiText('missing')}
            [key] A
      `),
    );
    assert.equal(detailText(row!), `${uiText('Only in {0}', 'staging')}: C, D`);
    assert.equal(row!.target.sourceId, source);
    const [other] = find(environments, 'staging').children();
    assert.equal(other!.status.icon, 'key');
    assert.equal(other!.description, undefined);
  });

  it('names the missing permission and shows the rest', async () => {
    const { context, load } = scene(
      {
        listResources: ({ sourceId: id }) =>
          id === source ? Promise.resolve(resources) : Promise.reject(httpError(403, 'forbidden')),
        listDeployments: () => Promise.reject(httpError(403, 'forbidden')),
        listSecrets: ({ ownerId: sourceId }) =>
          sourceId === source
            ? Promise.reject(httpError(403, 'forbidden'))
            : Promise.resolve(secrets),
      },
      { sources: [...sources, { id: uuid(9), label: 'hidden' }] },
    );
    await load(
      ...topics,
      { kind: 'deployments', id: uuid(14) },
      { kind: 'resources', id: uuid(9) },
      { kind: 'secrets', id: uuid(9) },
    );
    const text = treeText(sourceNodes(context));
    assert.include(
      text,
      lines(`
        [debug-disconnect] staging — next · ${uiText('disconnected {0}', '9 days ago')}
          [watch] invoice-export — ${hourly} · ${weekly} · ${uiText('next {0}', 'in 5 min.')}
            [lock] ${uiText('Not allowed ({0})', 'resource.read')}
          [key] ${secretKeys}
            [lock] ${uiText('Not allowed ({0})', 'secret.list')}
      `).replace(/^/gm, '  '),
    );
    assert.include(
      text,
      lines(`
        [repo] hidden — ${uiText('not allowed')}
          [lock] ${uiText('Not allowed ({0})', 'repository.read')}
          [layers] production
            [warning] ${secretKeys} — ${uiText('{0} missing', 1)}
      `),
    );
  });

  it('keeps its rows when a refresh fails, and shows their age', async () => {
    const failing = `shop — ${uiText('{0} failing', 1)}`;
    let isBroken = false;
    const { context, load, clock } = scene(
      {
        listResources: () =>
          isBroken ? Promise.reject(httpError(500, 'internal')) : Promise.resolve(resources),
      },
      { sources },
    );
    await load(topics[0]);
    const rows = (): string => treeText(sourceNodes(context)).replace(/ · next .*/, '');
    const before = rows();
    isBroken = true;
    await clock.advance(300_000);
    await load(topics[0]);
    assert.equal(
      rows(),
      before.replace(failing, `${failing} · ${uiText('updated {0}', '5 min. ago')}`),
    );
  });

  it('shows that it is loading before the first answer', () => {
    const { context } = scene({}, { sources });
    assert.equal(
      treeText(sourceNodes(context)),
      `[repo] shop\n  [loading~spin] ${uiText('Loading…')}`,
    );
  });

  it('names a source after its apps if it has no label', async () => {
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
    await load({ kind: 'alerts', id: uuid(7) });
    assert.equal(label(), 'web-api');
    await load(topics[0]);
    assert.equal(label(), uiText('{0} and {1} more', 'invoice-export, payments', 3));
  });
});
