import { Ajv2020 } from 'ajv/dist/2020';
import { assert } from 'chai';
import * as generated from '../../../src/api/generated/validators';
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

/** The generated validators, by their names. */
const validators = new Map<string, (value: unknown) => boolean>(Object.entries(generated));

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
/** Filters with each of these values of a member. */
const each = (name: string, values: readonly unknown[]): object[] =>
  values.map((value) => filters({ [name]: value }));
const group = (conditions: readonly object[], match = 'and'): object =>
  filters({ conditionGroup: { match, conditions } });
const where = (name: string, values: readonly string[]): object[] =>
  values.map((value) => group([{ ...condition, [name]: value }]));
const attributes = (...changes: readonly object[]): object[] =>
  changes.map((one) => filters({ attributes: [{ key: 'k', value: '', ...one }] }));
const ids = ['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'];
const of = (length: number, character = 'a'): string => character.repeat(length);

/** Of each limit the last value that is valid, and the first that is not. */
const limits: readonly [
  schema: string,
  of: string,
  valid: readonly unknown[],
  invalid: readonly unknown[],
][] = [
  [
    'LogQueryRequest',
    'members',
    [
      ...[{}, { limit: 1 }, { limit: 500 }, { cursor: of(8192) }].map(query),
      ...[{ direction: 'older' }, { direction: 'newer' }].map(query),
    ],
    [
      ...[{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { cursor: of(8193) }].map(query),
      ...[{ direction: 'up' }, { more: 1 }].map(query),
      ...[{}, { filters: { from: range.from } }, { filters: { to: range.to } }],
    ],
  ],
  [
    'LogQueryRequest',
    'filters',
    [
      ...ids.flatMap((name) => each(name, [times(50, uuid)])),
      ...each('containerIds', [times(50, of(64))]),
      ...each('environments', [['production', 'preview']]),
      ...each('services', [times(50, of(128))]),
      // Characters are counted, not UTF-16 units.
      ...each('search', ['', of(512, '😀')]),
      ...each('severities', [['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown']]),
      ...each('stream', ['stdout', 'stderr']),
      ...each('from', ['2024-02-29T23:59:59.123456789Z', '2000-02-29T00:00:00Z']),
      ...each('traceId', [of(32)]),
      ...each('attributes', [[]]),
    ],
    [
      ...ids.flatMap((name) => each(name, [times(51, uuid), ['x']])),
      ...each('containerIds', [times(51, of(64)), [of(63)], [of(64, 'A')]]),
      ...each('environments', [times(3, 'preview'), ['staging']]),
      ...each('services', [times(51, 's'), [''], [of(129)]]),
      ...each('search', [of(513)]),
      ...each('severities', [times(8, 'info'), ['warning']]),
      ...each('stream', ['stdin']),
      ...each('from', ['2026-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2026-11-20T00:00:00']),
      ...each('from', ['2026-11-20', '2026-11-20T00:00:00+00:00', '2026-13-01T00:00:00Z']),
      ...each('from', ['2026-04-31T00:00:00Z', '2026-11-20T24:00:00Z']),
      ...each('to', ['2026-11-20']),
      ...each('traceId', [of(31), of(33), of(32, 'A')]),
      ...each('more', [1]),
    ],
  ],
  [
    'LogQueryRequest',
    'conditions and attributes',
    [
      ...['and', 'or'].map((match) => group(times(8, condition), match)),
      ...where('field', ['serverId', 'workloadId', 'deploymentId', 'previewId', 'containerId']),
      ...where('field', ['service', 'stream', 'traceId', 'spanId']),
      ...where('field', ['attribute:a', `attribute:${of(128)}`]),
      ...where('operator', ['equals', 'not_equals', 'contains', 'not_contains']),
      ...where('operator', ['starts_with', 'ends_with', 'exists', 'not_exists']),
      ...where('value', [of(512)]),
      ...each('attributes', [times(8, { key: of(128), value: of(512) })]),
      ...attributes({ operator: 'equals' }, { operator: 'contains' }),
    ],
    [
      ...[group([]), group(times(9, condition)), group([condition], 'xor')],
      ...each('conditionGroup', [{ match: 'and' }, { conditions: [condition] }]),
      ...where('field', ['body', 'severity', 'attribute:', `attribute:${of(129)}`]),
      ...where('operator', ['matches']),
      ...where('value', [of(513)]),
      ...where('more', ['x']),
      ...each('attributes', [times(9, { key: 'k', value: '' })]),
      ...attributes({ key: '' }, { key: of(129) }, { value: of(513) }, { operator: 'exists' }),
    ],
  ],
  [
    'LogQueryRequest',
    'UUIDs',
    each(
      'workloadIds',
      [
        ...[uuid, uuid.toUpperCase(), uuid.replace('-4c', '-8c'), uuid.replace('-4c', '-1c')],
        ...['8', '9', 'a', 'b', 'A', 'B'].map((variant) => uuid.replace('-9f', `-${variant}f`)),
        ...['0', 'f', 'F'].map((digit) => uuid.replaceAll(/[^-]/g, digit)),
      ].map((id) => [id]),
    ),
    each(
      'workloadIds',
      [
        ...[uuid.replace('-4c', '-9c'), uuid.replace('-4c', '-0c'), uuid.replace('-9f', '-7f')],
        ...Array.from(uuid, (_, at) => `${uuid.slice(0, at)}g${uuid.slice(at + 1)}`),
        ...[`${uuid}0`, uuid.slice(1), uuid.slice(0, -1)],
      ].map((id) => [id]),
    ),
  ],
  [
    'LogTailRequest',
    'members',
    [filters({ search: 's', attributes: [] }), query({ cursor: of(8192) })],
    [
      ...[query({ limit: 5 }), query({ cursor: of(8193) }), filters({ search: of(513) })],
      ...[filters({ stream: 'stdout' }), group([condition])],
    ],
  ],
  [
    'CleanupRequest',
    'items',
    [{ items: [{ name: '' }] }, { items: times(100, { name: 'n' }) }],
    [{}, { items: [] }, { items: times(101, { name: 'n' }) }, { items: [{}] }],
  ],
  [
    'ErrorResponse',
    'members',
    [{ error: { code: '', message: '', requestId: '' } }],
    [{}, { error: {} }, { error: { code: '', message: '' } }, { error: { code: 1, message: '' } }],
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

  for (const [schema, what, valid, invalid] of limits) {
    it(`of its limits: ${schema}, ${what}`, () => {
      for (const [values, isValid] of [
        [valid, true],
        [invalid, false],
      ] as const) {
        for (const value of values) {
          const said = [accepts(`components/schemas/${schema}`, value)];
          // What is sent is compared with the generated form of the same schema.
          const ours = validators.get(schema);
          if (ours !== undefined) said.push(ours(value));
          assert.deepEqual(
            said,
            said.map(() => isValid),
            JSON.stringify(value),
          );
        }
      }
    });
  }

  for (const [operation, name, valid, invalid] of parameters) {
    it(`of its limits: ${name}`, () => {
      const [path, method, { parameters: all = [] }] = Object.entries(paths)
        .flatMap(([at, methods]) => Object.entries(methods).map((one) => [at, ...one] as const))
        .find(([, , { operationId }]) => operationId === operation)!;
      const index = all.findIndex((one) => one.name === name);
      const at = `paths/${path.replaceAll('/', '~1')}/${method}/parameters/${index}/schema`;
      const others = all.filter(({ required }) => required).map((one) => [one.name, uuid]);
      const ours = validators.get(`parameters_${operation}`)!;
      for (const value of [...valid, ...invalid]) {
        const said = [
          accepts(encodeURI(at), value),
          ours({ ...Object.fromEntries(others), [name]: value }),
        ];
        const isValid = valid.includes(value);
        assert.deepEqual(said, [isValid, isValid], JSON.stringify(value));
      }
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
