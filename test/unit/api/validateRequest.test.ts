import { assert } from 'chai';
import * as fc from 'fast-check';
import { InvalidRequestError } from '../../../src/api/errors';
import type { LogQueryRequest } from '../../../src/api/types';
import { isHeaderValue, validateLogQuery } from '../../../src/api/validateRequest';
import { anyText } from '../logs/anyText';
import { shortOrLong } from '../long';
import { filters, harness, json, otherUuid, queryAnswer, uuid } from './cannedAnswers';

/** Asks with a value that the types do not allow. */
function query(
  changes: Record<string, unknown>,
  request: Record<string, unknown> = {},
): LogQueryRequest {
  return { filters: { ...filters, ...changes }, ...request };
}

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);
const condition = { field: 'service', operator: 'equals', value: 'web' };
const hex = (length: number): string => 'a'.repeat(length);

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
        { limit: 500, direction: 'newer' },
      ),
    );
    validateLogQuery({ filters, cursor: hex(8192) });
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
