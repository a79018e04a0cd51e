import { assert } from 'chai';
import { fieldValueOf } from '../../../../src/logs/explorer/recordFields';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

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
    const attributes = Object.fromEntries([
      ['__proto__', 'own'],
      ['a\u202eb', 'c\u001b'],
    ]);
    const record = sampleRecord({ attributes });
    assert.deepEqual(fieldValueOf(record, 'attr.a\\u{202e}b'), {
      field: 'attr.a\u202eb',
      value: 'c\u001b',
    });
    assert.equal(fieldValueOf(record, 'attr.__proto__')?.value, 'own');
    const { timestamp } = record;
    assert.deepEqual(fieldValueOf(record, 'timestamp'), { field: 'timestamp', value: timestamp });
    for (const none of ['trace', 'toString', 'attr.toString']) {
      assert.isUndefined(fieldValueOf(record, none), none);
    }
  });
});
