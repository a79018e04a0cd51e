import { Ajv2020 } from 'ajv/dist/2020';
import { assert } from 'chai';
import contract from '../../../src/api/openapi.json';
import { permissions } from '../../control-plane/keys';
import { always, Harness, type Asked } from './harness';

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, validateFormats: false });
ajv.addSchema({ ...contract, $id: 'contract' });

/** The problems of a value under the schema of this name. */
function problems(name: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
  if (!validate) throw new Error(`No schema ${name}`);
  return validate(value) ? [] : (validate.errors ?? []);
}

describe('The contract of the embedded control plane', () => {
  let harness: Harness;
  before(() => {
    harness = Harness.inMemory({ historyRecords: 50 });
  });
  after(() => harness.server.close());

  /** A valid request for every operation, with the status and the schema of its answer. */
  function requests(): [string, string, Asked, number, string][] {
    const { servers, sources, workloads } = harness.server.world;
    const server = `/servers/${servers[0]!.id}`;
    const source = `/sources/${sources[0]!.id}`;
    const environment = `${source}/environments/${sources[0]!.environmentId}`;
    const idempotency = { headers: { 'idempotency-key': 'k' }, body: { items: [{ name: 'old' }] } };
    const post = { method: 'POST' };
    const logs = { body: { filters: always } };
    return [
      ['logs.read', '/logs/query', logs, 200, 'LogQueryResponse'],
      ['server.remove', `${server}/actions/cleanup-orphans`, idempotency, 202, 'CleanupResponse'],
      ['alert.read', `${server}/monitor-alerts`, {}, 200, 'AlertListing'],
      ['repository.read', `${source}/resources`, {}, 200, 'ResourceListing'],
      ['secret.list', `${source}/secrets?environment=production`, {}, 200, 'SecretListing'],
      ['repository.connect', '/codehost-b/repositories?page=2', {}, 200, 'RepositoryListing'],
      ['resource.read', `/resources/${workloads[0]!.id}/deployments`, {}, 200, 'DeploymentListing'],
      ['repository.sync', `${environment}/syncs`, post, 202, 'SyncResponse'],
      [
        'integration.manage',
        '/codehost-a/actions/retry-preview-reporting',
        post,
        200,
        'PreviewReportingResponse',
      ],
      ['integration.manage', '/integrations', {}, 200, 'IntegrationListing'],
    ];
  }

  it('answers every operation with its schema, localization, a request id and a date', async () => {
    for (const [, path, asked, status, schema] of requests()) {
      const answer = await harness.ask(path, asked);
      assert.equal(answer.status, status, `${path} ${answer.text}`);
      assert.deepEqual(problems(schema, answer.json), [], path);
      const { localization } = answer.json as { localization: unknown };
      assert.deepEqual(problems('LogLocalization', localization), [], path);
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
      assert.equal(answer.headers.get('date'), 'Fri, 20 Nov 2026 12:00:00 GMT');
    }
  });

  it('describes every member that it sends', async () => {
    const known = JSON.stringify(contract.components.schemas);
    const check = (value: unknown, path: string): void => {
      if (Array.isArray(value)) value.forEach((item) => check(item, path));
      else if (typeof value === 'object' && value !== null) {
        for (const [name, member] of Object.entries(value)) {
          // The members of these are data.
          if (['timestamps', 'attributes', 'sync', 'arguments', 'inheritedOrigins'].includes(name))
            continue;
          assert.include(known, `"${name}":`, `${path}: ${name}`);
          check(member, path);
        }
      }
    };
    for (const [, path, asked] of requests()) check((await harness.ask(path, asked)).json, path);
  });

  it('sends log pages of the schema as events', async () => {
    const tail = await harness.tail({});
    harness.server.admin.emit(3);
    const { value } = await tail.events.next();
    assert.equal(value?.name, 'records');
    assert.deepEqual(problems('LogPage', JSON.parse(value?.data ?? '')), []);
    tail.close();
  });

  it('requires a key for everything, and the permission that the contract names', async () => {
    for (const [permission, path, asked] of requests()) {
      assert.equal(await harness.refusal(path, { ...asked, key: '' }, 401), 'unauthorized');
      assert.equal(await harness.refusal(path, { ...asked, key: 'demo-none' }, 403), 'forbidden');
      for (const missing of permissions) {
        const key = `demo-without-${missing.replace('.', '-')}`;
        const { status } = await harness.ask(path, { ...asked, key });
        assert.equal(status === 403, missing === permission, `${path} ${key} ${status}`);
      }
    }
    const basic = { key: '', headers: { authorization: 'Basic abc' } };
    assert.equal(await harness.refusal('/integrations', basic, 401), 'unauthorized');
  });

  it('lets demo-readonly read everything and demo-logs read logs', async () => {
    const allowed = async (key: string): Promise<string[]> => {
      const result: string[] = [];
      for (const [permission, path, asked] of requests()) {
        if ((await harness.ask(path, { ...asked, key })).status < 300) result.push(permission);
      }
      return result;
    };
    const reads = ['logs.read', 'alert.read', 'repository.read', 'secret.list', 'resource.read'];
    assert.deepEqual(await allowed('demo-readonly'), reads);
    assert.deepEqual(await allowed('demo-logs'), ['logs.read']);
  });

  it('refuses unknown parameters and members, unexpected bodies and unknown endpoints', async () => {
    for (const [, path, asked] of requests()) {
      const extra = `${path}${path.includes('?') ? '&' : '?'}extra=1`;
      assert.equal(await harness.refusal(extra, asked, 400), 'invalid_request', extra);
      const { body } = asked;
      const changed = { ...asked, method: asked.body || asked.method ? 'POST' : 'GET' };
      if (changed.method === 'GET') continue;
      const more = { ...(typeof body === 'object' ? body : {}), extra: 1 };
      const refused = await harness.refusal(path, { ...changed, body: more }, 400);
      assert.equal(refused, 'invalid_request', path);
    }
    const unknown = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
    for (const path of [
      `/servers/${unknown}/monitor-alerts`,
      `/sources/${unknown}/resources`,
      `/resources/${unknown}/deployments`,
      `/operations/${unknown}`,
      '/nowhere',
    ]) {
      assert.equal(await harness.refusal(path, {}, 404), 'not_found', path);
    }
    assert.equal(await harness.refusal('/sources/nonsense/resources', {}, 400), 'invalid_request');
  });

  it('refuses an idempotency key that was used for another request', async () => {
    const path = `/servers/${harness.server.world.servers[0]!.id}/actions/cleanup-orphans`;
    const asked = (name: string): Asked => ({
      headers: { 'idempotency-key': 'used' },
      body: { items: [{ name }] },
    });
    const statuses: number[] = [];
    for (const name of ['old', 'old', 'other']) {
      statuses.push((await harness.ask(path, asked(name))).status);
    }
    assert.deepEqual(statuses, [202, 202, 409]);
    assert.equal(await harness.refusal(path, asked('other'), 409), 'idempotency_key_reused');
  });

  it('refuses values outside the limits, incomplete JSON and bodies that are too large', async () => {
    const code = (body: unknown, status = 400) => harness.refusal('/logs/query', { body }, status);
    const group = (count: number) => ({
      match: 'and',
      conditions: Array.from({ length: count }, () => ({
        field: 'service',
        operator: 'exists',
        value: '',
      })),
    });
    for (const bad of [
      { limit: 0 },
      { limit: 501 },
      { direction: 'sideways' },
      { cursor: 'x'.repeat(8193) },
      { filters: { ...always, from: '2026-02-29T00:00:00Z' } },
      { filters: { from: always.to, to: always.from } },
      { filters: { ...always, workloadIds: ['nonsense'] } },
      { filters: { ...always, search: 'x'.repeat(513) } },
      { filters: { ...always, conditionGroup: group(9) } },
      { filters: { ...always, nonsense: 1 } },
    ]) {
      assert.equal(await code({ filters: always, ...bad }), 'invalid_request', JSON.stringify(bad));
    }
    assert.equal(await code('{"filters":'), 'invalid_request');
    assert.equal(await code({ filters: always, x: 'x'.repeat(300_000) }, 413), 'payload_too_large');
    const tailWithStream = { body: { filters: { ...always, stream: 'stdout' } } };
    assert.equal(await harness.refusal('/logs/tail', tailWithStream, 400), 'invalid_request');
    const plain = { body: 'x', headers: { 'content-type': 'text/plain' } };
    assert.equal(await harness.refusal('/logs/query', plain, 400), 'invalid_request');
  });
});
