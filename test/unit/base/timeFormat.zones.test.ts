import { assert } from 'chai';
import fc from 'fast-check';
import { instantOf, localZone, wallTime } from '../../../src/base/timeFormat';

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
