import { assert } from 'chai';
import type { Condition, LogRecord } from '../../../../src/api/types';
import { matches, recordTest, type MatchFilters } from '../../../../src/logs/query/matches';
import { sampleRecord } from '../sampleRecord';

const record = sampleRecord({
  body: 'Slow REQUEST to /orders',
  severity: 'warn',
  traceId: 'a'.repeat(32),
  spanId: null,
  previewId: null,
  deploymentId: '0b6d3f5e-8a0e-4f39-9d0e-3b8b3f1f4a11',
  attributes: { user: '42', Path: '/Orders' },
});

/** Whether the record matches each of these filters. */
function results(...all: MatchFilters[]): boolean[] {
  return all.map((filters) => matches(record, filters));
}

function condition(field: string, operator: Condition['operator'], value = ''): MatchFilters {
  return { conditionGroup: { match: 'and', conditions: [{ field, operator, value }] } };
}

describe('filters', () => {
  it('match everything if they are missing or empty', () => {
    assert.isUndefined(recordTest({}));
    assert.isUndefined(
      recordTest({ services: [], severities: [], search: '', workloadIds: [], attributes: [] }),
    );
    assert.deepEqual(results({}), [true]);
  });

  it('match any value of a list', () => {
    const fields: Record<string, keyof LogRecord> = {
      workloadIds: 'workloadId',
      serverIds: 'serverId',
      deploymentIds: 'deploymentId',
      containerIds: 'containerId',
      environments: 'environment',
      services: 'service',
      severities: 'severity',
    };
    for (const [filter, field] of Object.entries(fields)) {
      const value = record[field];
      assert.isTrue(matches(record, { [filter]: ['other', value] }), filter);
      assert.isFalse(matches(record, { [filter]: ['other'] }), filter);
    }
    const preview = { previewIds: ['0b6d3f5e-8a0e-4f39-9d0e-3b8b3f1f4a11'] };
    assert.isFalse(matches(record, preview));
    assert.isTrue(matches({ ...record, previewId: preview.previewIds[0]! }, preview));
  });

  it('compare ids in either letter case', () => {
    const id = record.deploymentId ?? '';
    assert.deepEqual(results({ deploymentIds: [id.toUpperCase()] }), [true]);
    const capitals = { ...record, deploymentId: id.toUpperCase() };
    assert.isTrue(matches(capitals, { deploymentIds: [id] }));
  });

  it('must all match', () => {
    assert.deepEqual(
      results(
        { services: ['web'], severities: ['warn'], stream: 'stdout' },
        { services: ['web'], severities: ['error'], stream: 'stdout' },
        { stream: 'stderr' },
        { traceId: 'a'.repeat(32) },
        { traceId: 'b'.repeat(32) },
      ),
      [true, false, false, true, false],
    );
  });

  it('include both ends of the range', () => {
    const { timestamp } = record;
    assert.deepEqual(
      results(
        { from: timestamp, to: timestamp },
        { from: '2026-11-20T12:00:00.124Z' },
        { to: '2026-11-20T12:00:00Z' },
      ),
      [true, false, false],
    );
  });

  it('search the body ignoring case', () => {
    assert.deepEqual(results({ search: 'request TO' }, { search: 'orders/' }), [true, false]);
  });

  it('compare attributes exactly, and parts of them ignoring case', () => {
    assert.deepEqual(
      results(
        { attributes: [{ key: 'user', value: '42' }] },
        { attributes: [{ key: 'user', value: '4' }] },
        { attributes: [{ key: 'Path', value: 'order', operator: 'contains' }] },
        { attributes: [{ key: 'path', value: 'order', operator: 'contains' }] },
        { attributes: [{ key: 'constructor', value: '', operator: 'contains' }] },
      ),
      [true, false, true, false, false],
    );
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
      assert.deepEqual(
        results(
          condition('attribute:Path', operator, value),
          condition('attribute:none', operator, value),
          condition('attribute:__proto__', operator, value),
          condition('previewId', operator, value),
        ),
        [present, absent, absent, absent],
      );
    });
  }

  it('support conditions on every field of the contract, and match nothing by other fields', () => {
    const fields = [
      'serverId',
      'workloadId',
      'deploymentId',
      'containerId',
      'service',
      'stream',
      'traceId',
    ] as const;
    for (const field of fields) {
      assert.isTrue(matches(record, condition(field, 'equals', record[field] ?? '')), field);
    }
    assert.deepEqual(results(condition('spanId', 'exists'), condition('body', 'exists')), [
      false,
      false,
    ]);
  });

  it('combine conditions with "and" or with "or"', () => {
    const conditions: Condition[] = [
      { field: 'service', operator: 'equals', value: 'web' },
      { field: 'stream', operator: 'equals', value: 'stderr' },
    ];
    assert.deepEqual(
      results(
        { conditionGroup: { match: 'and', conditions } },
        { conditionGroup: { match: 'or', conditions } },
      ),
      [false, true],
    );
  });
});
