import { assert } from 'chai';
import * as fc from 'fast-check';
import { PageCursor, StreamCursor } from '../../../src/api/cursors';
import { inEnglish, InvalidRequestError } from '../../../src/api/errors';
import type { LogQueryRequest } from '../../../src/api/types';
import { isHeaderValue, validateLogQuery } from '../../../src/api/validateRequest';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';
import { shortOrLong } from '../long';
import { failure, filters, harness, json, otherUuid, queryAnswer, uuid } from './cannedAnswers';
import {
  missing,
  noEnvironment,
  noItems,
  notKnown,
  noText,
  noUuid,
  problemText,
  tooLarge,
  tooLong,
  tooMany,
  tooSmall,
  wrongType,
} from './requestProblems';

/** Sends a query that the types do not allow. */
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

describe(`a valid request ${covers('F41', 'unit')}`, () => {
  async function sends(request: LogQueryRequest): Promise<void> {
    const { client, received, asked } = harness(json(queryAnswer));
    await client.queryLogs(request, asked);
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), JSON.parse(JSON.stringify(request)));
  }

  it('is sent if it is just within the limits', async () => {
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
        { limit: 500, direction: 'newer' },
      ),
    );
    validateLogQuery({ filters, cursor: hex(8192) });
    await sends(query({}, { limit: 1 }));
  });

  it('can have leap years, fractions and an empty range', async () => {
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

  it('has a range in the order of time', async () => {
    const { client, asked } = harness(json(queryAnswer));
    const dates = fc
      .date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString());
    await fc.assert(
      fc.asyncProperty(dates, dates, async (from, to) => {
        const refused = await client.queryLogs(query({ from, to }), asked).then(
          () => false,
          (error: unknown) => error instanceof InvalidRequestError,
        );
        assert.strictEqual(refused, Date.parse(from) > Date.parse(to));
      }),
    );
  });
});

const noTime = problemText('is not a real date and time in UTC', 'such as 2026-11-20T12:00:00Z');
const noContainer = problemText('is not a container ID', '64 of 0-9 and a-f');
const noTrace = problemText('is not a trace ID', '32 of 0-9 and a-f');
const noField = problemText(
  'is not a field for conditions',
  'serverId, workloadId, deploymentId, previewId, containerId, service, stream, traceId, spanId, or attribute: and 1 to 128 characters',
);
const late = problemText('is later than filters.to', 'from, then to');
const noCharacters = problemText('is empty', 'at least 1 character');
const dotsOnly = problemText('cannot be part of a path', 'not only dots');
const noHeader = problemText('cannot be sent as a header', 'printable ASCII');
const notAllowed = (values: string): string =>
  problemText('is not an allowed value', '{0}', values);

describe(`an invalid request ${covers('F41', 'unit')}`, () => {
  const { client, received, asked } = harness(json(queryAnswer));

  async function refuses(promise: Promise<unknown>, message: string): Promise<void> {
    const error = await failure(promise);
    if (!(error instanceof InvalidRequestError)) throw error;
    assert.strictEqual(error.message, message);
    const { field, problem, limit } = error;
    assert.strictEqual(`${field} ${inEnglish(problem)} (${inEnglish(limit)})`, message);
    assert.lengthOf(received, 0);
  }

  const group = (changes: object): Record<string, unknown> => ({
    conditionGroup: { match: 'or', conditions: [condition], ...changes },
  });
  const conditioned = (changes: object) => group({ conditions: [{ ...condition, ...changes }] });
  const attributed = (changes: object) => ({ attributes: [{ ...attribute, ...changes }] });

  /** The changes below `filters`, and the expected problem. */
  const members: [changes: Record<string, unknown>, message: string][] = [
    [{ from: undefined }, `from ${missing}`],
    [{ colour: 'red' }, `colour ${notKnown}`],
    [{ from: 7 }, `from ${wrongType('string')}`],
    [{ from: '2026-11-20T12:00:00+00:00' }, `from ${noTime}`],
    [{ to: '2023-02-29T00:00:00Z' }, `to ${noTime}`],
    [{ to: '1900-02-29T00:00:00Z' }, `to ${noTime}`],
    [{ to: '2026-04-31T00:00:00Z' }, `to ${noTime}`],
    [{ to: '2026-11-20T24:00:00Z' }, `to ${noTime}`],
    [{ to: '2026-11-20' }, `to ${noTime}`],
    [{ from: '2026-11-20T13:00:00.001Z' }, `from ${late}`],
    [{ from: '2026-11-20T13:00:00.0002Z', to: '2026-11-20T13:00:00.00010Z' }, `from ${late}`],
    ...['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'].flatMap(
      (name): typeof members => [
        [{ [name]: times(51, uuid) }, `${name} ${tooMany(50)}`],
        [{ [name]: [uuid, uuid, 'x'] }, `${name}[2] ${noUuid}`],
        [{ [name]: uuid }, `${name} ${wrongType('array')}`],
        [{ [name]: [null] }, `${name}[0] ${wrongType('string')}`],
      ],
    ),
    [{ containerIds: times(51, hex(64)) }, `containerIds ${tooMany(50)}`],
    [{ containerIds: [hex(63)] }, `containerIds[0] ${noContainer}`],
    [{ containerIds: ['A'.repeat(64)] }, `containerIds[0] ${noContainer}`],
    [{ environments: times(3, 'preview') }, `environments ${tooMany(2)}`],
    [{ environments: ['test'] }, `environments[0] ${notAllowed('production, preview')}`],
    [{ services: times(51, 'web') }, `services ${tooMany(50)}`],
    [{ services: [''] }, `services[0] ${noCharacters}`],
    [{ services: [hex(129)] }, `services[0] ${tooLong(128)}`],
    [{ severities: times(8, 'warn') }, `severities ${tooMany(7)}`],
    [
      { severities: ['warning'] },
      `severities[0] ${notAllowed('trace, debug, info, warn, error, fatal, unknown')}`,
    ],
    [{ stream: 'stdin' }, `stream ${notAllowed('stdout, stderr')}`],
    [{ search: hex(513) }, `search ${tooLong(512)}`],
    [{ traceId: hex(31) }, `traceId ${noTrace}`],
    [{ conditionGroup: { conditions: [condition] } }, `conditionGroup.match ${missing}`],
    [group({ conditions: [] }), `conditionGroup.conditions ${noItems}`],
    [group({ match: 'xor' }), `conditionGroup.match ${notAllowed('and, or')}`],
    [group({ conditions: times(9, condition) }), `conditionGroup.conditions ${tooMany(8)}`],
    [conditioned({ field: 'body' }), `conditionGroup.conditions[0].field ${noField}`],
    [conditioned({ value: hex(513) }), `conditionGroup.conditions[0].value ${tooLong(512)}`],
    [conditioned({ 'a/b~': 1 }), `conditionGroup.conditions[0].a/b~ ${notKnown}`],
    [{ attributes: times(9, attribute) }, `attributes ${tooMany(8)}`],
    [attributed({ key: '' }), `attributes[0].key ${noCharacters}`],
    [attributed({ key: hex(129) }), `attributes[0].key ${tooLong(128)}`],
    [attributed({ value: hex(513) }), `attributes[0].value ${tooLong(512)}`],
    [attributed({ operator: 'like' }), `attributes[0].operator ${notAllowed('equals, contains')}`],
  ];
  const requests: [request: Record<string, unknown>, message: string][] = [
    ...members.map(([changes, message]): [Record<string, unknown>, string] => [
      { filters: { ...filters, ...changes } },
      `filters.${message}`,
    ]),
    [{ limit: 0 }, `limit ${tooSmall(1)}`],
    [{ limit: -1 }, `limit ${tooSmall(1)}`],
    [{ limit: 501 }, `limit ${tooLarge(500)}`],
    [{ limit: 1.5 }, `limit ${wrongType('integer')}`],
    [{ limit: NaN }, `limit ${wrongType('integer')}`],
    [{ cursor: PageCursor.of({ filters }, hex(8193)) }, `cursor ${tooLong(8192)}`],
    [{ direction: 'up' }, `direction ${notAllowed('older, newer')}`],
    [{ page: 2 }, `page ${notKnown}`],
    [{ filters: [] }, `filters ${wrongType('object')}`],
    [{ filters: undefined }, `filters ${missing}`],
  ];
  for (const [index, [request, message]] of requests.entries()) {
    it(`${index} is refused: ${message}`, () =>
      refuses(client.queryLogs(query({}, request), asked), message));
  }

  it('is refused if it is not a request at all', async () => {
    const request: unknown = 'all';
    const refused = Promise.resolve().then(() => validateLogQuery(request));
    await refuses(refused, `request ${wrongType('object')}`);
  });

  it('is refused for the log stream by the same limits, and with stream or conditions', async () => {
    const requests: [LogQueryRequest, string][] = [
      [query({ search: hex(513) }), `filters.search ${tooLong(512)}`],
      [query({ stream: 'stdout' }), `filters.stream ${notKnown}`],
      [query({ from: filters.to, to: filters.from }), `filters.from ${late}`],
      [query({}, { limit: 5 }), `limit ${notKnown}`],
    ];
    for (const [request, message] of requests) {
      await refuses(client.openLogStream(request, asked), message);
    }
    const cursor = StreamCursor.of(filters, hex(8193));
    const message = `cursor ${tooLong(8192)}`;
    await refuses(client.openLogStream({ cursor }, asked), message);
  });

  it('is refused for a clean-up beyond the limits', async () => {
    const table: [object, string][] = [
      [{ serverId: 'x' }, `serverId ${noUuid}`],
      [{ items: [] }, `items ${noItems}`],
      [{ items: times(101, 'a') }, `items ${tooMany(100)}`],
      [{ items: ['a', 7] }, `items[1].name ${wrongType('string')}`],
      [{ idempotencyKey: '' }, `idempotencyKey ${noCharacters}`],
      [{ idempotencyKey: hex(256) }, `idempotencyKey ${tooLong(255)}`],
      [{ idempotencyKey: 'a\nb' }, `idempotencyKey ${noHeader}`],
    ];
    for (const [changes, message] of table) {
      const request = { serverId: uuid, items: ['a'], idempotencyKey: 'k', ...changes };
      await refuses(client.cleanUpOrphans(request, asked), message);
    }
  });

  it('has problems with the parameter names of the client', async () => {
    await refuses(client.listAlertRules({ serverId: '' }, asked), `serverId ${noUuid}`);
    const alerts = { serverId: uuid, deployableId: 'x' };
    await refuses(client.listAlertRules(alerts, asked), `deployableId ${noUuid}`);
    await refuses(client.listResources('x', asked), `sourceId ${noUuid}`);
    await refuses(client.listSecrets({ sourceId: 'x' }, asked), `sourceId ${noUuid}`);
    await refuses(client.listDeployments('x', asked), `resourceId ${noUuid}`);
    const sync = { sourceId: uuid, environmentId: 'x' };
    await refuses(client.syncEnvironment(sync, asked), `environmentId ${noUuid}`);
    const operation = client.getOperation('', asked);
    await refuses(operation, `operationId ${noCharacters}`);
  });

  it('is refused for environment names and pages beyond the limits', async () => {
    for (const environment of ['', 'Production', '1a', 'a_b', `a${hex(63)}`, 'staging:a']) {
      const request = { sourceId: uuid, environment };
      await refuses(client.listSecrets(request, asked), `environment ${noEnvironment}`);
    }
    const long = { sourceId: uuid, environment: hex(81) };
    await refuses(client.listSecrets(long, asked), `environment ${tooLong(80)}`);
    const table: [object, string][] = [
      [{ search: '' }, `search ${noCharacters}`],
      [{ search: hex(65) }, `search ${tooLong(64)}`],
      [{ page: 0 }, `page ${tooSmall(1)}`],
      [{ page: 10_001 }, `page ${tooLarge(10_000)}`],
    ];
    for (const [request, message] of table) {
      await refuses(client.listRepositories(request, asked), message);
    }
  });

  it('is refused if a URL or header cannot contain it', async () => {
    for (const id of ['.', '..']) {
      const operation = client.getOperation(id, asked);
      await refuses(operation, `operationId ${dotsOnly}`);
    }
    await refuses(client.getOperation('\ud800', asked), `operationId ${noText}`);
    await refuses(client.listRepositories({ search: 'a\udc00' }, asked), `search ${noText}`);
  });

  it('is refused for each UUID with one invalid character', async () => {
    const places = fc.integer({ min: 0, max: 35 });
    const wrong = fc.constantFrom('g', '-', ' ', 'z', '', 'ä', '00');
    await fc.assert(
      fc.asyncProperty(places, wrong, async (place, by) => {
        const id = uuid.slice(0, place) + by + uuid.slice(place + 1);
        fc.pre(id !== uuid);
        assert.instanceOf(await failure(client.listResources(id, asked)), InvalidRequestError);
        assert.lengthOf(received, 0);
      }),
    );
  });
});

describe('isHeaderValue', () => {
  it('is true for text that a header can contain unchanged', () => {
    fc.assert(
      fc.property(anyText(4, 1), (text) => {
        if (!isHeaderValue(text)) return;
        assert.strictEqual(new Headers({ name: text }).get('name'), text);
      }),
      { numRuns: shortOrLong(300, 2000) },
    );
    assert.isTrue(isHeaderValue('a b'));
    for (const text of ['', ' a', 'a ', 'a\n', 'a\r\nb: c', '\0', 'ü', '€']) {
      assert.isFalse(isHeaderValue(text));
    }
  });
});
