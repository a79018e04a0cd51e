import { assert } from 'chai';
import fc from 'fast-check';
import type { Condition, LogRecord } from '../../../../src/api/types';
import { matches, recordTest, type MatchFilters } from '../../../../src/logs/query/matches';
import { filterOf } from '../../../control-plane/filter';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';
import { anyEnvironment, anySeverity, anyStream, filtersOf } from './anyFilter';

const deploymentId = '0b6d3f5e-8a0e-4f39-9d0e-3b8b3f1f4a11';
const record = sampleRecord({
  ...{ body: 'Slow REQUEST to /orders', deploymentId, traceId: 'a'.repeat(32) },
  attributes: { user: '42', Path: '/Orders' },
});
const { timestamp } = record;

function condition(field: string, operator: Condition['operator'], value = ''): MatchFilters {
  return { conditionGroup: { match: 'and', conditions: [{ field, operator, value }] } };
}
const attribute = (key: string, value: string, operator?: 'contains'): MatchFilters => ({
  attributes: [{ key, value, ...(operator && { operator }) }],
});
/** Two conditions, of which the record meets the first. */
const both = (match: 'and' | 'or'): MatchFilters => ({
  conditionGroup: {
    match,
    conditions: [
      { field: 'service', operator: 'equals', value: 'web' },
      { field: 'stream', operator: 'equals', value: 'stderr' },
    ],
  },
});

describe('filters', () => {
  it('match everything if they are missing or empty', () => {
    assert.isUndefined(recordTest({}));
    assert.isUndefined(
      recordTest({ services: [], severities: [], search: '', workloadIds: [], attributes: [] }),
    );
    assert.isTrue(matches(record, {}));
  });

  const cases: Readonly<Record<string, readonly [MatchFilters, boolean][]>> = {
    'match any value of a list': [
      [{ services: ['other', 'web'] }, true],
      [{ services: ['other'] }, false],
      [{ previewIds: [deploymentId] }, false],
    ],
    'must all match': [
      [{ services: ['web'], severities: ['warn'], stream: 'stdout' }, true],
      [{ services: ['web'], severities: ['error'], stream: 'stdout' }, false],
    ],
    'compare ids in either letter case': [[{ deploymentIds: [deploymentId.toUpperCase()] }, true]],
    'include both ends of the range': [
      [{ from: timestamp, to: timestamp }, true],
      [{ from: '2026-11-20T12:00:00.124Z' }, false],
      [{ to: '2026-11-20T12:00:00Z' }, false],
    ],
    'search the body ignoring case': [
      [{ search: 'request TO' }, true],
      [{ search: 'orders/' }, false],
    ],
    'compare attributes exactly, and parts of them ignoring case': [
      [attribute('user', '42'), true],
      [attribute('user', '4'), false],
      [attribute('Path', 'order', 'contains'), true],
      [attribute('path', 'order', 'contains'), false],
    ],
    'match nothing by a field that no condition may have': [[condition('body', 'exists'), false]],
    'combine conditions with "and" or with "or"': [
      [both('and'), false],
      [both('or'), true],
    ],
  };
  for (const [title, filters] of Object.entries(cases)) {
    it(title, () => {
      for (const [one, expected] of filters) {
        assert.equal(matches(record, one), expected, JSON.stringify(one));
      }
    });
  }

  it('support conditions on every field of the contract', () => {
    const whole = { ...record, previewId: deploymentId, spanId: 'b'.repeat(16) };
    const ids = ['serverId', 'workloadId', 'deploymentId', 'previewId', 'containerId'] as const;
    for (const field of [...ids, 'service', 'stream', 'traceId', 'spanId'] as const) {
      assert.isTrue(matches(whole, condition(field, 'equals', whole[field] ?? '')), field);
    }
  });

  it('compare the id of a record in either letter case', () => {
    const capitals = { ...record, deploymentId: deploymentId.toUpperCase() };
    assert.isTrue(matches(capitals, { deploymentIds: [deploymentId] }));
  });

  const operators: [Condition['operator'], string, boolean, boolean][] = [
    // operator, value, whether it matches `/Orders`, whether it matches an absent field
    ['equals', '/Orders', true, false],
    ['equals', '/orders', false, false],
    ['not_equals', '/Orders', false, true],
    ['not_equals', '/orders', true, true],
    ['contains', 'ORDER', true, false],
    ['contains', 'x', false, false],
    ['not_contains', 'ORDER', false, true],
    ['not_contains', 'x', true, true],
    ['starts_with', '/o', true, false],
    ['starts_with', 'o', false, false],
    ['ends_with', 'S', true, false],
    ['ends_with', '/', false, false],
    ['exists', 'ignored', true, false],
    ['not_exists', 'ignored', false, true],
  ];
  for (const [operator, value, present, absent] of operators) {
    it(`support the condition ${operator} ${value}`, () => {
      const results = ['attribute:Path', 'attribute:none', 'attribute:__proto__', 'previewId'].map(
        (field) => matches(record, condition(field, operator, value)),
      );
      assert.deepEqual(results, [present, absent, absent, absent]);
    });
  }
});

/** By the filter of the embedded control plane, which is written from the contract alone. */
function shouldPass(one: LogRecord, { from, to, ...filters }: MatchFilters): boolean {
  // Texts of one length can be compared.
  if (from !== undefined && one.timestamp < from) return false;
  if (to !== undefined && one.timestamp > to) return false;
  return filterOf(filters)(one);
}

describe('any filter', () => {
  // Few values each, so that filters often match, and values that are easily misread.
  const ids = ['6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102', '5b1a2f80-0c1d-4e2f-8a3b-4c5d6e7f8091'];
  const id = fc.constantFrom(...ids);
  const traceId = fc.constantFrom('a'.repeat(32), 'b'.repeat(32));
  const service = fc.constantFrom('web', 'Web', 'worker');
  const containerId = fc.constantFrom('c'.repeat(64), 'd'.repeat(64));
  const letters = (maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom('a', 'A', 'ä', 'Ä', '.', '\n'), maxLength });
  const text = letters(3);
  const key = fc.constantFrom('user', 'User', '__proto__', 'constructor', 'a:b');
  const time = fc.integer({ min: 0, max: 3 }).map((ms) => `2026-11-20T12:00:00.00${ms}Z`);
  const value = fc.oneof(text, id, service, traceId, fc.constantFrom('STD', 'err', 'WEB', '11'));

  const anyRecord = fc
    .record({
      ...{ timestamp: time, serverId: id, workloadId: id },
      ...{ deploymentId: fc.option(id), previewId: fc.option(id), containerId, service },
      ...{ environment: anyEnvironment, severity: anySeverity, stream: anyStream },
      body: letters(12),
      attributes: fc
        .array(fc.tuple(key, text), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
      traceId: fc.option(traceId),
      spanId: fc.option(fc.constantFrom('1'.repeat(16), '2'.repeat(16))),
    })
    .map(sampleRecord);

  /** Mostly one or two members; with more, hardly any record would match. */
  const anyFilters = fc
    .tuple(
      fc.record({ from: time, to: time }),
      filtersOf({ id, containerId, traceId, service, key, text, value }),
    )
    .map(([range, filter]): MatchFilters => ({ ...range, ...filter }))
    .chain((all) =>
      fc
        .subarray(Object.keys(all), { maxLength: 3 })
        .map((kept): MatchFilters =>
          Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))),
        ),
    );

  it('matches what a second implementation of the contract matches', () => {
    const results = { true: 0, false: 0 };
    fc.assert(
      fc.property(anyRecord, anyFilters, (one, asked) => {
        const expected = shouldPass(one, asked);
        assert.equal(matches(one, asked), expected);
        results[`${expected}`]++;
      }),
      { numRuns: shortOrLong(800, 5000) },
    );
    // Otherwise the comparison would prove little.
    assert.isAbove(
      Math.min(results.true, results.false),
      shortOrLong(150, 1000),
      JSON.stringify(results),
    );
  });
});
