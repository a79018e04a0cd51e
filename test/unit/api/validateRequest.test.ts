import { assert } from 'chai';
import * as fc from 'fast-check';
import { PageCursor, StreamCursor } from '../../../src/api/cursors';
import { inEnglish, InvalidRequestError } from '../../../src/api/errors';
import type { LogQueryRequest } from '../../../src/api/types';
import { isHeaderValue, validateLogQuery } from '../../../src/api/validateRequest';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';
import { shortOrLong } from '../long';
import { failure, filters, harness, json, queryAnswer, uuid, cleanUpOf } from './cannedAnswers';
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
const hex = (length: number): string => 'a'.repeat(length);

it(`A request whose range is empty or in the order of time is sent ${covers('F41', 'unit')}`, async () => {
  for (const [from, to] of [
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.0Z'],
    ['2026-11-20T12:00:00.500Z', '2026-11-20T12:00:00.5Z'],
    ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.51Z'],
  ] as const) {
    const { client, received, asked } = harness(json(queryAnswer));
    await client.queryLogs({ filters: { from, to } }, asked);
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), { filters: { from, to } });
  }
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
  afterEach(() => received.splice(0));

  const group = (conditions: object[]): Record<string, unknown> => ({
    conditionGroup: { match: 'or', conditions },
  });

  /**
   * The changes below `filters`, and the expected problem: each text and each form of a field once.
   * `contractDocument.test.ts` has both sides of every limit.
   */
  const members: [changes: Record<string, unknown>, message: string][] = [
    [{ from: undefined }, `from ${missing}`],
    [{ colour: 'red' }, `colour ${notKnown}`],
    [{ from: 7 }, `from ${wrongType('string')}`],
    [{ from: '2026-11-20' }, `from ${noTime}`],
    [{ to: '2023-02-29T00:00:00Z' }, `to ${noTime}`],
    [{ from: '2026-11-20T13:00:00.001Z' }, `from ${late}`],
    [{ from: '2026-11-20T13:00:00.0002Z', to: '2026-11-20T13:00:00.00010Z' }, `from ${late}`],
    [{ workloadIds: times(51, uuid) }, `workloadIds ${tooMany(50)}`],
    [{ workloadIds: [uuid, uuid, 'x'] }, `workloadIds[2] ${noUuid}`],
    [{ workloadIds: uuid }, `workloadIds ${wrongType('array')}`],
    [{ containerIds: [hex(63)] }, `containerIds[0] ${noContainer}`],
    [{ environments: ['test'] }, `environments[0] ${notAllowed('production, preview')}`],
    [{ services: [''] }, `services[0] ${noCharacters}`],
    [{ search: hex(513) }, `search ${tooLong(512)}`],
    [{ traceId: hex(31) }, `traceId ${noTrace}`],
    [group([]), `conditionGroup.conditions ${noItems}`],
    [group([{ ...condition, field: 'body' }]), `conditionGroup.conditions[0].field ${noField}`],
    [group([{ ...condition, 'a/b~': 1 }]), `conditionGroup.conditions[0].a/b~ ${notKnown}`],
  ];
  const requests: [request: Record<string, unknown>, message: string][] = [
    ...members.map(([changes, message]): [Record<string, unknown>, string] => [
      { filters: { ...filters, ...changes } },
      `filters.${message}`,
    ]),
    [{ limit: 0 }, `limit ${tooSmall(1)}`],
    [{ limit: 501 }, `limit ${tooLarge(500)}`],
    [{ limit: NaN }, `limit ${wrongType('integer')}`],
    [{ cursor: PageCursor.of({ filters }, hex(8193)) }, `cursor ${tooLong(8192)}`],
    [{ filters: [] }, `filters ${wrongType('object')}`],
    [{ filters: undefined }, `filters ${missing}`],
  ];
  const cleanUp = (changes: object, items: readonly unknown[] = ['a']): Promise<unknown> => {
    const { parameters, body } = cleanUpOf(items as string[], 'k');
    return client.cleanUpOrphans({ parameters: { ...parameters, ...changes }, body }, asked);
  };
  const tail = (changes: Record<string, unknown>): Promise<unknown> =>
    client.openLogStream(query(changes), asked);
  const secrets = (environment: string): Promise<unknown> =>
    client.listSecrets({ ownerId: uuid, environment }, asked);
  const calls: [call: () => unknown, message: string][] = [
    ...requests.map(([request, message]): (typeof calls)[number] => [
      () => client.queryLogs(query({}, request), asked),
      message,
    ]),
    [() => validateLogQuery('all'), `request ${wrongType('object')}`],
    [() => tail({ stream: 'stdout' }), `filters.stream ${notKnown}`],
    [() => tail({ from: filters.to, to: filters.from }), `filters.from ${late}`],
    [
      () => client.openLogStream({ cursor: StreamCursor.of(filters, hex(8193)) }, asked),
      `cursor ${tooLong(8192)}`,
    ],
    [() => cleanUp({ serverId: 'x' }), `serverId ${noUuid}`],
    [() => cleanUp({}, []), `items ${noItems}`],
    [() => cleanUp({}, ['a', 7]), `items[1].name ${wrongType('string')}`],
    [() => cleanUp({ 'Idempotency-Key': '' }), `idempotencyKey ${noCharacters}`],
    [() => cleanUp({ 'Idempotency-Key': 'a\nb' }), `idempotencyKey ${noHeader}`],
    [() => client.listAlertRules({ serverId: '' }, asked), `serverId ${noUuid}`],
    [
      () => client.listAlertRules({ serverId: uuid, deployableId: 'x' }, asked),
      `deployableId ${noUuid}`,
    ],
    [() => client.listResources({ sourceId: 'x' }, asked), `sourceId ${noUuid}`],
    [() => client.listSecrets({ ownerId: 'x' }, asked), `sourceId ${noUuid}`],
    [() => secrets('Production'), `environment ${noEnvironment}`],
    [() => secrets(hex(81)), `environment ${tooLong(80)}`],
    [() => client.listDeployments({ resourceId: 'x' }, asked), `resourceId ${noUuid}`],
    [
      () => client.syncEnvironment({ sourceId: uuid, environmentId: 'x' }, asked),
      `environmentId ${noUuid}`,
    ],
    [() => client.listRepositories({ page: 10_001 }, asked), `page ${tooLarge(10_000)}`],
    [() => client.listRepositories({ search: 'a\udc00' }, asked), `search ${noText}`],
    [() => client.getOperation({ operationId: '' }, asked), `operationId ${noCharacters}`],
    [() => client.getOperation({ operationId: '.' }, asked), `operationId ${dotsOnly}`],
    [() => client.getOperation({ operationId: '..' }, asked), `operationId ${dotsOnly}`],
    [() => client.getOperation({ operationId: '\ud800' }, asked), `operationId ${noText}`],
  ];
  for (const [index, [call, message]] of calls.entries()) {
    it(`${index} is refused: ${message}`, async () => {
      const error = await failure(Promise.resolve().then(call));
      if (!(error instanceof InvalidRequestError)) throw error;
      assert.strictEqual(error.message, message);
      const { field, problem, limit } = error;
      assert.strictEqual(`${field} ${inEnglish(problem)} (${inEnglish(limit)})`, message);
      assert.lengthOf(received, 0);
    });
  }
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
