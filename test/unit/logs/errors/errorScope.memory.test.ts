import { assert } from 'chai';
import {
  noMemory,
  readMemory,
  withMuted,
  withoutMuted,
} from '../../../../src/logs/errors/errorScope';
import { covers } from '../../covers';

const lost = { key: 'lost\nfile', template: 'lost' };

describe('what is kept for errors', () => {
  it('is what was kept, and nothing if that is not valid', () => {
    const one = withMuted(noMemory, lost);
    assert.deepEqual(readMemory(JSON.parse(JSON.stringify(one))), one);
    for (const kept of [undefined, null, 'x']) assert.isUndefined(readMemory(kept));
    assert.deepEqual(readMemory({ muted: [{ key: 1 }, null] }), noMemory);
  });

  it('has a muted kind once, and without it again', () => {
    const twice = withMuted(withMuted(noMemory, lost), { ...lost, template: 'other' });
    assert.deepEqual(twice.muted, [{ ...lost, template: 'other' }]);
    assert.isEmpty(withoutMuted(twice, lost.key).muted);
  });

  it(`has a muted kind once if its pattern becomes more general ${covers('F96', 'unit')}`, () => {
    const special = { key: 'the owner of <n> is lost\nfile', template: 'the owner of <n> is lost' };
    const general = {
      key: 'the <value> of <n> is lost\nfile',
      template: 'the <value> of <n> is lost',
    };
    const elsewhere = { ...special, key: `${special.key}2` };
    const memory = [special, elsewhere, general].reduce(withMuted, noMemory);
    assert.deepEqual(memory.muted, [elsewhere, general]);
    assert.deepEqual(withoutMuted(memory, special.key).muted, [elsewhere]);
  });

  it('is bounded', () => {
    let memory = noMemory;
    for (let index = 0; index < 300; index++)
      memory = withMuted(memory, { ...lost, key: `${index}` });
    assert.lengthOf(memory.muted, 200);
    assert.strictEqual(memory.muted[0]?.key, '100');
    assert.isEmpty(withMuted(noMemory, { ...lost, key: 'x'.repeat(10_000) }).muted);
  });
});
