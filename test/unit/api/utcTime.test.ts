import { assert } from 'chai';
import { validateLogQuery } from '../../../src/api/validateRequest';
import { utcTime, utcTimeOf } from '../../../src/api/utcTime';

describe('A time of a record, as a filter takes it', () => {
  for (const [text, expected] of [
    ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123456789Z'],
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'],
    ['2026-11-20T14:00:00.5+02:00', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['soon', undefined],
    ['', undefined],
    ['+012026-11-20T12:00:00Z', undefined],
    ['-000001-11-20T12:00:00Z', undefined],
    ['0000-01-01T00:00:00Z', undefined],
    ['2026-13-20T12:00:00Z', undefined],
  ] as const) {
    it(`${text} is ${expected ?? 'none'} (F68)`, () => {
      const time = utcTime(text);
      assert.equal(time, expected);
      if (time !== undefined) validateLogQuery({ filters: { from: time, to: time } });
    });
  }

  it('is none where no date can have it (F68)', () => {
    for (const time of [Number.NaN, Infinity, -Infinity, 8.64e15, -8.64e15, 9e15]) {
      assert.isUndefined(utcTimeOf(time));
    }
    assert.equal(utcTimeOf(0), '1970-01-01T00:00:00.000Z');
  });
});
