import { assert } from 'chai';
import fc from 'fast-check';
import { covers } from '../../covers';
import { createTimestampFormat } from '../../../../src/logs/record/logLine';
import { shortOrLong } from '../../long';

const utc = createTimestampFormat('utc');

function assertShown(zone: string, cases: Readonly<Record<string, string>>): void {
  const format = createTimestampFormat(zone);
  for (const [timestamp, shown] of Object.entries(cases)) {
    assert.strictEqual(format(timestamp), shown, timestamp);
  }
}

describe('timestamp format', () => {
  it('shows UTC with milliseconds, whatever the fraction', () => {
    assertShown('utc', {
      '2026-11-20T12:00:00.123Z': '2026-11-20 12:00:00.123',
      '2026-11-20T12:00:00.456Z': '2026-11-20 12:00:00.456',
      '2026-11-20T12:00:00Z': '2026-11-20 12:00:00.000',
      '2026-11-20T12:00:00.5Z': '2026-11-20 12:00:00.500',
      '2026-11-20T12:00:00.999999999Z': '2026-11-20 12:00:00.999',
      '2026-11-20T12:00:01.123Z': '2026-11-20 12:00:01.123',
    });
  });

  it('takes other ways to write a moment', () => {
    assertShown('utc', {
      '2026-11-20T12:00:00.25+02:00': '2026-11-20 10:00:00.250',
      '2026-11-20 12:00:00z': '2026-11-20 12:00:00.000',
      '2026-11-20T12:00Z': '2026-11-20 12:00:00.000',
    });
  });

  it('answers nothing for what is no moment', () => {
    const late = ['2026-13-20T12:00:00+00:00', '9999-12-31T23:59:59-01:00'];
    const none = ['', 'now', '2026-11-20', '1700000000', ...late];
    for (const text of none) assert.isUndefined(utc(text), text);
    assert.isUndefined(createTimestampFormat('Europe/Berlin')('2026-13-20T12:00:00.000Z'));
  });

  it(`is not fooled right behind a good one of the same second ${covers('F54', 'unit')}`, () => {
    assert.isDefined(utc('2026-11-20T12:00:00.000Z'));
    for (const end of ['.00\x1bZ', '.0/0Z', '.0:0Z', ',000Z', '.000\x1b', '.000ZZ']) {
      assert.isUndefined(utc(`2026-11-20T12:00:00${end}`), end);
    }
  });

  it('shows other zones, over the change of the clocks too', () => {
    assertShown('Europe/Berlin', {
      '2026-10-25T00:59:59.999Z': '2026-10-25 02:59:59.999',
      '2026-10-25T01:00:00.000Z': '2026-10-25 02:00:00.000',
      '2026-07-01T22:30:00.000Z': '2026-07-02 00:30:00.000',
    });
    const early = '2026-01-01T00:00:05Z';
    assertShown('Asia/Kathmandu', { [early]: '2026-01-01 05:45:05.000' });
    assertShown('UTC', { [early]: '2026-01-01 00:00:05.000' });
    assertShown('Nowhere/At all', { [early]: '2026-01-01 00:00:05.000' });
  });

  it('agrees with the machine in its own zone, for any moment and after many', () => {
    const local = createTimestampFormat('local');
    const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
    const moment = fc.integer({ min: Date.UTC(1972, 0), max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(moment, (time) => {
        const date = new Date(time);
        const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
        const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
        assert.strictEqual(
          local(date.toISOString()),
          `${day} ${clock}.${pad(date.getMilliseconds(), 3)}`,
        );
      }),
      { numRuns: shortOrLong(300, 1500) },
    );
  });
});
