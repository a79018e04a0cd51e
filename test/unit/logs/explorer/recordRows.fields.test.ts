import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import {
  createReadColumns,
  fieldValueOf,
  shownAttribute,
} from '../../../../src/logs/explorer/recordRows';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

const hostile = JSON.parse('{"__proto__":"own","a\\u202eb":"c\\u001b","n":"1"}') as Record<
  string,
  string
>;

describe('values of columns', () => {
  const values = (fields: readonly string[], record: Partial<LogRecord> = {}) =>
    createReadColumns(fields, 'Asia/Tokyo', (kind) => (kind === 'server' ? 'eu-1' : undefined))(
      sampleRecord(record),
    );

  it('are those of the fields that not every row has', () => {
    assert.isUndefined(values(['timestamp', 'severity', 'workload']));
    assert.deepEqual(values(['service', 'workload', 'stream']), {
      service: 'web',
      stream: 'stdout',
    });
    assert.isUndefined(values(['attr.missing', 'trace', 'constructor', '__proto__']));
  });

  it('show names for ids and formatted times', () => {
    const { server, ingestedAt, deployment } =
      values(['server', 'ingestedAt', 'deployment'], {
        ingestedAt: '2026-11-20T12:00:00Z',
        deploymentId: 'd-1',
      }) ?? {};
    assert.deepEqual([server, deployment], ['eu-1', 'd-1']);
    assert.match(ingestedAt ?? '', /^2026-11-20 21:00:00/);
  });

  it(`are harmless and short ${covers('F54', 'unit')}`, () => {
    const fields = Object.keys(hostile).map(shownAttribute);
    assert.deepEqual(fields, ['attr.__proto__', 'attr.a\\u{202e}b', 'attr.n']);
    assert.deepEqual(values(fields, { attributes: hostile }), {
      'attr.__proto__': 'own',
      'attr.a\\u{202e}b': 'c\\u{1b}',
      'attr.n': '1',
    });
    const { 'attr.long': long = '' } =
      values(['attr.long'], { attributes: { long: 'x\n'.repeat(10_000) } }) ?? {};
    assert.isBelow(long.length, 300);
    assert.notInclude(long, '\n');
  });
});

describe('value of a field', () => {
  it(`that a record does not have is found to be missing without a look at its attributes ${covers('F76', 'unit')}`, () => {
    let looks = 0;
    const attributes = new Proxy<Record<string, string>>(
      {},
      { ownKeys: () => (looks++, ['other']), getOwnPropertyDescriptor: () => undefined },
    );
    assert.isUndefined(fieldValueOf(sampleRecord({ attributes }), 'attr.user'));
    assert.equal(looks, 0);
  });

  it('is the one that the server sent', () => {
    const record = sampleRecord({ attributes: hostile });
    assert.deepEqual(fieldValueOf(record, 'attr.a\\u{202e}b'), {
      field: 'attr.a\u202eb',
      value: 'c\u001b',
    });
    assert.equal(fieldValueOf(record, 'attr.__proto__')?.value, 'own');
    assert.isUndefined(fieldValueOf(record, 'attr.toString'));
    assert.isUndefined(fieldValueOf(record, 'toString'));
  });
});
