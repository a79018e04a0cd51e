import { assert } from 'chai';
import { ApiError, InvalidRequestError, localizableMessage } from '../../../../src/api/errors';
import type { AlertListing } from '../../../../src/api/types';
import { firingCount } from '../../../../src/trees/alerts/alertWatch';
import { serverNodes, serverKeys } from '../../../../src/trees/servers/serverNodes';
import type { TreeNode } from '../../../../src/trees/nodes';
import { uiText } from '../../../host/texts';
import { arrange } from '../../../../src/trees/treeOrder';
import { covers } from '../../covers';
import { httpError } from '../../data/fakeClient';
import { detailText, find, gives, lines, read, scene, treeText, uuid } from '../treeText';

const twoFiring = uiText('{0} firing', 2);
const off = uiText('off');
const available = uiText('available');
const alertRules = uiText('Alert Rules');
const destinations = uiText('Destinations');
const workloads = uiText('Workloads');
const server = uuid(1);
const servers = [{ id: server, label: 'fra-app-1' }];
const topic = { kind: 'alerts', id: server } as const;

const cpu = {
  id: uuid(20),
  name: 'web-api: CPU',
  serverId: server,
  deployableId: uuid(10),
  enabled: true,
  severity: 'warning',
  evaluationState: 'ok',
  evaluatedAt: '2026-11-20T11:59:00Z',
  observedValue: 41.7,
  condition: {
    metric: 'cpuPercent',
    operator: 'above',
    threshold: 80,
    windowSeconds: 300,
    aggregation: 'average',
  },
};
const errors = {
  ...cpu,
  id: uuid(21),
  name: 'web-api: errors',
  severity: 'critical',
  evaluationState: 'firing',
  observedValue: 6.4,
  condition: { metric: 'errorRatePercent', operator: 'above', threshold: 2 },
};
const check = {
  id: uuid(22),
  name: 'recommender: GET /healthz',
  enabled: true,
  severity: 'critical',
  evaluationState: 'Firing',
  condition: {
    http: {
      url: 'https://recommender.shop.example/healthz',
      method: 'GET',
      intervalSeconds: 30,
      timeoutSeconds: 5,
      expectedStatusMin: 200,
      expectedStatusMax: 299,
    },
  },
  httpCheck: { state: 'firing', status_code: 503, latency_ms: 5003, reason: 'wanted 200 to 299' },
};
const listing = read('AlertListing', {
  rules: [
    cpu,
    errors,
    check,
    { ...cpu, id: uuid(23), name: 'off', enabled: false, evaluationState: 'firing' },
    {
      id: uuid(24),
      name: 'one status',
      enabled: true,
      condition: { http: { method: 'GET', expectedStatusMin: 204, expectedStatusMax: 204 } },
    },
  ],
  workloads: [
    { id: uuid(10), name: 'web-api', sourceId: uuid(2), kind: 'app' },
    { id: uuid(11), name: 'backup', sourceId: uuid(2), kind: 'job' },
  ],
  destinations: [
    {
      id: uuid(30),
      provider: 'chat-a',
      categories: ['health', 'deployment'],
      enabled: true,
      source: 'environment',
    },
    { id: uuid(31), provider: 'webhook', categories: ['backup'], enabled: false },
  ],
  providers: { 'chat-a': true, 'chat-b': false, pager: true },
  canManage: false,
});

async function monitored(answer: AlertListing = listing): Promise<ReturnType<typeof scene>> {
  const made = scene({ listAlertRules: () => Promise.resolve(answer) }, { servers });
  await made.load(topic);
  return made;
}

describe('The tree of servers', () => {
  it(`marks entries from the settings of a folder, in the row and in its tooltip ${covers('F70', 'unit')}`, () => {
    const { context } = scene(
      {},
      { servers: [{ id: uuid(7), label: 'playground', isOfWorkspace: true }] },
    );
    const [node] = serverNodes(context);
    assert.isTrue(node?.description?.startsWith(uiText('from this folder')), node?.description);
    assert.include(
      detailText(node),
      `${uiText('Listed by')}: ${uiText('the settings of this folder')}`,
    );
  });

  it('shows alert rules as text, destinations, providers and workloads', async () => {
    const { context } = await monitored();
    assert.deepEqual(serverKeys(context), [topic]);
    assert.equal(
      treeText(serverNodes(context)),
      lines(`
        [server] fra-app-1 — ${twoFiring}
          [bell-dot] ${alertRules} — ${twoFiring}
            [pass] web-api: CPU — OK · 41.7 %
            [bell-dot] web-api: errors — error rate 6.4 > 2 · critical
            [bell-dot] 503 · recommender: GET /healthz — wanted 200 to 299 · 5 sec · critical
            [bell-slash] off — ${off} · firing · 41.7 %
            [circle-large-outline] one status
          [mail] ${destinations}
            [mail] chat-a — health, deployment · ${uiText('from {0}', 'environment')}
            [circle-slash] webhook — ${off} · backup
          [plug] ${uiText('Providers')}
            [pass] chat-a — ${available}
            [circle-slash] chat-b — ${uiText('not available')}
            [pass] pager — ${available}
          [package] ${workloads}
            [package] web-api — app
            [watch] backup — job
      `),
    );
  });

  it('shows firing rules as text, in the badge and for commands', async () => {
    const { context, store } = await monitored();
    const [row] = serverNodes(context);
    assert.equal(row!.status.words, twoFiring);
    assert.equal(row!.contextValue, 'server canFollow hasId hasName canRefresh canRename firing');
    assert.equal(firingCount(store, servers), 2);
    assert.equal(find([row!], 'off').status.words, `${off}, firing`);
    assert.deepEqual(find([row!], 'web-api: errors').target.follow, {
      filter: { workloadIds: [uuid(10)] },
      label: 'web-api: errors',
    });
    assert.deepEqual(find([row!], '503 · recommender: GET /healthz').target.follow?.filter, {
      serverIds: [server],
    });
  });

  it('has tooltips of one sentence and a few facts, ids last', async () => {
    const { context } = await monitored();
    const nodes = serverNodes(context);
    const cpuNode = find(nodes, 'web-api: CPU');
    const average = uiText('{0} over {1}', 'average', '5 min');
    assert.equal(
      cpuNode.sentence(),
      `CPU 41.7 %, ${uiText('limit {0}', '80 %')}, ${average}, warning`,
    );
    assert.equal(
      detailText(cpuNode),
      lines(`
        ${uiText('Status')}: OK
        ${uiText('Evaluated')}: 2026-11-20 11:59:00 UTC (1 min. ago)
        ${uiText('Workload')}: web-api
        ${uiText('ID')}: ${uuid(20)}
      `),
    );
    const [every, status] = [uiText('every {0}', '30 sec'), uiText('status {0} to {1}', 200, 299)];
    assert.equal(
      find(nodes, '503 · recommender: GET /healthz').sentence(),
      `GET https://recommender.shop.example/healthz, ${uiText('{0} in {1}', 503, '5 sec')}: wanted 200 to 299, ${every}, ${status}, critical`,
    );
    const one = uiText('status {0}', 204);
    assert.equal(find(nodes, 'one status').sentence(), `GET, ${one}`);
    for (const bound of ['expectedStatusMin', 'expectedStatusMax']) {
      const rule = {
        id: uuid(25),
        name: 'half',
        condition: { http: { method: 'GET', [bound]: 204 } },
      };
      const { context: other } = await monitored(read('AlertListing', { rules: [rule] }));
      assert.equal(find(serverNodes(other), 'half').sentence(), `GET, ${one}`, bound);
    }
    assert.equal(
      detailText(nodes[0]!),
      lines(`
        ${alertRules}: 5
        ${workloads}: web-api, backup
        ${destinations}: chat-a, webhook
        ${uiText('ID')}: ${server}
      `),
    );
  });

  it('says in the label of a rule what is beyond which limit, in words', async () => {
    const metric = (
      name: string | undefined,
      operator: string,
      threshold: number,
      observedValue: number,
      evaluationState = 'firing',
    ): object => ({
      ...(name === undefined ? {} : { name: `web-api: ${name} ${operator} ${threshold}` }),
      evaluationState,
      observedValue,
      condition: { metric: name ?? 'queueLength', operator, threshold },
    });
    const { context } = await monitored(
      read('AlertListing', {
        rules: [
          metric('errorRatePercent', 'above', 2, 6.4),
          metric('freeDiskBytes', 'below', 500, 20),
          metric('p95LatencySeconds', 'about', 90, 120),
          metric('cpuPercent', 'above', 80, 41.7, 'ok'),
          metric(undefined, 'above', 7, 9),
        ],
      }),
    );
    const rules = serverNodes(context)[0]!.children()[0]!.children();
    assert.equal(
      treeText(rules),
      lines(`
        [bell-dot] web-api: error rate 6.4 > 2
        [bell-dot] web-api: free disk 20 < 500
        [bell-dot] web-api: p95 latency 120 about 90
        [pass] web-api: CPU > 80 — OK · 41.7 %
        [bell-dot] queue length 9 > 7
      `),
    );
    assert.deepEqual(
      rules.map((rule) => rule.sentence()),
      [
        `Error rate 6.4 %, ${uiText('limit {0}', '2 %')}`,
        `Free disk 20 B, ${uiText('lower limit {0}', '500 B')}`,
        'P95 latency 2 min, about 1 min 30 sec',
        `CPU 41.7 %, ${uiText('limit {0}', '80 %')}`,
        `Queue length 9, ${uiText('limit {0}', '7')}`,
      ],
    );
    const order = arrange(rules, { text: '', states: [] }, 'name', []);
    assert.deepEqual(
      order.map(({ label }) => label).at(-1),
      'web-api: CPU > 80',
      'what fires comes first',
    );
  });

  it('shows the available data if fields are missing, and unknown states unchanged', async () => {
    const { context } = await monitored(
      read('AlertListing', {
        rules: [
          {},
          {
            id: uuid(40),
            condition: { metric: 'moons', operator: 'beside' },
            evaluationState: 'waxing',
          },
          { name: 'windows', condition: { windowSeconds: 60 } },
          { name: 'http', condition: { http: {} }, httpCheck: { reason: 'why not' } },
        ],
        destinations: [{}],
        providers: { smtp: 'maybe' },
        workloads: [{}],
      }),
    );
    assert.equal(
      treeText(serverNodes(context)),
      lines(`
        [server] fra-app-1
          [bell] ${alertRules}
            [circle-large-outline] ${uiText('Alert rule')}
            [circle-large-outline] moons beside — waxing
            [circle-large-outline] windows
            [circle-large-outline] http — why not
          [mail] ${destinations}
            [mail] ${uiText('Destination')}
          [package] ${workloads}
            [package] ${uiText('Workload')}
      `),
    );
  });

  it('has no blank row: what has a blank name is named as if it had none', async () => {
    const { context, load } = scene(
      {
        listAlertRules: gives('AlertListing', {
          rules: [{ id: uuid(20), name: '', condition: { metric: '_' } }],
          destinations: [{ id: uuid(30), provider: ' ' }],
          providers: { ' ': true },
          workloads: [{ id: uuid(10), name: '' }],
        }),
      },
      { servers },
    );
    await load(topic);
    const labels = serverNodes(context)[0]!
      .children()
      .flatMap((group) => group.children().map(({ label }) => label));
    assert.deepEqual(labels, ['00000000', '00000000', uiText('Provider'), '00000000']);
  });

  it('shows missing values, and that nothing is monitored', async () => {
    const refused = scene({}, { servers });
    await refused.load(topic);
    assert.include(
      treeText(serverNodes(refused.context)),
      `  [lock] ${uiText('Not allowed ({0})', 'alert.read')}`,
    );
    const empty = await monitored({});
    assert.include(
      treeText(serverNodes(empty.context)),
      `  [dash] ${uiText('Nothing is monitored')}`,
    );
  });

  it('describes each kind of failure', async () => {
    const row = async (error: Error): Promise<TreeNode> => {
      const { context, load } = scene({ listAlertRules: () => Promise.reject(error) }, { servers });
      await load(topic);
      return serverNodes(context)[0]!.children()[0]!;
    };
    const words = localizableMessage('is not a UUID');
    for (const [error, icon, text] of [
      [httpError(401, 'broken'), 'lock', uiText('The API key is not valid')],
      [httpError(404, 'broken'), 'question', uiText('Not found')],
      [httpError(429, 'broken'), 'clock', uiText('Too many requests. Waiting…')],
      [httpError(500, 'broken'), 'warning', uiText('Failed: {0}', 'broken')],
      [
        new ApiError({ kind: 'network', code: 'refused', message: 'refused' }),
        ...['debug-disconnect', uiText('The control plane cannot be reached')],
      ],
      [
        new InvalidRequestError('serverId', words, localizableMessage('a UUID')),
        ...['warning', uiText('Failed: {0}', 'serverId is not a UUID (a UUID)')],
      ],
    ] as const) {
      assert.equal(treeText([await row(error)]), `[${icon}] ${text}`);
    }
    const problem = await row(httpError(404, 'gone'));
    assert.equal(
      detailText(problem),
      lines(`
        ${uiText('Message')}: gone
        ${uiText('Code')}: gone
        ${uiText('Status')}: 404
        ${uiText('Request ID')}: r-1
      `),
    );
    assert.include(problem.target.error, { status: 404 });
  });

  it('names a server after its name in configurations, otherwise after its workloads', async () => {
    const { context, load } = scene(
      {
        listAlertRules: () => Promise.resolve(listing),
        listResources: () =>
          Promise.resolve({ resources: [{ id: uuid(11), config: { server: 'hel-data-1' } }] }),
      },
      { servers: [{ id: server }], sources: [{ id: uuid(2) }] },
    );
    const label = (): string => serverNodes(context)[0]!.label;
    assert.equal(label(), '00000000');
    await load(topic);
    assert.equal(label(), 'backup, web-api');
    await load({ kind: 'resources', id: uuid(2) });
    assert.equal(label(), 'hel-data-1');
  });
});
