import { assert } from 'chai';
import * as vscode from 'vscode';
import type { CallOptions, ControlPlaneClient } from '../../../src/api/client';
import { createClient } from '../../../src/api/createClient';
import type { LogQueryRequest, LogTailRequest } from '../../../src/api/types';
import { hour, minute } from '../../../src/base/clock';
import { systemClock } from '../../../src/vscode/systemClock';
import * as settings from '../../../src/vscode/settings';
import manifest from '../../../package.json';
import { setScene, shownTexts } from '../scene';

const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
const { signal } = new AbortController();
type Ask = (client: ControlPlaneClient, options: CallOptions) => Promise<unknown>;

/** The URL that the client requests with the settings of VS Code, and its shortest time-out in ms. */
async function requested(ask: Ask): Promise<URL & { readonly timeout: number }> {
  let url = '';
  const timers: number[] = [];
  const client = createClient({
    baseUrl: 'https://control-plane.example',
    token: () => Promise.resolve('key'),
    fetch(request) {
      ({ url } = request);
      return Promise.resolve(Response.json({}));
    },
    clock: {
      ...systemClock,
      setTimer(callback, ms) {
        timers.push(ms);
        return systemClock.setTimer(callback, ms);
      },
    },
    random: () => 0.5,
    settings: settings.apiSettings,
  });
  await ask(client, { signal, priority: 'person' });
  // Later ones are pauses between two steps of reading.
  return Object.assign(new URL(url), { timeout: timers[0] ?? NaN });
}

const alerts: Ask = (client, options) =>
  client.listAlertRules({ serverId: id, deployableId: id }, options);
const repositories: Ask = (client, options) =>
  client.listRepositories({ search: 'shop', page: 2 }, options);
const path = async (ask: Ask): Promise<string> => (await requested(ask)).pathname;
const query = async (ask: Ask): Promise<string> => (await requested(ask)).search;

/** Each setting with another value than its default, and what it decides: with and without it. */
const effects: Readonly<Record<string, readonly [unknown, () => unknown, unknown, unknown]>> = {
  'api.segments.monitorAlerts': [
    'watch',
    () => path(alerts),
    `/v1/api/servers/${id}/monitor-alerts`,
    `/v1/api/servers/${id}/watch`,
  ],
  'api.segments.repositories': [
    'gitplace',
    () => path(repositories),
    '/v1/api/codehost-b/repositories',
    '/v1/api/gitplace/repositories',
  ],
  'api.segments.previewReporting': [
    'githome',
    () => path((client, options) => client.retryPreviewReporting({}, options)),
    '/v1/api/codehost-a/actions/retry-preview-reporting',
    '/v1/api/githome/actions/retry-preview-reporting',
  ],
  'api.operationPath': [
    '/jobs/{operationId}',
    () => path((client, options) => client.getOperation({ operationId: '7' }, options)),
    '/v1/api/operations/7',
    '/v1/api/jobs/7',
  ],
  'api.descriptionPath': [
    '/docs/api.json',
    () => path((client, options) => client.readDescription({}, options).catch(() => undefined)),
    '/v1/api/openapi.json',
    '/v1/api/docs/api.json',
  ],
  'api.parameters.alertsDeployable': [
    'unit',
    () => query(alerts),
    `?deployableId=${id}`,
    `?unit=${id}`,
  ],
  'api.parameters.secretsEnvironment': [
    'scope',
    () =>
      query((client, options) =>
        client.listSecrets({ ownerId: id, environment: 'production' }, options),
      ),
    '?environment=production',
    '?scope=production',
  ],
  'api.parameters.repositoriesSearch': [
    'q',
    async () => /\w+=shop/.exec(await query(repositories))?.[0],
    'search=shop',
    'q=shop',
  ],
  'api.parameters.repositoriesPage': [
    'p',
    async () => /\w+=2/.exec(await query(repositories))?.[0],
    'page=2',
    'p=2',
  ],
  'api.timeoutSeconds': [7, async () => (await requested(alerts)).timeout, 20_000, 7000],
  'api.tailAheadHours': [3, settings.tailAhead, 168 * hour, 3 * hour],
  'api.states': [{ rolling: 'running' }, settings.apiStates, {}, { rolling: 'running' }],
  'api.firingStates': [{ red: true }, settings.apiFiringStates, {}, { red: true }],
  'refresh.intervalSeconds': [60, settings.refreshSeconds, 30, 60],
  'logs.initialLines': [2, () => settings.logSettings().initialLines, 200, 2],
  'logs.maxLines': [5000, () => settings.logSettings().maxLines, 20_000, 5000],
  'logs.maxExportRecords': [4000, settings.maxExportRecords, 1_000_000, 4000],
  'logs.showAttributes': [true, () => settings.logSettings().showAttributes, false, true],
  'logs.bodies': ['raw', () => settings.logSettings().bodies, 'readable', 'raw'],
  'logs.severity': ['server', () => settings.logSettings().severity, 'body', 'server'],
  'logs.joinLines': [false, () => settings.logSettings().joinLines, true, false],
  // The scene sets the first of these, so that no test depends on the machine.
  'logs.timeZone': [
    'workspace',
    () => settings.logTimeZone({ timeZone: 'Asia/Tokyo' }),
    'utc',
    'Asia/Tokyo',
  ],
  'code.errors': ['marksAndProblems', settings.codeErrors, 'off', 'marksAndProblems'],
  'code.logStatements': ['count', settings.logStatementLinks, 'link', 'count'],
  'code.decorations': [false, settings.decoratesFiles, true, false],
  'alerts.notify': ['firing', settings.alertNotifications, 'off', 'firing'],
  'errors.notify': [true, settings.notifiesOfErrors, false, true],
  'activity.notify': [true, settings.notifiesOfActivity, false, true],
  'deployments.notify': ['all', settings.deploymentNotifications, 'mine', 'all'],
  'ai.enabled': [true, settings.aiEnabled, false, true],
  'ai.mcp': [true, settings.mcpEnabled, false, true],
  'ai.mcpPath': ['/mcp', settings.mcpPath, '/v1/mcp', '/mcp'],
};
/** They are lists, or of a folder, and have their own tests. */
const lists = ['connections', 'sources', 'servers', 'logs.savedSearches', 'logs.pathMappings'];

describe('A setting', () => {
  const scene = setScene({}, { shared: true });

  async function decided(): Promise<Readonly<Record<string, unknown>>> {
    const all: Record<string, unknown> = {};
    for (const [name, [, read]] of Object.entries(effects)) all[name] = await read();
    return all;
  }

  it('is in the table', () => {
    const all = manifest.contributes.configuration
      .flatMap(({ properties }) => Object.keys(properties))
      .sort();
    const tested = [...Object.keys(effects), ...lists].map((name) => `controlPlane.${name}`);
    assert.deepEqual(tested.sort(), all);
  });

  for (const [name, [value, , usual, expected]] of Object.entries(effects)) {
    it(`${name} decides what it says, and nothing else`, async () => {
      const inspected = vscode.workspace.getConfiguration('controlPlane').inspect(name);
      const before = await decided();
      assert.deepEqual(before[name], usual);
      try {
        await scene.set(name, value);
        assert.deepEqual(await decided(), { ...before, [name]: expected });
      } finally {
        await scene.set(name, inspected?.globalValue);
      }
    });
  }
});

describe('The settings of following', () => {
  const scene = setScene(
    {},
    { settings: { 'logs.initialLines': 2, 'logs.bodies': 'raw', 'api.tailAheadHours': 3 } },
  );

  it('are those of its requests and lines', async () => {
    await scene.connect();
    const body = '{"level":"info","msg":"order placed"}';
    await scene.emit('one', 'two', body);
    await scene.follow();
    assert.deepEqual(await shownTexts(2), ['two', body]);
    const bodies = async (of: string): Promise<unknown[]> =>
      (await scene.requests(of)).map(({ body: text }) => JSON.parse(text ?? '') as unknown);
    const queries = (await bodies('/logs/query')) as LogQueryRequest[];
    assert.includeDeepMembers(
      queries.map(({ limit }) => limit),
      [2],
    );
    const [tail] = (await bodies('/logs/tail')) as LogTailRequest[];
    const ahead = Date.parse(tail?.filters.to ?? '') - Date.now();
    assert.approximately(ahead, 3 * hour, 10 * minute);
  });
});
