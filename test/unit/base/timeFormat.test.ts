import { assert } from 'chai';
import * as fc from 'fast-check';
import {
  TimeFormat,
  timeOf,
  type Formats,
  instantOf,
  localZone,
  wallTime,
} from '../../../src/base/timeFormat';
import { anyText } from '../logs/anyText';

const noon = Date.UTC(2026, 10, 20, 12);
const formatIn = (formats: Formats = {}, locale = 'en', timeZone = 'utc'): TimeFormat =>
  new TimeFormat(
    () => formats,
    () => timeZone,
    () => noon,
    locale,
  );

describe('Time formats', () => {
  it('are those of the workspace', () => {
    const afternoon = '2026-11-05T14:03:09Z';
    const timeZone = 'Europe/Berlin';
    const shown = (dateFormat: string, timeFormat: string): string =>
      formatIn({ dateFormat, timeFormat }, 'en', timeZone).moment(afternoon);
    assert.equal(shown('day-short-month-year', '24-hour'), '5 Nov 2026 15:03 GMT+1');
    assert.equal(shown('short-month-day-year', '12-hour'), 'Nov 5, 2026 3:03 PM GMT+1');
    assert.equal(shown('year-month-day', '24-hour-seconds'), '2026-11-05 15:03:09 GMT+1');
    assert.equal(shown('day-month-year', '12-hour-seconds'), '05/11/2026 3:03:09 PM GMT+1');
    assert.equal(shown('month-day-year', '24-hour'), '11/05/2026 15:03 GMT+1');
    const halfPast = (hour: number, timeFormat: string): string =>
      formatIn({ dateFormat: 'day-month-year', timeFormat }).moment(
        new Date(Date.UTC(2026, 10, 5, hour, 30)).toISOString(),
      );
    assert.equal(halfPast(12, '12-hour'), '05/11/2026 12:30 PM UTC');
    assert.equal(halfPast(0, '12-hour'), '05/11/2026 12:30 AM UTC');
    assert.equal(halfPast(0, '24-hour'), '05/11/2026 00:30 UTC');
  });

  it('are ISO in UTC if the workspace has no known format', () => {
    const midnight = '2026-03-01T00:00:00.5Z';
    assert.equal(formatIn().moment(midnight), '2026-03-01 00:00:00 UTC');
    const odd = { dateFormat: 'moon-phase', timeFormat: 'sundial' };
    assert.equal(formatIn(odd, 'en', 'Mars/Olympus').moment(midnight), '2026-03-01 00:00:00 UTC');
    assert.equal(formatIn({}, 'no such locale').moment(midnight), '2026-03-01 00:00:00 UTC');
  });

  it('follow a change of the format', () => {
    let formats: Formats = {};
    let timeZone = 'utc';
    const changing = new TimeFormat(
      () => formats,
      () => timeZone,
      () => noon,
      'en',
    );
    assert.equal(changing.moment('2026-11-20T12:00:00Z'), '2026-11-20 12:00:00 UTC');
    timeZone = 'Asia/Tokyo';
    assert.equal(changing.moment('2026-11-20T12:00:00Z'), '2026-11-20 21:00:00 GMT+9');
    formats = { timeFormat: '24-hour' };
    assert.equal(changing.moment('2026-11-20T12:00:00Z'), '2026-11-20 21:00 GMT+9');
  });

  it('have the clock of the computer without naming its zone', () => {
    const local = new Date(2026, 10, 5, 14, 3, 9).toISOString();
    assert.equal(formatIn({}, 'en', 'local').moment(local), '2026-11-05 14:03:09');
  });

  it('follow the language of the user', () => {
    const german = formatIn({ dateFormat: 'day-short-month-year', timeFormat: '24-hour' }, 'de');
    assert.equal(german.moment('2026-03-05T12:00:00Z'), '5 März 2026 12:00 UTC');
    assert.equal(german.relative('2026-11-20T11:57:00Z'), 'vor 3 Min.');
  });

  it('include times relative to now', () => {
    const times = [
      ['2026-11-20T12:00:00Z', 'now'],
      ['2026-11-20T11:59:01Z', '59 sec. ago'],
      ['2026-11-20T11:59:00Z', '1 min. ago'],
      ['2026-11-20T10:00:01Z', '1 hr. ago'],
      ['2026-11-19T12:00:01Z', '23 hr. ago'],
      ['2026-11-18T12:00:00Z', '2 days ago'],
      ['2026-09-01T12:00:00Z', '2 mo. ago'],
      ['2020-11-20T12:00:00Z', '6 yr. ago'],
      ['2026-11-20T13:30:00+01:00', 'in 30 min.'],
      ['2026-11-20T12:00:05Z', 'in 5 sec.'],
      ['2026-11-20T12:00:04.9Z', 'now'],
      ['2026-11-20 11:59:01+00', '59 sec. ago'],
      ['2026-11-20 17:30:05.25+05:30', 'in 5 sec.'],
      ['2026-11-20T06:59:01.5-05', '58 sec. ago'],
    ] as const;
    for (const [iso, expected] of times) assert.equal(formatIn().relative(iso), expected, iso);
  });

  it('leave invalid timestamps unchanged', () => {
    const none = ['', 'yesterday', '-1', '2026', '2026-11-20', '2026-13-45T99:00:00Z'];
    const odd = ['2026-11-20 12:00:00', '2026-11-20T12:00Z:00', '2026-11-20 12:00:00 (-05)'];
    for (const text of [...none, ...odd, '2026-11-20T12:00:00']) {
      assert.equal(formatIn().moment(text), text);
      assert.equal(formatIn().relative(text), text);
      assert.isUndefined(timeOf(text), text);
    }
    assert.isUndefined(timeOf(undefined));
  });

  it('show durations in the two largest units', () => {
    const lengths = [
      [0, '0 ms'],
      [12.4, '12 ms'],
      [-0, '0 ms'],
      [0.4, '0 ms'],
      [1_000, '1 sec'],
      [1_999, '1 sec'],
      [59_999, '59 sec'],
      [70_000, '1 min 10 sec'],
      [300_000, '5 min'],
      [3_600_000, '1 hr'],
      [3_605_000, '1 hr'],
      [90_061_000, '1 day 1 hr'],
    ] as const;
    for (const [length, expected] of lengths) {
      assert.equal(formatIn().duration(length), expected, String(length));
    }
  });

  it('are undefined for what is no duration and no time, so that a text is made without it', () => {
    for (const length of [undefined, NaN, Infinity, -Infinity, -5, 1e308, Number.MAX_SAFE_INTEGER])
      assert.isUndefined(formatIn().duration(length), String(length));
    for (const time of [undefined, NaN, Infinity, -Infinity, 9e15])
      assert.isUndefined(formatIn().relativeTo(time), String(time));
    assert.equal(formatIn().relativeTo(noon - 60_000), '1 min. ago');
  });

  it('never throw, whatever the input is', () => {
    const text = anyText(30);
    const formats = fc.record({ dateFormat: text, formatIn: text }, { requiredKeys: [] });
    fc.assert(
      fc.property(formats, text, fc.double(), fc.date(), (given, odd, length, date) => {
        const some = formatIn(given, odd, odd);
        for (const input of [odd, Number.isNaN(date.getTime()) ? '' : date.toISOString()]) {
          assert.isString(some.moment(input));
          assert.isString(some.relative(input));
        }
        for (const text of [some.duration(length), some.relativeTo(length)]) {
          assert.notMatch(text ?? 'none', /NaN|Infinity|∞|undefined/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const wall = (text: string): number => Date.parse(`${text}Z`);
const iso = (text: string, zone: string): string =>
  new Date(instantOf(wall(text), zone)).toISOString();

describe('the local time of a zone', () => {
  it('follows its clocks', () => {
    assert.strictEqual(iso('2026-07-01T12:00:00', 'Europe/Berlin'), '2026-07-01T10:00:00.000Z');
    assert.strictEqual(iso('2026-12-01T12:00:00', 'Europe/Berlin'), '2026-12-01T11:00:00.000Z');
    assert.strictEqual(iso('2026-12-01T12:00:00', 'Asia/Kathmandu'), '2026-12-01T06:15:00.000Z');
    assert.strictEqual(iso('2026-12-01T12:00:00', 'America/New_York'), '2026-12-01T17:00:00.000Z');
    assert.strictEqual(iso('2026-12-01T12:00:00', 'Nowhere/None'), '2026-12-01T12:00:00.000Z');
  });

  it('is the first of two instants, and moves forward in a gap', () => {
    assert.strictEqual(iso('2026-10-25T02:30:00', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
    assert.strictEqual(iso('2026-03-29T02:30:00', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
    assert.strictEqual(iso('2026-03-29T05:00:00', 'Europe/Berlin'), '2026-03-29T03:00:00.000Z');
  });

  it('converts back to the same local time for any instant', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', localZone];
    const instants = fc.integer({ min: -2e12, max: 4e12 });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
        const shown = wallTime(instant, zone);
        assert.strictEqual(wallTime(instantOf(shown, zone), zone), shown);
        assert.isAtMost(instantOf(shown, zone), instant);
      }),
    );
  });
});
