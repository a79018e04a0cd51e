import { assert } from 'chai';
import * as fc from 'fast-check';
import { keepEqual } from '../../../src/base/json';
import { covers } from '../covers';

describe('Structural sharing', () => {
  it('returns a value equal to the new one, with old objects', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        assert.deepEqual(keepEqual(before, after), after);
        const copy: unknown = structuredClone(before);
        assert.strictEqual(keepEqual(before, copy), before);
      }),
    );
  });

  it('finds items by their id at any position', () => {
    const before = [{ id: 'a', n: 1 }, { id: 'b', n: 2 }, { n: 3 }];
    const after = keepEqual<typeof before>(before, [
      { id: 'c', n: 0 },
      { id: 'a', n: 1 },
      { n: 3 },
    ]);
    assert.deepEqual(after, [{ id: 'c', n: 0 }, { id: 'a', n: 1 }, { n: 3 }]);
    assert.strictEqual(after[1], before[0]);
    assert.strictEqual(after[2], before[2]);
    assert.notStrictEqual(keepEqual(before, [...before].reverse()), before);
  });

  it(`sets no prototype and supports any depth ${covers('F59', 'unit')}`, () => {
    const odd = (value: number): unknown => JSON.parse(`{"__proto__":{"a":${value}},"b":1}`);
    const kept = keepEqual<unknown>(odd(1), odd(2));
    assert.strictEqual(Object.getPrototypeOf(kept), Object.prototype);
    assert.equal(JSON.stringify(kept), '{"__proto__":{"a":2},"b":1}');
    const deep = (): unknown => JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    assert.isArray(keepEqual(deep(), deep()));
  });
});
