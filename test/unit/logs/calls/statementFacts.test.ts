import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { readStatementFacts, summariseValues } from '../../../../src/logs/calls/statementFacts';
import { statementTemplate, type Fit } from '../../../../src/logs/calls/statementTemplate';
import { sampleRecord } from '../sampleRecord';
import { message } from './message';

const template = statementTemplate(message`order ${'id'} charged`) ?? assert.fail();

function record(second: number, body: string): LogRecord {
  return sampleRecord({ timestamp: `2026-11-20T12:00:0${second}Z`, body });
}

describe('What is known about a statement', () => {
  it('counts the records that fit, and has the newest of them', () => {
    const records = [
      record(1, 'order 1 charged'),
      record(3, 'INFO order 3 charged'),
      record(2, 'order 2 charged'),
      record(4, 'charged order 4'),
    ];
    assert.deepEqual(readStatementFacts(template, { records, next: undefined }), {
      count: 3,
      hasMore: false,
      last: {
        timestamp: '2026-11-20T12:00:03Z',
        source: 'web-api',
        text: 'INFO order 3 charged',
      },
      held: [{ kind: 'numbers', expression: 'id', least: '1', most: '3' }],
    });
  });

  it('has the last of several records of one millisecond', () => {
    const records = ['1', '7', '4'].map((fraction) =>
      sampleRecord({
        timestamp: `2026-11-20T12:00:00.000${fraction}Z`,
        body: `order ${fraction} charged`,
      }),
    );
    const { last } = readStatementFacts(template, { records, next: undefined });
    assert.equal(last?.text, 'order 7 charged');
  });

  it('is small, whatever the records are', () => {
    const body = `order ${'x'.repeat(100_000)} charged`;
    const records = Array.from({ length: 20 }, () => record(1, `order 1 charged ${body}`));
    const facts = readStatementFacts(template, { records, next: undefined });
    assert.equal(facts.count, 20);
    assert.isBelow(JSON.stringify(facts).length, 2000);
  });

  it('is nothing without records', () => {
    assert.deepEqual(readStatementFacts(template, { records: [], next: undefined }), {
      count: 0,
      hasMore: false,
      last: undefined,
      held: [],
    });
  });
});

function fits(expression: string, values: readonly string[]): Fit[] {
  return values.map((value) => ({ score: 0, values: [{ expression, value }] }));
}

describe('What an expression held', () => {
  it('is a range of numbers, as they were logged', () => {
    assert.deepEqual(summariseValues(fits('amount', ['12.5', '894.00', '2.10', '13'])), [
      { kind: 'numbers', expression: 'amount', least: '2.10', most: '894.00' },
    ]);
    assert.deepInclude(summariseValues(fits('delta', ['-3', '+10', '0']))[0], {
      least: '-3',
      most: '+10',
    });
  });

  it('is the number of different texts and the most frequent', () => {
    assert.deepEqual(summariseValues(fits('region', ['eu', 'us', '7', 'us', ''])), [
      { kind: 'texts', expression: 'region', distinct: 3, mostFrequent: 'us', count: 2, total: 4 },
    ]);
    assert.deepInclude(summariseValues(fits('region', ['eu', 'us', 'us', 'eu']))[0], {
      mostFrequent: 'us',
      count: 2,
    });
    const [long] = summariseValues(fits('text', ['x'.repeat(200)]));
    assert.deepInclude(long, { mostFrequent: `${'x'.repeat(60)}…` });
  });

  it('is left out if it held nothing, or no record fits', () => {
    assert.isEmpty(summariseValues(fits('error', ['', ''])));
    assert.isEmpty(summariseValues([]));
  });
});
