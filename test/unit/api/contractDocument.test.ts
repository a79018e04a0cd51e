import { Ajv2020 } from 'ajv/dist/2020';
import { assert } from 'chai';
import contract from '../../../src/api/openapi.json';

/** What the API document says, written down by hand: the contract is generated into everything else. */

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, validateFormats: false });
ajv.addSchema({ ...contract, $id: 'contract' });

/** A schema by its path in the contract. */
function accepts(path: string, value: unknown): boolean {
  const validate = ajv.getSchema(`contract#/${path}`);
  assert(validate, path);
  return validate(value) === true;
}

const paths = contract.paths as unknown as Record<string, Record<string, Described>>;

interface Described {
  readonly 'x-permission'?: string;
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** `{…}` is a UUID, and `name?` a query parameter that may be left out. */
const endpoints = `
POST /logs/query logs.read body
POST /logs/tail logs.read body
POST /servers/{serverId}/actions/cleanup-orphans server.remove body Idempotency-Key
GET /servers/{serverId}/monitor-alerts alert.read deployableId?
GET /sources/{sourceId}/resources repository.read
GET /sources/{ownerId}/secrets secret.list environment?
GET /codehost-b/repositories repository.connect search? page?
GET /resources/{resourceId}/deployments resource.read
POST /sources/{sourceId}/environments/{environmentId}/syncs repository.sync
POST /codehost-a/actions/retry-preview-reporting integration.manage
GET /integrations integration.manage`;

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);
const uuid = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
const range = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
const condition = { field: 'service', operator: 'equals', value: '' };
const query = (changes: object): object => ({ filters: range, ...changes });
const filters = (changes: object): object => ({ filters: { ...range, ...changes } });
const where = (changes: object): object =>
  filters({ conditionGroup: { match: 'and', conditions: [{ ...condition, ...changes }] } });
const attribute = (changes: object): object =>
  filters({ attributes: [{ key: 'k', value: '', ...changes }] });

/** Of each limit the last value that is valid, and the first that is not. */
const limits: readonly [schema: string, valid: readonly unknown[], invalid: readonly unknown[]][] =
  [
    [
      'LogQueryRequest',
      [
        ...[
          query({}),
          query({ limit: 1 }),
          query({ limit: 500 }),
          query({ cursor: 'c'.repeat(8192) }),
        ],
        ...['older', 'newer'].map((direction) => query({ direction })),
      ],
      [
        ...[
          {},
          query({ limit: 0 }),
          query({ limit: 501 }),
          query({ limit: 1.5 }),
          query({ more: 1 }),
        ],
        ...[query({ cursor: 'c'.repeat(8193) }), query({ direction: 'up' })],
        ...[{ filters: { from: range.from } }, { filters: { to: range.to } }],
      ],
    ],
    [
      'LogQueryRequest',
      [
        ...['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'].map((ids) =>
          filters({ [ids]: times(50, uuid) }),
        ),
        filters({
          containerIds: times(50, 'a'.repeat(64)),
          environments: ['production', 'preview'],
        }),
        filters({ services: times(50, 's'.repeat(128)), search: 's'.repeat(512) }),
        filters({ severities: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'] }),
        ...['stdout', 'stderr'].map((stream) => filters({ stream })),
        ...['2024-02-29T23:59:59.123456789Z', '2000-02-29T00:00:00Z'].map((from) =>
          filters({ from }),
        ),
        ...[filters({ traceId: 'a'.repeat(32) }), filters({ search: '', attributes: [] })],
      ],
      [
        ...['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'].flatMap((ids) => [
          filters({ [ids]: times(51, uuid) }),
          filters({ [ids]: ['x'] }),
        ]),
        ...[times(51, 'a'.repeat(64)), ['a'.repeat(63)], ['A'.repeat(64)]].map((containerIds) =>
          filters({ containerIds }),
        ),
        ...[times(51, 's'), [''], ['s'.repeat(129)]].map((services) => filters({ services })),
        ...[filters({ environments: ['staging'] }), filters({ severities: ['warning'] })],
        ...[
          filters({ environments: times(3, 'preview') }),
          filters({ severities: times(8, 'info') }),
        ],
        ...[
          filters({ stream: 'stdin' }),
          filters({ search: 's'.repeat(513) }),
          filters({ more: 1 }),
        ],
        ...['a'.repeat(31), 'a'.repeat(33), 'A'.repeat(32)].map((traceId) => filters({ traceId })),
        ...['2026-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2026-11-20T00:00:00', '2026-11-20']
          .concat('2026-11-20T00:00:00+00:00', '2026-13-01T00:00:00Z', '2026-04-31T00:00:00Z')
          .map((from) => filters({ from })),
      ],
    ],
    [
      'LogQueryRequest',
      [
        ...['and', 'or'].map((match) =>
          filters({ conditionGroup: { match, conditions: times(8, condition) } }),
        ),
        ...[
          'serverId',
          'workloadId',
          'deploymentId',
          'previewId',
          'containerId',
          'service',
          'stream',
        ]
          .concat('traceId', 'spanId', 'attribute:a', `attribute:${'a'.repeat(128)}`)
          .map((field) => where({ field })),
        ...[
          'equals',
          'not_equals',
          'contains',
          'not_contains',
          'starts_with',
          'ends_with',
          'exists',
        ]
          .concat('not_exists')
          .map((operator) => where({ operator })),
        where({ value: 'v'.repeat(512) }),
        filters({ attributes: times(8, { key: 'k'.repeat(128), value: 'v'.repeat(512) }) }),
        ...['equals', 'contains'].map((operator) => attribute({ operator })),
      ],
      [
        ...[[], times(9, condition)].map((conditions) =>
          filters({ conditionGroup: { match: 'and', conditions } }),
        ),
        ...[
          { match: 'and' },
          { conditions: [condition] },
          { match: 'xor', conditions: [condition] },
        ].map((conditionGroup) => filters({ conditionGroup })),
        ...['body', 'severity', 'attribute:', `attribute:${'a'.repeat(129)}`].map((field) =>
          where({ field }),
        ),
        ...[where({ operator: 'matches' }), where({ value: 'v'.repeat(513) }), where({ more: 1 })],
        filters({ attributes: times(9, { key: 'k', value: '' }) }),
        ...[
          { key: '' },
          { key: 'k'.repeat(129) },
          { value: 'v'.repeat(513) },
          { operator: 'exists' },
        ].map(attribute),
      ],
    ],
    [
      'LogTailRequest',
      [filters({ search: 's', attributes: [] }), { ...filters({}), cursor: 'c' }],
      [
        filters({ stream: 'stdout' }),
        filters({ conditionGroup: { match: 'and', conditions: [] } }),
      ],
    ],
    [
      'CleanupRequest',
      [{ items: [{ name: '' }] }, { items: times(100, { name: 'n' }) }],
      [{}, { items: [] }, { items: times(101, { name: 'n' }) }, { items: [{}] }],
    ],
    [
      'Uuid',
      [
        ...[uuid, uuid.toUpperCase(), uuid.replace('-4c', '-8c'), uuid.replace('-4c', '-1c')],
        ...['8', '9', 'a', 'b', 'A', 'B'].map((variant) => uuid.replace('-9f', `-${variant}f`)),
        ...['0', 'f', 'F'].map((digit) => uuid.replaceAll(/[^-]/g, digit)),
      ],
      [
        uuid.replace('-4c', '-9c'),
        uuid.replace('-4c', '-0c'),
        uuid.replace('-9f', '-7f'),
        `${uuid}0`,
      ],
    ],
    [
      'ErrorResponse',
      [{ error: { code: '', message: '', requestId: '' } }],
      [
        {},
        { error: {} },
        { error: { code: '', message: '' } },
        { error: { code: 1, message: '' } },
      ],
    ],
  ];

/** Valid and invalid values of the header and the query parameters. */
const parameters: readonly [string, string, readonly unknown[], readonly unknown[]][] = [
  [
    'post_servers_cleanup_orphans',
    'Idempotency-Key',
    ['k', 'k'.repeat(255)],
    ['', 'k'.repeat(256)],
  ],
  [
    'get_sources_secrets',
    'environment',
    ['a', 'preview:a', `a${'-'.repeat(62)}`, 'main-2'],
    ['', 'Main', '2a', `a${'-'.repeat(63)}`, 'preview:', 'other:a'],
  ],
  ['get_repositories', 'search', ['s', 's'.repeat(64)], ['', 's'.repeat(65)]],
  ['get_repositories', 'page', [1, 10_000], [0, 10_001, 1.5]],
  ['get_servers_monitor_alerts', 'deployableId', [uuid], ['x']],
];

const members: Readonly<Record<string, string>> = {
  LogRecord:
    'eventId timestamp ingestedAt serverId workloadId workloadName deploymentId previewId environment containerId service severity stream body attributes traceId spanId truncated',
  LogPage: 'accessRevision followCursor records nextCursor hasMore partial snapshotAt',
  LogLocalization: 'dateFormat timeFormat timeZone timestamps',
  TimestampRendering: 'date time dateTime timeZone zoneLabel epochMilliseconds inputDateTime',
};

describe('The contract says what the API document says', () => {
  it('of its endpoints: methods, paths, permissions, parameters and bodies', () => {
    const said = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters: all = [], ...one }]) => {
        for (const parameter of all.filter(({ in: where }) => where === 'path')) {
          if (path.startsWith('/operations/')) continue;
          assert.deepEqual(parameter.schema, { $ref: '#/components/schemas/Uuid' });
          assert.include(path, `{${parameter.name}}`);
        }
        const others = all
          .filter(({ in: where }) => where !== 'path')
          .map(({ name, required }) => (required ? name : `${name}?`));
        const body = one.requestBody ? ['body'] : [];
        return [method.toUpperCase(), path, one['x-permission'], ...body, ...others]
          .join(' ')
          .trim();
      }),
    );
    // Where an operation is polled is not in the document.
    assert.sameMembers(
      said.filter((line) => !line.includes('/operations/')),
      endpoints.trim().split('\n'),
    );
    assert.equal(paths['/logs/query']?.['post']?.operationId, 'post_logs_query');
    assert.equal(contract.info.version, '2.0.46');
    assert.isTrue(contract.openapi.startsWith('3.1.'));
    assert.isTrue(contract.servers[0]?.url.endsWith('/v1/api'));
  });

  it('of its errors: statuses, members and the header of 429', () => {
    for (const methods of Object.values(paths))
      for (const { responses } of Object.values(methods)) {
        const refusals = Object.keys(responses).filter((status) => !status.startsWith('2'));
        const statuses = ['400', '401', '403', '404', '409', '413', '422', '429', '500'];
        assert.sameMembers(refusals, statuses);
        assert.equal(responses['429']?.$ref, '#/components/responses/RateLimited');
      }
    const { schema } = contract.components.responses.RateLimited.headers['Retry-After'];
    assert.equal(schema.type, 'integer');
  });

  for (const [schema, valid, invalid] of limits) {
    it(`of its limits: ${schema}, ${valid.length} valid and ${invalid.length} invalid values`, () => {
      const path = `components/schemas/${schema}`;
      for (const value of valid) assert.isTrue(accepts(path, value), JSON.stringify(value));
      for (const value of invalid) assert.isFalse(accepts(path, value), JSON.stringify(value));
    });
  }

  for (const [operation, name, valid, invalid] of parameters) {
    it(`of its limits: ${name}`, () => {
      const [path, method, described] = Object.entries(paths)
        .flatMap(([at, methods]) => Object.entries(methods).map((one) => [at, ...one] as const))
        .find(([, , { operationId }]) => operationId === operation)!;
      const index = described.parameters!.findIndex((one) => one.name === name);
      const at = `paths/${path.replaceAll('/', '~1')}/${method}/parameters/${index}/schema`;
      for (const value of valid) assert.isTrue(accepts(encodeURI(at), value), String(value));
      for (const value of invalid) assert.isFalse(accepts(encodeURI(at), value), String(value));
    });
  }

  it('of log pages: each member is there', () => {
    for (const [schema, names] of Object.entries(members)) {
      const described = Reflect.get(contract.components.schemas, schema) as {
        readonly required: readonly string[];
        readonly properties: object;
      };
      assert.sameMembers([...described.required], names.split(' '), schema);
      assert.sameMembers(Object.keys(described.properties), names.split(' '), schema);
    }
  });
});
