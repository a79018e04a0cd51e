import { assert } from 'chai';
import fc from 'fast-check';
import { readSavedTails } from '../../../../src/logs/tail/savedTails';

const position = {
  from: '2026-11-20T12:00:00Z',
  to: '2027-11-20T12:00:00Z',
  cursor: 'c',
  seen: ['e-1'],
};
const tail = {
  ...{ filter: { severities: ['error'] }, label: 'errors', position },
  ...{ paused: true, ownChannel: true },
};

describe('saved tails', () => {
  it('are read back as saved', () => {
    const saved = { connection: 'https://cp.example a', tails: [tail] };
    assert.deepEqual(readSavedTails(JSON.parse(JSON.stringify(saved))), {
      connection: saved.connection,
      tails: [{ ...tail, filter: { severities: ['error'] } }],
    } as never);
  });

  it('are left out if they cannot be followed, without the others', () => {
    const saved = readSavedTails({
      connection: 'c',
      tails: [{ ...tail, filter: { severities: ['loud'] } }, { ...tail, label: 7 }, null, tail],
    });
    assert.lengthOf(saved!.tails, 1);
  });

  for (const broken of [
    null,
    { ...position, cursor: 7 },
    { ...position, seen: [7] },
    { ...position, to: undefined },
  ]) {
    it(`start from the beginning if their position is ${JSON.stringify(broken)}`, () => {
      const saved = readSavedTails({ connection: 'c', tails: [{ ...tail, position: broken }] });
      assert.isUndefined(saved!.tails[0]!.position);
    });
  }

  it('never throw, whatever was stored', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (value, other) => {
        readSavedTails(value);
        readSavedTails({ connection: 'c', tails: [other, { filter: other, label: 'x' }] });
      }),
    );
  });
});
