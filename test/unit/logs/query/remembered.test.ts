import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import {
  SeenValues,
  readRecent,
  recentFor,
  withRecent,
} from '../../../../src/logs/query/remembered';
import { unambiguousNames } from '../../../../src/logs/query/searchQuery';
import { covers } from '../../covers';
import { isLinear } from '../../linear';
import { sampleRecord } from '../sampleRecord';

describe('recently seen values', () => {
  it('are listed once each, the latest first', () => {
    const seen = new SeenValues();
    for (const service of ['a', 'b', 'a']) seen.remember([sampleRecord({ service })]);
    assert.deepEqual(seen.values('service'), ['a', 'b']);
    assert.deepEqual(seen.values('trace'), []);
    assert.deepEqual(seen.values('severity'), []);
    assert.deepEqual(seen.values('nope'), []);
  });

  it('are limited in number and length', () => {
    const seen = new SeenValues();
    for (let index = 0; index < 300; index++) {
      const attributes = { [`key${index}`]: 'x', same: `${index}`, ['k'.repeat(129)]: 'x' };
      seen.remember([sampleRecord({ service: `s${index}`, attributes })]);
    }
    seen.remember([sampleRecord({ service: 's'.repeat(129), attributes: {} })]);
    assert.lengthOf(seen.values('service'), 100);
    assert.strictEqual(seen.values('service')[0], 's299');
    assert.lengthOf(seen.attributes(), 200);
    assert.lengthOf(seen.attributeValues('same'), 20);
    assert.strictEqual(seen.attributeValues('same')[0], '299');
    assert.deepEqual(seen.attributeValues('key0'), []);
  });

  it(`of a record with thousands of attributes are the first ones, in little time ${covers('F76', 'unit')}`, () => {
    const records = (size: number): LogRecord[] => {
      const attributes = Object.fromEntries(Array.from({ length: size }, (_, n) => [`a${n}`, 'x']));
      return Array.from({ length: 100 }, () => sampleRecord({ attributes }));
    };
    isLinear(625, records, (many) => {
      const seen = new SeenValues();
      seen.remember(many);
      assert.lengthOf(seen.attributes(), 200);
      assert.include(seen.attributes(), 'a0');
    });
  });

  it(`do not include inherited members as attributes ${covers('F59', 'unit')}`, () => {
    const seen = new SeenValues();
    const attributes = Object.fromEntries([['__proto__', 'x']]);
    assert.deepEqual(seen.attributeValues('constructor'), []);
    seen.remember([sampleRecord({ attributes })]);
    assert.deepEqual(seen.attributeValues('__proto__'), ['x']);
  });

  it('are forgotten on request', () => {
    const seen = new SeenValues();
    seen.remember([sampleRecord({ attributes: { user: '42' } })]);
    seen.clear();
    assert.deepEqual([seen.values('service'), seen.attributes()], [[], []]);
  });
});

describe('recent queries', () => {
  it('are listed once each, the newest first, up to a limit', () => {
    let recent: readonly string[] = [];
    for (let index = 0; index < 25; index++) recent = withRecent(recent, `query ${index}`);
    assert.lengthOf(recent, 20);
    recent = withRecent(recent, ' query 10 ');
    assert.deepEqual(recent.slice(0, 3), ['query 10', 'query 24', 'query 23']);
    assert.lengthOf(recent, 20);
    assert.strictEqual(withRecent(recent, '  '), recent);
    assert.strictEqual(withRecent(recent, 'x'.repeat(70_000)), recent);
  });

  it('are offered if they contain the typed text', () => {
    const recent = ['severity:error', 'ERROR', 'trace:*'];
    assert.deepEqual(recentFor(recent, 'error '), ['severity:error', 'ERROR']);
    assert.deepEqual(recentFor(recent, 'trace:*'), []);
    assert.deepEqual(recentFor(recent, ''), recent);
  });

  it('are read from any stored value', () => {
    assert.deepEqual(readRecent(['a', 1, 'b', null, 'a', '']), ['a', 'b']);
    for (const kept of [undefined, null, 'a', { length: 1 }])
      assert.deepEqual(readRecent(kept), []);
  });
});

describe('names to print', () => {
  it('are those that resolve to one id', () => {
    const ids: Record<string, string[]> = { one: ['1'], twice: ['1', '2'], other: ['2'] };
    const names: Record<string, string> = { 1: 'one', 2: 'twice', 3: 'other', 4: 'gone', 5: '' };
    const nameOf = unambiguousNames({
      nameOf: (_, id) => names[id],
      idsOf: (_, name) => ids[name] ?? [],
    });
    const printed = ['1', '2', '3', '4', '5', '6'].map((id) => nameOf('workload', id));
    assert.deepEqual(printed, ['one', ...Array<undefined>(5).fill(undefined)]);
  });
});
