import { Ajv2020 } from 'ajv/dist/2020';
import { assert } from 'chai';
import {
  describedValue,
  readServerDescription,
  type DescribedOperation,
  type OperationFacts,
} from '../../../src/api/serverDescription';
import type { InMemoryOptions } from '../../control-plane/inMemory';
import { fakeClock, type FakeClock } from '../fakeClock';
import { always, Harness, type Asked } from './harness';

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content: Record<string, object> }>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;
type Json = Record<string, unknown>;
type Row = Json & { readonly id: string; readonly name: string };

const nowhere = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
const post = { method: 'POST' };

describe('The real face of the embedded control plane', () => {
  let harness: Harness;
  let clock: FakeClock;

  function open(options: Partial<InMemoryOptions> = {}): void {
    clock = fakeClock();
    const unkind = { perMinute: { key: 100_000, workspace: 100_000 } };
    harness = Harness.inMemory({ clock, like: 'real', unkind, ...options });
  }
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(harness.server.admin.takeReports(), []);
    await harness.server.close();
  });

  const body = async (path: string, asked?: Asked): Promise<Json> => {
    const { status, json } = await harness.ask(path, asked);
    assert.oneOf(status, [200, 202], `${path} ${JSON.stringify(json)}`);
    return json as Json;
  };
  const rows = async (path: string, member: string): Promise<Row[]> =>
    (await body(path))[member] as Row[];
  const source = (index: number): string => `/sources/${harness.server.world.sources[index]!.id}`;
  const server = (index: number): string => `/servers/${harness.server.world.servers[index]!.id}`;
  const production = (index: number): string =>
    `${source(index)}/environments/${harness.server.world.sources[index]!.environmentId}`;
  const cleanUp = (key: string, ...items: readonly object[]): Asked => ({
    headers: { 'idempotency-key': key },
    body: { items },
  });
  /** What a request of a client of ours should never be answered, and so is reported. */
  const refused = async (path: string, asked: Asked, outcome: string): Promise<void> => {
    assert.equal(await harness.outcome(path, asked), outcome, path);
    assert.lengthOf(harness.server.admin.expectReport('brokenContract'), 1);
  };

  describe('admits a request', () => {
    it('if its key, its method, its endpoint and its permission are right, in this order', async () => {
      for (const [path, asked, outcome] of [
        ['/nowhere', { key: '' }, '401 UNAUTHORIZED'],
        ['/nowhere', { headers: { origin: 'https://page.example' } }, '403 FORBIDDEN'],
        ['/nowhere', { key: '', headers: { origin: 'https://page.example' } }, '403 FORBIDDEN'],
        ['/nowhere', { ...post, key: 'demo-readonly' }, '403 FORBIDDEN'],
        ['/nowhere', post, '404 NOT_FOUND'],
        [`/operations/${nowhere}`, {}, '404 NOT_FOUND'],
        ['/servers/nonsense', { key: 'demo-none' }, '403 FORBIDDEN'],
        [`/servers/${nowhere}/orphans`, { key: 'demo-none' }, '403 FORBIDDEN'],
        [`/servers/${nowhere}/orphans`, {}, '404 NOT_FOUND'],
        [`/sources/${nowhere}/secrets`, { key: 'demo-none' }, '404 NOT_FOUND'],
        ['/sources/nonsense/secrets', { key: 'demo-none' }, '400 INVALID_PATH_PARAMETER'],
        ['/logs/query', { key: 'demo-readonly', body: { filters: always } }, '403 FORBIDDEN'],
        ['/integrations', { key: 'demo-readonly' }, '403 FORBIDDEN'],
        ['/servers', { key: 'demo-readonly' }, '200'],
        ['/integrations', { key: 'demo-member' }, '403 FORBIDDEN'],
      ] satisfies [string, Asked, string][]) {
        assert.equal(
          await harness.outcome(path, asked),
          outcome,
          `${path} ${JSON.stringify(asked)}`,
        );
      }
    });

    it('if its path, its query and its body are as described', async () => {
      const orphans = `${server(0)}/actions/cleanup-orphans`;
      const item = { kind: 'volume', name: 'old-data-0' };
      for (const [path, asked, outcome = '400 INVALID_REQUEST'] of [
        ['/servers/nonsense/orphans', {}],
        [`${source(0)}/resources?page=1`, {}],
        ['/sources?view=some', {}],
        ['/sources?q=a&q=b', {}],
        [`${server(0)}/watch-alerts?workloadId=${nowhere}`, {}],
        [`${server(0)}/watch-alerts?deployableId=web-api`, {}],
        [`${source(0)}/secrets?environment=Production`, {}],
        ['/gitlab/repositories', {}],
        ['/gitlab/repositories?search=shop', {}],
        ['/gitlab/repositories?integration=shop-forge&page=0', {}],
        [orphans, cleanUp('k', { name: 'old-data-0' })],
        [orphans, cleanUp('k', { ...item, kind: 'workload' })],
        [orphans, cleanUp('k', { ...item, reason: 'none' })],
        [orphans, cleanUp('k')],
        [orphans, { body: { items: [item] } }, '400 IDEMPOTENCY_KEY_REQUIRED'],
        [orphans, cleanUp(' ', item), '400 IDEMPOTENCY_KEY_REQUIRED'],
        [orphans, cleanUp('k'.repeat(256), item), '400 IDEMPOTENCY_KEY_REQUIRED'],
        [orphans, { ...cleanUp('k'), body: '{"items":' }, '400 MALFORMED_JSON'],
        [orphans, { ...cleanUp('k', item), headers: { 'content-type': 'text/plain' } }],
        ['/logs/query', { body: { filters: { ...always, nonsense: 1 } } }],
      ] satisfies [string, Asked, string?][]) {
        await refused(path, asked, outcome);
      }
      assert.equal(await harness.outcome(`${server(0)}/watch-alerts?deployableId=server`), '200');
    });

    it('up to sixty times in a minute from an address, and says how many are left', async () => {
      open({ unkind: {} });
      const heads = async (asked?: Asked): Promise<(string | null)[]> => {
        const { status, headers } = await harness.ask('/identity', asked);
        const names = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
        return [String(status), ...[...names, 'retry-after'].map((name) => headers.get(name))];
      };
      const reset = String(clock.now() / 1000 + 60);
      assert.deepEqual(await heads(), ['200', '60', '59', reset, null]);
      await clock.advance(20_000);
      for (let index = 1; index < 60; index++) await heads({ key: index % 2 ? '' : 'demo-none' });
      assert.deepEqual(await heads({ key: '' }), ['429', '60', '0', reset, '40']);
      assert.deepEqual(await heads(), ['429', '60', '0', reset, '40']);
      await clock.advance(40_000);
      assert.deepEqual((await heads())[0], '200');
      harness.server.admin.unkind({ perMinute: { key: 2, workspace: 10 } });
      await heads();
      assert.deepEqual((await heads())[4], '60', 'that of a key is a whole window');
    });
  });

  it('answers each endpoint as its description says', async () => {
    const document = await body('/openapi.json', { key: 'demo-none' });
    const paths = document['paths'] as Paths;
    const { components } = document as { components: object };
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { servers, sources, workloads } = harness.server.world;
    const app = workloads.find(({ name }) => name === 'web-api')!;
    const [store] = await rows(`${source(0)}/resources`, 'resources');
    const [deployment] = await rows(`/apps/${app.id}/deployments`, 'deployments');
    const environment = { environmentId: sources[0]!.environmentId };
    const { sync } = (await body(`${production(0)}/syncs`, post)) as { sync: Row };
    const ids: Record<string, string> = {
      ...{ serverId: servers[0]!.id, sourceId: sources[0]!.id, ownerId: sources[0]!.id },
      ...{ appId: app.id, resourceId: store!.id, deploymentId: deployment!.id },
      ...{ syncId: sync.id, ...environment },
    };
    const bodies: Record<string, object> = {
      post_servers_by_id_actions_cleanup_orphans: {
        items: [{ kind: 'volume', name: 'old-data-0' }],
      },
      patch_sources_by_id_environments_by_id_auto_deploy_control: { paused: false },
      post_logs_query: { filters: always },
    };
    let count = 0;
    for (const [template, methods] of Object.entries(paths)) {
      for (const [method, described] of Object.entries(methods)) {
        const { operationId, parameters, responses } = described;
        if (operationId === 'post_logs_tail') continue;
        const path = template
          .slice('/v1/api'.length)
          .replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
        const needsIntegration = parameters.some(({ name }) => name === 'integration');
        const answer = await harness.ask(
          path + (needsIntegration ? '?integration=shop-forge' : ''),
          {
            method: method.toUpperCase(),
            headers: { 'idempotency-key': operationId },
            body: bodies[operationId],
          },
        );
        const { content } = responses[String(answer.status)]!;
        const { schema } = content['application/json'] as { schema: object };
        assert.isBelow(answer.status, 300, `${path} ${JSON.stringify(answer.json)}`);
        const isValid = ajv.validate({ ...schema, components }, answer.json);
        assert.isTrue(isValid, `${path} ${JSON.stringify(ajv.errors)}`);
        count++;
      }
    }
    assert.isAbove(count, 35);
  });

  it('is described in a way that the product reads', async () => {
    const facts = readServerDescription(await body('/openapi.json'))!;
    assert.equal(facts.version, '2.0.46');
    const of = (name: DescribedOperation): OperationFacts => {
      const found = facts.operations[name];
      assert(typeof found === 'object', name);
      return found;
    };
    const form = (path: string): string => path.replace(/\{\w+\}/g, '{}');
    for (const [name, path] of [
      ['queryLogs', '/logs/query'],
      ['openLogStream', '/logs/tail'],
      ['cleanUpOrphans', '/servers/{}/actions/cleanup-orphans'],
      ['listAlertRules', '/servers/{}/watch-alerts'],
      ['listResources', '/sources/{}/resources'],
      ['listSecrets', '/sources/{}/secrets'],
      ['listRepositories', '/gitlab/repositories'],
      ['listDeployments', '/resources/{}/deployments'],
      ['syncEnvironment', '/sources/{}/environments/{}/syncs'],
      ['retryPreviewReporting', '/github/actions/retry-preview-reporting'],
      ['listIntegrations', '/integrations'],
      ['getIdentity', '/identity'],
      ['listSources', '/sources'],
      ['listServers', '/servers'],
      ['listApps', '/sources/{}/apps'],
      ['listEnvironments', '/sources/{}/environments'],
      ['listPreviews', '/sources/{}/previews'],
      ['listAppDeployments', '/apps/{}/deployments'],
      ['listSourceDeployments', '/sources/{}/deployments'],
      ['listOrphans', '/servers/{}/orphans'],
      ['getSync', '/sources/{}/syncs/{}'],
      ['listRepositoryConnections', '/gitlab/connections'],
    ] as const) {
      assert.equal(form(of(name).path), path, name);
    }
    assert.equal(facts.operations.getOperation, 'none');
    assert.equal(describedValue(facts, 'operationPath'), '');
    assert.equal(describedValue(facts, 'segments.monitorAlerts'), 'watch-alerts');
    const optional = (name: string) => ({ name, isRequired: false });
    assert.deepEqual(of('listAlertRules').query, {
      deployableId: optional('deployableId'),
    });
    assert.deepEqual(of('listSecrets').query, { environment: optional('environment') });
    assert.deepEqual(of('listRepositories').query, {
      search: { name: 'integration', isRequired: true },
      page: optional('page'),
    });
    assert.deepEqual(of('cleanUpOrphans').body, {
      items: true,
      'items[].kind': true,
      'items[].name': true,
    });
    const paths = (await body('/openapi.json'))['paths'] as Paths;
    assert.equal(
      paths['/v1/api/servers/{serverId}/watch-alerts']!['get']!.operationId,
      'get_servers_by_id_watch_alerts',
    );
  });
});
