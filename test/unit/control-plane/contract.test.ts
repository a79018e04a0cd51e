import { Ajv2020 } from 'ajv/dist/2020';
import { assert } from 'chai';
import contract from '../../../src/api/openapi.json';
import { faceRequests } from './faceRequests';
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

  const schemas: Readonly<Record<string, string>> = {
    post_logs_query: 'LogQueryResponse',
    post_servers_cleanup_orphans: 'CleanupResponse',
    get_servers_monitor_alerts: 'AlertListing',
    get_sources_resources: 'ResourceListing',
    get_sources_secrets: 'SecretListing',
    get_repositories: 'RepositoryListing',
    get_resources_deployments: 'DeploymentListing',
    post_sources_environments_syncs: 'SyncResponse',
    post_retry_preview_reporting: 'PreviewReportingResponse',
    get_integrations: 'IntegrationListing',
  };

  it('answers every operation with its schema, localization, a request id and a date', async () => {
    const requests = faceRequests('document', harness.server.world);
    assert.sameMembers(
      requests.map(({ id }) => id),
      Object.keys(schemas),
    );
    for (const { id, path, asked, status } of requests) {
      const answer = await harness.ask(path, asked);
      assert.equal(answer.status, status, path);
      check(schemas[id]!, answer.json);
      check('LogLocalization', (answer.json as { localization: unknown }).localization);
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
      assert.equal(answer.headers.get('date'), 'Fri, 20 Nov 2026 12:00:00 GMT');
    }
    const tail = await harness.tail();
    harness.server.admin.emit(3);
    check('LogPage', await nextPage(tail));
    tail.close();
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
