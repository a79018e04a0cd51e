import { Ajv2020 } from 'ajv/dist/2020';
import { assert } from 'chai';
import contract from '../../../src/api/openapi.json';
import { permissions } from '../../control-plane/keys';
import { always, Harness, nextPage, type Asked } from './harness';

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, validateFormats: false });
ajv.addSchema({ ...contract, $id: 'contract' });
const known = JSON.stringify(contract.components.schemas);
/** The members of these are data. */
const maps = ['timestamps', 'attributes', 'sync', 'arguments', 'inheritedOrigins'];

/** Checks a value with the schema of this name, which has to describe every member of it. */
function check(name: string, value: unknown): void {
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`)!;
  assert.isTrue(validate(value), `${name} ${JSON.stringify(validate.errors)}`);
  JSON.stringify(value, (member, one: unknown) => {
    if (member !== '' && !/^\d+$/.test(member)) assert.include(known, `"${member}":`, name);
    return maps.includes(member) ? undefined : one;
  });
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
    const sync = `${source}/environments/${sources[0]!.environmentId}/syncs`;
    const retry = '/codehost-a/actions/retry-preview-reporting';
    const cleanUp = { headers: { 'idempotency-key': 'k' }, body: { items: [{ name: 'old' }] } };
    const post = { method: 'POST' };
    const logs = { body: { filters: always } };
    return [
      ['logs.read', '/logs/query', logs, 200, 'LogQueryResponse'],
      ['server.remove', `${server}/actions/cleanup-orphans`, cleanUp, 202, 'CleanupResponse'],
      ['alert.read', `${server}/monitor-alerts`, {}, 200, 'AlertListing'],
      ['repository.read', `${source}/resources`, {}, 200, 'ResourceListing'],
      ['secret.list', `${source}/secrets?environment=production`, {}, 200, 'SecretListing'],
      ['repository.connect', '/codehost-b/repositories?page=2', {}, 200, 'RepositoryListing'],
      ['resource.read', `/resources/${workloads[0]!.id}/deployments`, {}, 200, 'DeploymentListing'],
      ['repository.sync', sync, post, 202, 'SyncResponse'],
      ['integration.manage', retry, post, 200, 'PreviewReportingResponse'],
      ['integration.manage', '/integrations', {}, 200, 'IntegrationListing'],
    ];
  }

  it('answers every operation with its schema, localization, a request id and a date', async () => {
    for (const [, path, asked, status, schema] of requests()) {
      const answer = await harness.ask(path, asked);
      assert.equal(answer.status, status, path);
      check(schema, answer.json);
      check('LogLocalization', (answer.json as { localization: unknown }).localization);
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
      assert.equal(answer.headers.get('date'), 'Fri, 20 Nov 2026 12:00:00 GMT');
    }
    const tail = await harness.tail();
    harness.server.admin.emit(3);
    check('LogPage', await nextPage(tail));
    tail.close();
  });

  it('requires a key for everything, and the permission that the contract names', async () => {
    for (const [permission, path, asked] of requests()) {
      assert.equal(await harness.outcome(path, { ...asked, key: '' }), '401 unauthorized');
      for (const missing of permissions) {
        const key = `demo-without-${missing.replace('.', '-')}`;
        const outcome = await harness.outcome(path, { ...asked, key });
        assert.equal(outcome === '403 forbidden', missing === permission, `${path} ${key}`);
      }
    }
    const basic = { key: '', headers: { authorization: 'Basic abc' } };
    assert.equal(await harness.outcome('/integrations', basic), '401 unauthorized');
  });

  it('refuses an unknown parameter of every operation, and an unknown member of every body', async () => {
    for (const [, path, asked] of requests()) {
      const extra = `${path}${path.includes('?') ? '&' : '?'}extra=1`;
      assert.equal(await harness.outcome(extra, asked), '400 invalid_request', extra);
      if (asked.body === undefined && asked.method === undefined) continue;
      const body = { ...(asked.body as object), extra: 1 };
      assert.equal(await harness.outcome(path, { ...asked, body }), '400 invalid_request', path);
    }
    harness.server.admin.takeReports();
  });

  const logs = (body: object): Asked => ({ body: { filters: always, ...body } });
  const filters = (some: object): Asked => logs({ filters: { ...always, ...some } });
  const condition = { field: 'service', operator: 'exists', value: '' };
  const conditions = Array.from({ length: 9 }, () => condition);
  const headers = { 'content-type': 'text/plain' };
  for (const [what, path, asked, outcome = '400 invalid_request'] of [
    ['a limit of 0', '/logs/query', logs({ limit: 0 })],
    ['a limit above 500', '/logs/query', logs({ limit: 501 })],
    ['an unknown direction', '/logs/query', logs({ direction: 'sideways' })],
    ['a long cursor', '/logs/query', logs({ cursor: 'x'.repeat(8193) })],
    ['an invented cursor', '/logs/query', logs({ cursor: 'made up' }), '422 cursor_invalid'],
    ['an invented cursor', '/logs/tail', logs({ cursor: 'made up' }), '422 cursor_invalid'],
    ['a day that does not exist', '/logs/query', filters({ from: '2026-02-29T00:00:00Z' })],
    ['a backward range', '/logs/query', filters({ from: always.to, to: always.from })],
    ['a filter that is no UUID', '/logs/query', filters({ workloadIds: ['nonsense'] })],
    ['a long search', '/logs/query', filters({ search: 'x'.repeat(513) })],
    ['nine conditions', '/logs/query', filters({ conditionGroup: { match: 'and', conditions } })],
    ['an unknown filter', '/logs/query', filters({ nonsense: 1 })],
    ['a filter that a stream has not', '/logs/tail', filters({ stream: 'stdout' })],
    ['JSON of another type', '/logs/query', { ...logs({}), headers }],
    ['invalid JSON', '/logs/query', { body: '{"filters":' }],
    ['a parameter that is given twice', '/codehost-b/repositories?page=1&page=2', {}],
    ['an invalid UUID', '/sources/nonsense/resources', {}],
    ['a path that is not valid', '/sources/%/resources', {}],
    ['an unexpected body', '/codehost-a/actions/retry-preview-reporting', { body: {} }],
    ['another method', '/logs/query', {}, '404 not_found'],
    ['an unknown endpoint', '/nowhere', {}, '404 not_found'],
  ] as const) {
    it(`refuses and reports ${what}: ${path}`, async () => {
      assert.equal(await harness.outcome(path, asked), outcome);
      const [report, ...others] = harness.server.admin.takeReports();
      assert.deepInclude(report, { kind: 'brokenContract' });
      assert.isEmpty(others);
    });
  }

  it('refuses an idempotency key that was used for another request', async () => {
    const path = `/servers/${harness.server.world.servers[0]!.id}/actions/cleanup-orphans`;
    const outcomes: string[] = [];
    for (const name of ['old', 'old', 'other']) {
      const asked = { headers: { 'idempotency-key': 'used' }, body: { items: [{ name }] } };
      outcomes.push(await harness.outcome(path, asked));
    }
    assert.deepEqual(outcomes, ['202', '202', '409 idempotency_key_reused']);
  });
});
