import { assert } from 'chai';
import fc from 'fast-check';
import { day, hour, minute } from '../../../../src/base/clock';
import { wallTime } from '../../../../src/base/timeFormat';
import { Bars } from '../../../../src/logs/explorer/bars';

/** Of which some change their clocks by an hour or half an hour, at midnight too, and some are off by a part of one. */
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'America/Havana',
  'America/Santiago',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];
const start = Date.parse('2026-11-20T12:00:00Z');

/** Where bars begin in a range, in local time. */
function starts(bars: Bars, from: string, count: number): string[] {
  const first = bars.numberOf(Date.parse(from));
  return Array.from({ length: count }, (_, index) =>
    new Date(wallTime(bars.startOf(first + index), bars.timeZone)).toISOString().slice(5, 16),
  );
}

describe('bars', () => {
  it('have common lengths of time', () => {
    const durations = [1, 50, 4000, 20_000, hour, day, 7 * day, 4e10, 4e12];
    assert.deepEqual(
      durations.map((to) => Bars.covering({ from: 0, to }, 61, 'UTC').length),
      [1, 1, 100, 500, minute, 30 * minute, 3 * hour, 8 * day, 759 * day],
    );
  });

  it('begin at multiples of their length', () => {
    const bars = new Bars(minute, 'UTC');
    assert.equal(bars.count({ from: start + 59_999, to: start + 2 * minute }), 3);
    assert.equal(bars.count({ from: start, to: start }), 1);
  });

  it('of a day begin at midnight, before and after a change of the clock', () => {
    const days = new Bars(day, 'America/New_York');
    assert.deepEqual(starts(days, '2026-10-31T12:00:00Z', 4), [
      '10-31T00:00',
      '11-01T00:00',
      '11-02T00:00',
      '11-03T00:00',
    ]);
    const lengths = [0, 1, 2].map((index) => {
      const first = days.numberOf(Date.parse('2026-10-31T12:00:00Z')) + index;
      return (days.startOf(first + 1) - days.startOf(first)) / hour;
    });
    assert.deepEqual(lengths, [24, 25, 24]);
  });

  it('of some hours begin at hours of the zone', () => {
    const bars = new Bars(6 * hour, 'Europe/Berlin');
    assert.deepEqual(starts(bars, '2026-03-28T20:00:00Z', 4), [
      '03-28T18:00',
      '03-29T00:00',
      '03-29T06:00',
      '03-29T12:00',
    ]);
  });

  it('of an hour and less begin at its hours in a zone with a half', () => {
    const from = '2026-11-20T12:10:00Z';
    assert.deepEqual(starts(new Bars(hour, 'Asia/Kolkata'), from, 2), [
      '11-20T17:00',
      '11-20T18:00',
    ]);
    const quarters = new Bars(30 * minute, 'Asia/Kathmandu');
    assert.deepEqual(starts(quarters, from, 2), ['11-20T17:30', '11-20T18:00']);
  });

  it('of an hour are two where a clock has an hour twice', () => {
    const bars = new Bars(hour, 'America/New_York');
    assert.deepEqual(starts(bars, '2026-11-01T05:00:00Z', 3), [
      '11-01T01:00',
      '11-01T01:00',
      '11-01T02:00',
    ]);
  });

  it('follow each other without a gap in any zone', () => {
    const lengths = [
      1000,
      minute,
      5 * minute,
      30 * minute,
      hour,
      2 * hour,
      12 * hour,
      day,
      7 * day,
    ];
    // Ten years, which have some twenty changes of each clock.
    const time = fc.integer({ min: start - 3650 * day, max: start });
    const nearChange = fc
      .tuple(
        fc.constantFrom('2026-03-08T07:00Z', '2026-11-01T06:00Z', '2026-04-04T15:00Z'),
        fc.integer({ min: -30 * hour, max: 30 * hour }),
      )
      .map(([change, ms]) => Date.parse(change) + ms);
    fc.assert(
      fc.property(
        fc.oneof(time, nearChange),
        fc.constantFrom(...zones),
        fc.constantFrom(...lengths),
        (at, zone, length) => {
          const bars = new Bars(length, zone);
          const number = bars.numberOf(at);
          const [from, to] = [bars.startOf(number), bars.startOf(number + 1)];
          assert.isAtMost(from, at);
          assert.isAbove(to, at);
          assert.deepEqual(
            [from, to - 1].map((one) => bars.numberOf(one)),
            [number, number],
          );
        },
      ),
    );
  });

  it('do not exceed their greatest number for any range', () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    const most = fc.integer({ min: 2, max: 100 });
    fc.assert(
      fc.property(time, time, most, fc.constantFrom(...zones), (a, b, count, zone) => {
        const range = { from: Math.min(a, b), to: Math.max(a, b) };
        assert.isAtMost(Bars.covering(range, count, zone).count(range), count);
      }),
    );
  });
});
