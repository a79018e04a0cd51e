import { assert } from 'chai';
import {
  defaultScope,
  type ErrorMemory,
  readMemory,
  withMuted,
  withoutMuted,
  writeMemory,
} from '../../../../src/logs/errors/errorScope';

const nothing: ErrorMemory = { scope: defaultScope, muted: [] };
const lost = { key: 'lost\nfile', template: 'lost' };

describe('what is kept for errors', () => {
  it('is that of its connection', () => {
    const one = withMuted(nothing, lost);
    const kept: unknown = JSON.parse(
      JSON.stringify(writeMemory(writeMemory(undefined, 'a', one), 'b', nothing)),
    );
    assert.deepEqual(readMemory(kept, 'a'), one);
    assert.deepEqual(readMemory(kept, 'b'), nothing);
    assert.deepEqual(readMemory(kept, 'c'), nothing);
  });

  it('is nothing for what is not valid', () => {
    for (const kept of [undefined, null, 'x', { a: 7 }, { a: { muted: [{ key: 1 }, null] } }]) {
      assert.deepEqual(readMemory(kept, 'a'), nothing);
    }
    assert.deepEqual(readMemory({}, 'constructor'), nothing);
  });

  it('has a muted kind once, and without it again', () => {
    const twice = withMuted(withMuted(nothing, lost), { ...lost, template: 'other' });
    assert.deepEqual(twice.muted, [{ ...lost, template: 'other' }]);
    assert.isEmpty(withoutMuted(twice, lost.key).muted);
  });

  it('is bounded', () => {
    let memory = nothing;
    for (let index = 0; index < 300; index++)
      memory = withMuted(memory, { ...lost, key: `${index}` });
    assert.lengthOf(memory.muted, 200);
    assert.strictEqual(memory.muted[0]?.key, '100');
    assert.isEmpty(withMuted(nothing, { ...lost, key: 'x'.repeat(10_000) }).muted);
    let kept: unknown;
    for (let index = 0; index < 30; index++) kept = writeMemory(kept, `c${index}`, memory);
    assert.lengthOf(Object.keys(kept as object), 20);
    assert.property(kept, 'c29');
  });
});
