import { assert } from 'chai';
import { covers } from '../../covers';
import { SeenValues } from '../../../../src/logs/query/remembered';
import { sampleRecord } from '../sampleRecord';

describe('recently seen values', () => {
  it('are listed once each, the latest first', () => {
    const seen = new SeenValues();
    for (const service of ['a', 'b', 'a']) seen.learn([sampleRecord({ service })]);
    assert.deepEqual(seen.values('service'), ['a', 'b']);
    assert.deepEqual(seen.values('trace'), []);
    assert.deepEqual(seen.values('severity'), []);
    assert.deepEqual(seen.values('nope'), []);
  });

  it('are limited in number and length', () => {
    const seen = new SeenValues();
    for (let index = 0; index < 300; index++) {
      const attributes = { [`key${index}`]: 'x', same: `${index}`, ['k'.repeat(129)]: 'x' };
      seen.learn([sampleRecord({ service: `s${index}`, attributes })]);
    }
    seen.learn([sampleRecord({ service: 's'.repeat(129), attributes: {} })]);
    assert.lengthOf(seen.values('service'), 100);
    assert.strictEqual(seen.values('service')[0], 's299');
    assert.lengthOf(seen.attributes(), 200);
    assert.lengthOf(seen.attributeValues('same'), 20);
    assert.strictEqual(seen.attributeValues('same')[0], '299');
    assert.deepEqual(seen.attributeValues('key0'), []);
  });

  it(`of a record with thousands of attributes are the first ones, in little time ${covers('F76', 'unit')}`, () => {
    const seen = new SeenValues();
    const attributes = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`a${n}`, 'x']));
    const start = process.cpuUsage();
    seen.learn(Array.from({ length: 100 }, () => sampleRecord({ attributes })));
    assert.isBelow(process.cpuUsage(start).user, 1_000_000, 'microseconds');
    assert.lengthOf(seen.attributes(), 200);
    assert.include(seen.attributes(), 'a0');
  });

  it(`do not include inherited members as attributes ${covers('F59', 'unit')}`, () => {
    const seen = new SeenValues();
    const attributes = Object.fromEntries([['__proto__', 'x']]);
    assert.deepEqual(seen.attributeValues('constructor'), []);
    seen.learn([sampleRecord({ attributes })]);
    assert.deepEqual(seen.attributeValues('__proto__'), ['x']);
  });

  it('are forgotten on request', () => {
    const seen = new SeenValues();
    seen.learn([sampleRecord({ attributes: { user: '42' } })]);
    seen.clear();
    assert.deepEqual([seen.values('service'), seen.attributes()], [[], []]);
  });
});
