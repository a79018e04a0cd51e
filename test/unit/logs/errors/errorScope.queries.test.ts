import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { type ErrorKind, kindOf } from '../../../../src/logs/errors/errorKind';
import {
  followOf,
  recordsQuery,
  tracesQuery,
  defaultScope,
} from '../../../../src/logs/errors/errorScope';
import { matches } from '../../../../src/logs/query/matches';
import { patternIds } from '../../../../src/logs/record/patterns';
import { uuid } from '../../trees/treeText';
import { searchOf } from '../explorer/explored';
import { errorAt } from './errorRecords';

function kind(...records: LogRecord[]): ErrorKind {
  return kindOf(
    'key',
    patternIds([records[0]?.body ?? ''])[0] ?? '',
    records.map((record) => ({
      record,
      at: Date.parse(record.timestamp),
      places: [],
      bytes: 1,
    })),
  );
}

const workload = { workloadId: uuid(1) };
const lost = [
  errorAt(1, 'order 17 of "ann" lost', workload),
  errorAt(2, 'order 18 of "bob" lost', workload),
];

describe('queries for a kind of error', () => {
  it('find its records', () => {
    const query = recordsQuery(kind(...lost), defaultScope);
    assert.strictEqual(query, `severity:error,fatal workload:${uuid(1)} "order" last:24h`);
    const { filter } = searchOf(query);
    assert.isTrue(lost.every((record) => matches(record, filter)));
  });

  it('have the range and environment of the view', () => {
    const query = recordsQuery(kind(...lost), { range: '7d', environment: 'preview' });
    assert.include(query, 'last:7d');
    assert.deepEqual(searchOf(query).filter.environments, ['preview']);
  });

  it('find all errors if nothing of the message can be searched for', () => {
    assert.isUndefined(searchOf(recordsQuery(kind(errorAt(1, '17')), defaultScope)).filter.search);
  });

  it('name no more workloads than a query can have', () => {
    const many = Array.from({ length: 51 }, (_, index) =>
      errorAt(index, 'x', { workloadId: uuid(index) }),
    );
    assert.isUndefined(followOf(kind(...many)).filter.workloadIds);
  });

  it('find the traces of its newest records', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
    assert.strictEqual(
      tracesQuery(kind(errorAt(1, 'x', { traceId: a })), defaultScope),
      `trace:${a} last:24h`,
    );
    const both = tracesQuery(
      kind(errorAt(1, 'x', { traceId: a }), errorAt(2, 'x', { traceId: b }), errorAt(3, 'x')),
      defaultScope,
    );
    const { filter } = searchOf(both ?? '');
    assert.isTrue(matches(errorAt(1, 'y', { traceId: a }), filter));
    assert.isFalse(matches(errorAt(1, 'y'), filter));
    assert.isUndefined(tracesQuery(kind(errorAt(1, 'x', { traceId: 'not one' })), defaultScope));
  });
});
