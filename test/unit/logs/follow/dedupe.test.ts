import { assert } from 'chai';
import fc from 'fast-check';
import { createSeenIds } from '../../../../src/logs/follow/dedupe';

describe('recently seen ids (F26)', () => {
  it('include the last ones only', () => {
    const limit = 8;
    const id = fc.oneof(fc.stringMatching(/^[ab]{0,4}$/), fc.uuid());
    fc.assert(
      fc.property(fc.array(id, { maxLength: 200 }), (ids) => {
        const seen = createSeenIds(limit);
        const fresh: string[] = [];
        for (const one of ids) {
          const isNew = !fresh.slice(-limit).includes(one);
          assert.strictEqual(seen.add(one), isNew, one);
          if (isNew) fresh.push(one);
        }
      }),
    );
  });
});

describe('seen records', () => {
  it('are remembered up to an exact number (F26)', () => {
    const seen = createSeenIds(100);
    for (let id = 0; id < 1000; id++) {
      assert.isTrue(seen.add(String(id)));
      for (let known = Math.max(0, id - 99); known <= id; known += 9) {
        assert.isFalse(seen.add(String(known)), `${known} after ${id}`);
      }
    }
    assert.isTrue(seen.add('899'));
    assert.isTrue(seen.add('900'));
    assert.isFalse(seen.add('902'));
  });
});
