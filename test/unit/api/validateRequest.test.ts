import { assert } from 'chai';
import * as fc from 'fast-check';
import { InvalidRequestError } from '../../../src/api/errors';
import type { LogQueryRequest } from '../../../src/api/types';
import { isHeaderValue } from '../../../src/api/validateRequest';
import { failure, filters, harness, json, otherUuid, queryAnswer, uuid } from './inMemoryServer';

type Invalid = readonly [what: string, field: string, problem: string, limit: string];

/** Asks with a value that the types do not allow. */
function query(
  changes: Record<string, unknown>,
  request: Record<string, unknown> = {},
): LogQueryRequest {
  return { filters: { ...filters, ...changes }, ...request };
}

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);
const condition = { field: 'service', operator: 'equals', value: 'web' };
const attribute = { key: 'user', value: '42' };
const hex = (length: number): string => 'a'.repeat(length);

const uuidLimit = 'version 1 to 8 and variant 8, 9, a or b, or all zeros, or all f';
const dateProblem = 'is not a real date and time in UTC';
const dateLimit = 'such as 2026-11-20T12:00:00Z';

describe('requests that the contract does not allow (F41)', () => {
  const { client, received, signal } = harness(json(queryAnswer));

  async function refuses(
    promise: Promise<unknown>,
    [, field, problem, limit]: Invalid,
  ): Promise<void> {
    const error = await failure(promise);
    if (!(error instanceof InvalidRequestError)) throw error;
    assert.deepEqual([error.field, error.problem, error.limit], [field, problem, limit]);
    assert.strictEqual(error.message, `${field} ${problem} (${limit})`);
    assert.lengthOf(received, 0);
  }

  const members: [changes: Record<string, unknown>, ...rest: Invalid][] = [
    [{ from: undefined }, 'no start', 'filters.from', 'is missing', 'required'],
    [
      { colour: 'red' },
      'an unknown filter',
      'filters.colour',
      'is not known',
      'no further members',
    ],
    [{ from: 7 }, 'a number as date', 'filters.from', 'is of the wrong type', 'string'],
    [{ from: '2026-11-20T12:00:00+00:00' }, 'an offset', 'filters.from', dateProblem, dateLimit],
    [{ to: '2023-02-29T00:00:00Z' }, 'no leap year', 'filters.to', dateProblem, dateLimit],
    [{ to: '1900-02-29T00:00:00Z' }, 'no leap century', 'filters.to', dateProblem, dateLimit],
    [{ to: '2026-04-31T00:00:00Z' }, 'no 31st', 'filters.to', dateProblem, dateLimit],
    [{ to: '2026-11-20T24:00:00Z' }, 'no hour 24', 'filters.to', dateProblem, dateLimit],
    [{ to: '2026-11-20' }, 'a day', 'filters.to', dateProblem, dateLimit],
    [
      { from: '2026-11-20T13:00:00.001Z' },
      'a reversed range',
      'filters.from',
      'is later than filters.to',
      'from, then to',
    ],
    [
      { from: '2026-11-20T13:00:00.0002Z', to: '2026-11-20T13:00:00.00010Z' },
      'a range reversed by less than a millisecond',
      'filters.from',
      'is later than filters.to',
      'from, then to',
    ],
    ...['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'].flatMap(
      (name): typeof members => [
        [
          { [name]: times(51, uuid) },
          `51 ${name}`,
          `filters.${name}`,
          'has too many items',
          'at most 50 items',
        ],
        [
          { [name]: [uuid, uuid, 'x'] },
          `${name}: no UUID`,
          `filters.${name}[2]`,
          'is not a UUID',
          uuidLimit,
        ],
        [{ [name]: uuid }, `${name}: no list`, `filters.${name}`, 'is of the wrong type', 'array'],
        [
          { [name]: [null] },
          `${name}: null`,
          `filters.${name}[0]`,
          'is of the wrong type',
          'string',
        ],
      ],
    ),
    [
      { containerIds: times(51, hex(64)) },
      '51 container ids',
      'filters.containerIds',
      'has too many items',
      'at most 50 items',
    ],
    [
      { containerIds: [hex(63)] },
      'a short container id',
      'filters.containerIds[0]',
      'is not a container id',
      '64 of 0-9 and a-f',
    ],
    [
      { containerIds: ['A'.repeat(64)] },
      'a container id in capitals',
      'filters.containerIds[0]',
      'is not a container id',
      '64 of 0-9 and a-f',
    ],
    [
      { environments: times(3, 'preview') },
      '3 environments',
      'filters.environments',
      'has too many items',
      'at most 2 items',
    ],
    [
      { environments: ['test'] },
      'an unknown environment',
      'filters.environments[0]',
      'is none of the known values',
      'production, preview',
    ],
    [
      { services: times(51, 'web') },
      '51 services',
      'filters.services',
      'has too many items',
      'at most 50 items',
    ],
    [
      { services: [''] },
      'an empty service',
      'filters.services[0]',
      'is empty',
      'at least 1 character',
    ],
    [
      { services: [hex(129)] },
      'a long service',
      'filters.services[0]',
      'is too long',
      'at most 128 characters',
    ],
    [
      { severities: times(8, 'warn') },
      '8 severities',
      'filters.severities',
      'has too many items',
      'at most 7 items',
    ],
    [
      { severities: ['warning'] },
      'an unknown severity',
      'filters.severities[0]',
      'is none of the known values',
      'trace, debug, info, warn, error, fatal, unknown',
    ],
    [
      { stream: 'stdin' },
      'an unknown stream',
      'filters.stream',
      'is none of the known values',
      'stdout, stderr',
    ],
    [
      { search: hex(513) },
      '513 characters',
      'filters.search',
      'is too long',
      'at most 512 characters',
    ],
    [
      { traceId: hex(31) },
      'a short trace id',
      'filters.traceId',
      'is not a trace id',
      '32 of 0-9 and a-f',
    ],
    [
      { conditionGroup: { conditions: [condition] } },
      'a group without match',
      'filters.conditionGroup.match',
      'is missing',
      'required',
    ],
    [
      { conditionGroup: { match: 'and', conditions: [] } },
      'no conditions',
      'filters.conditionGroup.conditions',
      'is empty',
      'at least 1 item',
    ],
    [
      { conditionGroup: { match: 'xor', conditions: [condition] } },
      'an unknown match',
      'filters.conditionGroup.match',
      'is none of the known values',
      'and, or',
    ],
    [
      { conditionGroup: { match: 'or', conditions: times(9, condition) } },
      '9 conditions',
      'filters.conditionGroup.conditions',
      'has too many items',
      'at most 8 items',
    ],
    [
      { conditionGroup: { match: 'or', conditions: [{ ...condition, field: 'body' }] } },
      'a field that no condition has',
      'filters.conditionGroup.conditions[0].field',
      'is no field that a condition can name',
      'serverId, workloadId, deploymentId, previewId, containerId, service, stream, traceId, spanId, or attribute: and 1 to 128 characters',
    ],
    [
      { conditionGroup: { match: 'or', conditions: [{ ...condition, value: hex(513) }] } },
      'a long condition',
      'filters.conditionGroup.conditions[0].value',
      'is too long',
      'at most 512 characters',
    ],
    [
      { conditionGroup: { match: 'or', conditions: [{ ...condition, 'a/b~': 1 }] } },
      'a member with a slash',
      'filters.conditionGroup.conditions[0].a/b~',
      'is not known',
      'no further members',
    ],
    [
      { attributes: times(9, attribute) },
      '9 attributes',
      'filters.attributes',
      'has too many items',
      'at most 8 items',
    ],
    [
      { attributes: [{ ...attribute, key: '' }] },
      'an empty key',
      'filters.attributes[0].key',
      'is empty',
      'at least 1 character',
    ],
    [
      { attributes: [{ ...attribute, key: hex(129) }] },
      'a long key',
      'filters.attributes[0].key',
      'is too long',
      'at most 128 characters',
    ],
    [
      { attributes: [{ ...attribute, value: hex(513) }] },
      'a long value',
      'filters.attributes[0].value',
      'is too long',
      'at most 512 characters',
    ],
    [
      { attributes: [{ ...attribute, operator: 'like' }] },
      'an unknown operator',
      'filters.attributes[0].operator',
      'is none of the known values',
      'equals, contains',
    ],
  ];
  for (const [changes, ...invalid] of members) {
    it(`refuses ${invalid[0]}`, () =>
      refuses(client.queryLogs(query(changes), { signal }), invalid));
  }

  const requests: [request: Record<string, unknown>, ...rest: Invalid][] = [
    [{ limit: 0 }, 'a limit of 0', 'limit', 'is too small', 'at least 1'],
    [{ limit: -1 }, 'a limit of -1', 'limit', 'is too small', 'at least 1'],
    [{ limit: 501 }, 'a limit of 501', 'limit', 'is too large', 'at most 500'],
    [{ limit: 1.5 }, 'a broken limit', 'limit', 'is of the wrong type', 'integer'],
    [{ limit: NaN }, 'a limit of NaN', 'limit', 'is of the wrong type', 'integer'],
    [
      { cursor: hex(8193) },
      'a cursor of 8,193',
      'cursor',
      'is too long',
      'at most 8192 characters',
    ],
    [
      { direction: 'up' },
      'an unknown direction',
      'direction',
      'is none of the known values',
      'older, newer',
    ],
    [{ page: 2 }, 'an unknown member', 'page', 'is not known', 'no further members'],
    [{ filters: [] }, 'a list of filters', 'filters', 'is of the wrong type', 'object'],
    [{ filters: undefined }, 'no filters', 'filters', 'is missing', 'required'],
  ];
  for (const [request, ...invalid] of requests) {
    it(`refuses ${invalid[0]}`, () =>
      refuses(client.queryLogs(query({}, request), { signal }), invalid));
  }

  it('refuses what is no request at all', async () => {
    const request = 'all' as unknown as LogQueryRequest;
    await refuses(client.queryLogs(request, { signal }), [
      '',
      'request',
      'is of the wrong type',
      'object',
    ]);
  });

  it('holds the log stream to the same limits, without stream and conditions', async () => {
    const tail = (changes: Record<string, unknown>, request = {}): Promise<unknown> =>
      client.openLogStream(query(changes, request), { signal });
    await refuses(tail({ search: hex(513) }), [
      '',
      'filters.search',
      'is too long',
      'at most 512 characters',
    ]);
    await refuses(tail({ stream: 'stdout' }), [
      '',
      'filters.stream',
      'is not known',
      'no further members',
    ]);
    await refuses(tail({ to: filters.from, from: filters.to }), [
      '',
      'filters.from',
      'is later than filters.to',
      'from, then to',
    ]);
    await refuses(tail({}, { cursor: hex(8193) }), [
      '',
      'cursor',
      'is too long',
      'at most 8192 characters',
    ]);
    await refuses(tail({}, { limit: 5 }), ['', 'limit', 'is not known', 'no further members']);
  });

  it('names the parameters of the other operations as their callers do', async () => {
    const items = ['a'];
    const cleanUp = (changes: object): Promise<unknown> =>
      client.cleanUpOrphans({ serverId: uuid, items, idempotencyKey: 'k', ...changes }, { signal });
    const noUuid = (field: string): Invalid => ['', field, 'is not a UUID', uuidLimit];
    await refuses(cleanUp({ serverId: 'x' }), noUuid('serverId'));
    await refuses(cleanUp({ items: [] }), ['', 'items', 'is empty', 'at least 1 item']);
    await refuses(cleanUp({ items: times(101, 'a') }), [
      '',
      'items',
      'has too many items',
      'at most 100 items',
    ]);
    await refuses(cleanUp({ items: ['a', 7] }), [
      '',
      'items[1].name',
      'is of the wrong type',
      'string',
    ]);
    await refuses(cleanUp({ idempotencyKey: '' }), [
      '',
      'idempotencyKey',
      'is empty',
      'at least 1 character',
    ]);
    await refuses(cleanUp({ idempotencyKey: hex(256) }), [
      '',
      'idempotencyKey',
      'is too long',
      'at most 255 characters',
    ]);
    await refuses(cleanUp({ idempotencyKey: 'a\nb' }), [
      '',
      'idempotencyKey',
      'cannot be sent as a header',
      'printable ASCII',
    ]);
    await refuses(client.listAlertRules({ serverId: '' }, { signal }), noUuid('serverId'));
    await refuses(
      client.listAlertRules({ serverId: uuid, deployableId: 'x' }, { signal }),
      noUuid('deployableId'),
    );
    await refuses(client.listResources('x', { signal }), noUuid('sourceId'));
    await refuses(client.listSecrets({ sourceId: 'x' }, { signal }), noUuid('sourceId'));
    await refuses(client.listDeployments('x', { signal }), noUuid('resourceId'));
    await refuses(
      client.syncEnvironment({ sourceId: uuid, environmentId: 'x' }, { signal }),
      noUuid('environmentId'),
    );
    const environmentLimit =
      'a lowercase letter, then up to 62 lowercase letters, digits or hyphens; preview: may stand before it';
    for (const environment of ['', 'Production', '1a', 'a_b', `a${hex(63)}`, 'staging:a']) {
      await refuses(client.listSecrets({ sourceId: uuid, environment }, { signal }), [
        '',
        'environment',
        'is not the name of an environment',
        environmentLimit,
      ]);
    }
    await refuses(client.listSecrets({ sourceId: uuid, environment: hex(81) }, { signal }), [
      '',
      'environment',
      'is too long',
      'at most 80 characters',
    ]);
    await refuses(client.listRepositories({ search: '' }, { signal }), [
      '',
      'search',
      'is empty',
      'at least 1 character',
    ]);
    await refuses(client.listRepositories({ search: hex(65) }, { signal }), [
      '',
      'search',
      'is too long',
      'at most 64 characters',
    ]);
    await refuses(client.listRepositories({ page: 0 }, { signal }), [
      '',
      'page',
      'is too small',
      'at least 1',
    ]);
    await refuses(client.listRepositories({ page: 10_001 }, { signal }), [
      '',
      'page',
      'is too large',
      'at most 10000',
    ]);
    await refuses(client.getOperation('', { signal }), [
      '',
      'operationId',
      'is empty',
      'at least 1 character',
    ]);
  });

  it('refuses what would lead a URL astray', async () => {
    const half = ['is not well-formed text', 'no half characters'] as const;
    for (const id of ['.', '..']) {
      await refuses(client.getOperation(id, { signal }), [
        '',
        'operationId',
        'cannot be part of a path',
        'more than dots',
      ]);
    }
    await refuses(client.getOperation('\ud800', { signal }), ['', 'operationId', ...half]);
    await refuses(client.listRepositories({ search: 'a\udc00' }, { signal }), [
      '',
      'search',
      ...half,
    ]);
  });

  it('refuses every UUID that is changed in one place beyond its form', async () => {
    const places = fc.integer({ min: 0, max: 35 });
    const wrong = fc.constantFrom('g', '-', ' ', 'z', '', 'ä', '00');
    await fc.assert(
      fc.asyncProperty(places, wrong, async (place, by) => {
        const id = uuid.slice(0, place) + by + uuid.slice(place + 1);
        fc.pre(id !== uuid);
        assert.instanceOf(await failure(client.listResources(id, { signal })), InvalidRequestError);
        assert.lengthOf(received, 0);
      }),
    );
  });
});

describe('requests that the contract allows (F41)', () => {
  async function sends(request: LogQueryRequest): Promise<void> {
    const { client, received, signal } = harness(json(queryAnswer));
    await client.queryLogs(request, { signal });
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), JSON.parse(JSON.stringify(request)));
  }

  it('sends what is just within the limits', async () => {
    await sends(
      query(
        {
          workloadIds: times(50, uuid),
          serverIds: [
            '00000000-0000-0000-0000-000000000000',
            'ffffffff-FFFF-ffff-ffff-ffffffffffff',
          ],
          deploymentIds: [otherUuid],
          containerIds: times(50, hex(64)),
          environments: ['production', 'preview'],
          services: times(50, hex(128)),
          severities: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'],
          stream: 'stderr',
          // Characters, not UTF-16 units, are counted.
          search: '😀'.repeat(512),
          traceId: hex(32),
          conditionGroup: {
            match: 'or',
            conditions: times(8, { ...condition, field: `attribute:${hex(128)}` }),
          },
          attributes: times(8, { key: hex(128), value: hex(512), operator: 'contains' }),
        },
        { limit: 500, cursor: hex(8192), direction: 'newer' },
      ),
    );
    await sends(query({}, { limit: 1 }));
  });

  it('knows leap years and fractions, and takes a range of no length', async () => {
    for (const [from, to] of [
      ['2024-02-29T00:00:00Z', '2024-02-29T23:59:59.999999999Z'],
      ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.0Z'],
      ['2026-11-20T12:00:00.500Z', '2026-11-20T12:00:00.5Z'],
      ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00Z'],
      ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.51Z'],
    ] as const) {
      await sends(query({ from, to }));
    }
  });

  it('orders dates as time does', async () => {
    const { client, signal } = harness(json(queryAnswer));
    const dates = fc
      .date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString());
    await fc.assert(
      fc.asyncProperty(dates, dates, async (from, to) => {
        const refused = await client.queryLogs(query({ from, to }), { signal }).then(
          () => false,
          (error: unknown) => error instanceof InvalidRequestError,
        );
        assert.strictEqual(refused, Date.parse(from) > Date.parse(to));
      }),
    );
  });
});

describe('isHeaderValue', () => {
  it('takes what a header carries unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), (text) => {
        if (!isHeaderValue(text)) return;
        assert.strictEqual(new Headers({ name: text }).get('name'), text);
      }),
      { numRuns: 2000 },
    );
    assert.isTrue(isHeaderValue('a b'));
    for (const text of ['', ' a', 'a ', 'a\n', 'a\r\nb: c', '\0', 'ü', '€']) {
      assert.isFalse(isHeaderValue(text));
    }
  });
});
