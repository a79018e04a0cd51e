import { assert } from 'chai';
import { compareTimestamps } from '../../../src/api/utcTime';

describe('Timestamps', () => {
  const ordered = [
    '2026-11-20T11:59:59.999999999Z',
    '2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00.0001Z',
    '2026-11-20T12:00:00.05Z',
    '2026-11-20T12:00:00.123Z',
    '2026-11-20T12:00:00.123000001Z',
    '2026-11-20T12:00:00.5Z',
    '2026-11-20T12:00:01Z',
  ];

  it('compare as they follow each other, with fractions of any length', () => {
    ordered.forEach((a, i) =>
      ordered.forEach((b, j) => {
        assert.equal(Math.sign(compareTimestamps(a, b)), Math.sign(i - j), `${a} ${b}`);
      }),
    );
  });

  it('are the same with and without zeros at the end', () => {
    assert.equal(compareTimestamps('2026-11-20T12:00:00.120Z', '2026-11-20T12:00:00.12Z'), 0);
    assert.equal(compareTimestamps('2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00Z'), 0);
  });

  it('compare in other forms too, as far as they can be read', () => {
    assert.isBelow(compareTimestamps('2026-11-20T12:00:00+02:00', '2026-11-20T12:00:00Z'), 0);
    assert.isNaN(compareTimestamps('yesterday', '2026-11-20T12:00:00Z'));
  });
});
