import { assert } from 'chai';
import { limitSize } from '../../../src/activity/activityStorage';

describe('limitSize', () => {
  it('cuts texts longer than 2,000 and logs longer than 200,000', () => {
    const limited = limitSize({
      short: 'x'.repeat(2000),
      long: 'x'.repeat(2001),
      logs: 'y'.repeat(200_000),
      result: { logs: 'y'.repeat(200_001) },
    });
    assert.equal(limited.short, 'x'.repeat(2000));
    assert.equal(limited.long, `${'x'.repeat(2000)}…`);
    assert.lengthOf(limited.logs, 200_000);
    assert.equal(limited.result.logs, `${'y'.repeat(200_000)}…`);
    // Items of a list called `logs` are not logs.
    assert.lengthOf(limitSize({ logs: ['z'.repeat(3000)] }).logs[0]!, 2001);
  });

  it('copies values of all types', () => {
    const value = { text: 'a', number: 0, none: null, yes: true, list: [1, [2], {}], inner: {} };
    const limited = limitSize(value);
    assert.deepEqual(limited, value);
    assert.notStrictEqual(limited.list, value.list);
    assert.deepEqual(Object.keys(limitSize({ a: undefined, b: 1 })), ['b']);
  });

  it('keeps eight levels', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { end: 1 } : { in: nested(depth - 1) };
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null && 'in' in value ? 1 + depthOf(value.in) : 0;
    assert.equal(depthOf(limitSize(nested(20))), 7);
    assert.deepEqual(limitSize(nested(7)), nested(7));
    const lists = JSON.parse(`{"in":${'['.repeat(20)}${']'.repeat(20)}}`) as object;
    assert.equal(JSON.stringify(limitSize(lists)), '{"in":[[[[[[[null]]]]]]]}');
  });

  it('keeps 200 members and items on all levels', () => {
    const many = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    assert.lengthOf(limitSize({ list: many(199) }).list, 199);
    assert.lengthOf(limitSize({ list: many(200) }).list, 199);
    const members = Object.fromEntries(many(300).map((index) => [`m${index}`, index]));
    assert.lengthOf(Object.keys(limitSize(members)), 200);
    const two = limitSize({ one: many(150), other: many(150) });
    assert.lengthOf(two.one, 150);
    assert.lengthOf(two.other, 48);
  });

  it('keeps the prototype if a member is called __proto__', () => {
    const given = JSON.parse('{"__proto__":{"isEvil":true},"a":1}') as object;
    const limited = limitSize(given);
    assert.notProperty(limited, 'isEvil');
    assert.strictEqual(Object.getPrototypeOf(limited), Object.prototype);
  });
});
