import { assert } from 'chai';
import { ApiError, InvalidRequestError, localizableMessage } from '../../../../src/api/errors';
import type { AlertListing } from '../../../../src/api/types';
import { firingCount } from '../../../../src/trees/alerts/alertWatch';
import { serverNodes, serverKeys } from '../../../../src/trees/servers/serverNodes';
import type { TreeNode } from '../../../../src/trees/nodes';
import { uiText } from '../../../host/texts';
import { httpError } from '../../data/fakeClient';
import { detailText, find, lines, read, scene, treeText, uuid } from '../treeText';

const twoFiring = uiText('{0} firing', 2);
const off = uiText('off');
const available = uiText('available');
const alertRules = uiText('Alert Rules');
const destinations = uiText('Destinations');
const workloads = uiText('Workloads');
const observed = uiText('observed {0}', '41.7');
const server = uuid(1);
const servers = [{ id: server, label: 'fra-app-1' }];
const topic = { kind: 'alerts', serverId: server } as const;

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
  it('marks entries from the settings of a folder, in the row and in its tooltip (F70)', () => {
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
    const average = uiText('{0} over {1}', 'average', '5 min');
    const every = uiText('every {0}', '30 sec');
    const status = uiText('status {0} to {1}', 200, 299);
    const late = uiText('{0} in {1}', 503, '5 sec');
    assert.deepEqual(serverKeys(context), [topic]);
    assert.equal(
      treeText(serverNodes(context)),
      lines(`
        [server] fra-app-1 — ${twoFiring}
          [bell-dot] ${alertRules} — ${twoFiring}
            [pass-filled] web-api: CPU — ok · warning · cpuPercent above 80, ${average} · ${observed}
            [bell-dot] web-api: errors — firing · critical · errorRatePercent above 2 · ${uiText('observed {0}', '6.4')}
            [bell-dot] recommender: GET /healthz — Firing · critical · GET https://recommender.shop.example/healthz, ${every}, ${status} · ${late}: wanted 200 to 299
            [bell-slash] off — ${off} · firing · warning · cpuPercent above 80, ${average} · ${observed}
            [circle-large-outline] one status — GET, ${uiText('status {0}', 204)}
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
    assert.deepEqual(find([row!], 'recommender: GET /healthz').target.follow?.filter, {
      serverIds: [server],
    });
  });

  it('shows every received field in the tooltip', async () => {
    const { context } = await monitored();
    const nodes = serverNodes(context);
    assert.equal(
      detailText(find(nodes, 'web-api: CPU')),
      lines(`
        Id: ${uuid(20)}
        Name: web-api: CPU
        Server id: ${server}
        Deployable id: ${uuid(10)}
        Enabled: ${uiText('yes')}
        Severity: warning
        Evaluation state: ok
        Evaluated at: 2026-11-20 11:59:00 UTC (1 min. ago)
        Observed value: 41.7
        Condition › Metric: cpuPercent
        Condition › Operator: above
        Condition › Threshold: 80
        Condition › Window seconds: 300
        Condition › Aggregation: average
      `),
    );
    assert.equal(
      detailText(nodes[0]!),
      `${uiText('Server')}: ${server}\nCan manage: ${uiText('no')}`,
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
            [circle-large-outline] windows — ${uiText('over {0}', '1 min')}
            [circle-large-outline] http — why not
          [mail] ${destinations}
            [mail] ${uiText('Destination')}
          [package] ${workloads}
            [package] ${uiText('Workload')}
      `),
    );
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
    const words = async (status: number): Promise<string> =>
      treeText([await row(httpError(status, 'broken'))]);
    assert.equal(await words(401), `[lock] ${uiText('The API key is not valid')}`);
    assert.equal(await words(404), `[question] ${uiText('Not found')}`);
    assert.equal(await words(429), `[clock] ${uiText('Too many requests. Waiting…')}`);
    assert.equal(await words(500), `[warning] ${uiText('Failed: {0}', 'broken')}`);
    const gone = new ApiError({ kind: 'network', code: 'refused', message: 'refused' });
    assert.equal(
      treeText([await row(gone)]),
      `[debug-disconnect] ${uiText('The control plane cannot be reached')}`,
    );
    assert.equal(
      treeText([
        await row(
          new InvalidRequestError(
            'serverId',
            localizableMessage('is not a UUID'),
            localizableMessage('a UUID'),
          ),
        ),
      ]),
      `[warning] ${uiText('Failed: {0}', 'serverId is not a UUID (a UUID)')}`,
    );
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
    await load({ kind: 'resources', sourceId: uuid(2) });
    assert.equal(label(), 'hel-data-1');
  });
});
