import { assert } from 'chai';
import fc from 'fast-check';
import { SeenIds } from '../../../../src/logs/record/seenIds';
import { covers } from '../../covers';

describe(`seen ids ${covers('F26', 'unit')}`, () => {
  it('are the last ones that were met', () => {
    const limit = 8;
    const id = fc.oneof(fc.stringMatching(/^[ab]{0,4}$/), fc.uuid());
    fc.assert(
      fc.property(fc.array(id, { maxLength: 200 }), (ids) => {
        const seen = new SeenIds(() => limit);
        let known: string[] = [];
        for (const one of ids) {
          assert.strictEqual(seen.add(one), !known.includes(one), one);
          known = [...known.filter((other) => other !== one), one].slice(-limit);
          for (const other of ids) assert.equal(seen.has(other), known.includes(other), other);
        }
      }),
    );
  });

  it('become fewer when the limit falls, and more when it rises', () => {
    let limit = 50;
    const seen = new SeenIds(() => limit);
    const known = (): number =>
      Array.from({ length: 400 }, (_, id) => seen.has(String(id))).filter(Boolean).length;
    for (let id = 0; id < 100; id++) seen.add(String(id));
    assert.equal(known(), 50);
    limit = 10;
    for (let id = 100; id < 140; id++) seen.add(String(id));
    assert.equal(known(), 10);
    limit = 30;
    for (let id = 140; id < 200; id++) seen.add(String(id));
    assert.equal(known(), 30);
  });

  it('include old ones for as long as they are needed', () => {
    let needed = new Set(['1', '3', '5']);
    const seen = new SeenIds(
      () => 10,
      (id) => needed.has(id),
    );
    for (let id = 0; id < 1000; id++) {
      assert.isTrue(seen.add(String(id)));
      if (id > 5)
        assert.isTrue(
          [...needed].every((one) => seen.has(one)),
          String(id),
        );
    }
    needed = new Set();
    for (let id = 1000; id < 1030; id++) seen.add(String(id));
    assert.isFalse(seen.has('1') || seen.has('3') || seen.has('5'));
  });
});
