import { assert } from 'chai';
import { boundedRecord, recordSize } from '../../../../src/logs/record/recordSize';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

describe('A record at a glance', () => {
  it('is complete if it is small', () => {
    const record = sampleRecord({ attributes: { user: '42' } });
    assert.deepEqual(boundedRecord(record), { ...record });
  });

  it(`is no more than a person reads, whatever is in it ${covers('F76', 'unit')}`, () => {
    const long = 'x'.repeat(1_000_000);
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const attributes = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`${index}${long.slice(0, 600)}`, long]),
    );
    const record = { ...sampleRecord({ body: long, service: long, attributes }), deep, more: 7 };
    const bounded = boundedRecord(record);
    assert.isBelow(JSON.stringify(bounded).length, 80_000);
    assert.equal(bounded['body'], `${'x'.repeat(4000)}[+996000]`);
    assert.deepInclude(bounded['attributes'], { '…': '[+9950]' });
    assert.deepInclude(bounded, { more: 7 });
    assert.notProperty(bounded, 'deep');
  });
});

describe('The size of a record', () => {
  it(`counts every text and every name ${covers('F107', 'unit')}`, () => {
    const whole = sampleRecord({ attributes: { user: '42' } });
    const usual = recordSize(whole);
    // What it takes in Node.js is some 800 bytes.
    assert.isAtLeast(usual, 800);
    assert.isAtMost(usual, 1400);
    const long = 'x'.repeat(65_536);
    const least = usual + 2 * 65_000;
    for (const name of Object.keys(whole)) {
      assert.isAtLeast(recordSize({ ...whole, [name]: long }), least, name);
    }
    for (const more of [
      { attributes: { [long]: '' } },
      { severityText: long },
      { [long]: 1 },
      { more: { deep: [{ [long]: true }] } },
    ]) {
      assert.isAtLeast(recordSize({ ...whole, ...more }), least, Object.keys(more)[0]?.slice(0, 9));
    }
  });
});
