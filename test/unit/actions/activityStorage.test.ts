import { assert } from 'chai';
import { limitSize } from '../../../src/actions/activityStorage';

describe('what is kept of an answer', () => {
  it('is cut where a text is longer than 2,000, and logs than 200,000', () => {
    const kept = limitSize({
      short: 'x'.repeat(2000),
      long: 'x'.repeat(2001),
      logs: 'y'.repeat(200_000),
      result: { logs: 'y'.repeat(200_001) },
    });
    assert.equal(kept.short, 'x'.repeat(2000));
    assert.equal(kept.long, `${'x'.repeat(2000)}…`);
    assert.lengthOf(kept.logs, 200_000);
    assert.equal(kept.result.logs, `${'y'.repeat(200_000)}…`);
    // A list has no name of its own.
    assert.lengthOf(limitSize({ logs: ['z'.repeat(3000)] }).logs[0]!, 2001);
  });

  it('is a copy with the same values, whatever their types', () => {
    const value = { text: 'a', number: 0, none: null, yes: true, list: [1, [2], {}], inner: {} };
    const kept = limitSize(value);
    assert.deepEqual(kept, value);
    assert.notStrictEqual(kept.list, value.list);
    assert.deepEqual(Object.keys(limitSize({ a: undefined, b: 1 })), ['b']);
  });

  it('is eight levels deep', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { end: 1 } : { in: nested(depth - 1) };
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null && 'in' in value ? 1 + depthOf(value.in) : 0;
    assert.equal(depthOf(limitSize(nested(20))), 7);
    assert.deepEqual(limitSize(nested(7)), nested(7));
    const lists = JSON.parse(`{"in":${'['.repeat(20)}${']'.repeat(20)}}`) as object;
    assert.equal(JSON.stringify(limitSize(lists)), '{"in":[[[[[[[null]]]]]]]}');
  });

  it('has 200 members and items of all levels', () => {
    const many = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    assert.lengthOf(limitSize({ list: many(199) }).list, 199);
    assert.lengthOf(limitSize({ list: many(200) }).list, 199);
    const members = Object.fromEntries(many(300).map((index) => [`m${index}`, index]));
    assert.lengthOf(Object.keys(limitSize(members)), 200);
    const two = limitSize({ one: many(150), other: many(150) });
    assert.lengthOf(two.one, 150);
    assert.lengthOf(two.other, 48);
  });

  it('has no other prototype because a member is called so', () => {
    const given = JSON.parse('{"__proto__":{"isEvil":true},"a":1}') as object;
    const kept = limitSize(given);
    assert.notProperty(kept, 'isEvil');
    assert.strictEqual(Object.getPrototypeOf(kept), Object.prototype);
  });
});
