import { assert } from 'chai';
import { hour, minute } from '../../../../src/base/clock';
import {
  canShift,
  fixedSearch,
  queryOfSide,
  rangeBefore,
  rangesOfOther,
} from '../../../../src/logs/explorer/comparison';
import { parseSearch } from '../../../../src/logs/query/searchQuery';

const noon = Date.UTC(2026, 10, 20, 12);
const when = { now: noon, timeZone: 'utc' };
const range = (from: number, to: number) => ({ from: noon + from, to: noon + to });

describe('sides of a comparison', () => {
  it('have a fixed range, also in the query that shares them', () => {
    const parsed = parseSearch('severity:error last:1h', when);
    const side = parsed.ok ? fixedSearch(parsed.query, when) : undefined;
    assert.deepEqual(side?.range, range(-hour, 0));
    const query = side && queryOfSide(side);
    assert.equal(query, 'severity:error from:2026-11-20T11:00:00.000Z to:2026-11-20T12:00:00.000Z');
    const later = { now: noon + hour, timeZone: 'utc' };
    const again = parseSearch(query ?? '', later);
    assert.deepEqual(again.ok && fixedSearch(again.query, later), side);
  });

  it('are as long as the one they are compared with, and do not overlap it', () => {
    const now = range(-hour, 0);
    assert.deepEqual(rangeBefore(now, 'periodBefore'), range(-2 * hour - 1, -hour - 1));
    assert.deepEqual(rangeBefore(now, 'dayBefore'), range(-25 * hour, -24 * hour));
    assert.deepEqual(rangeBefore(now, 'weekBefore'), range(-169 * hour, -168 * hour));
    assert.isTrue(canShift(now, 'dayBefore'));
    assert.isFalse(canShift(range(-30 * hour, 0), 'dayBefore'));
    assert.isTrue(canShift(range(-30 * hour, 0), 'weekBefore'));
  });

  it('count a record once: a part is compared with the rest', () => {
    const filter = { severities: ['error' as const] };
    const now = { filter, range: range(-40 * minute, -30 * minute) };
    const of = (whole: ReturnType<typeof range>, other = filter) =>
      rangesOfOther({ now, before: { filter: other, range: whole } });
    assert.deepEqual(of(range(-hour, 0)), [
      range(-hour, -40 * minute - 1),
      range(-30 * minute + 1, 0),
    ]);
    assert.deepEqual(of(range(-35 * minute, 0)), [range(-30 * minute + 1, 0)]);
    assert.deepEqual(of(range(-39 * minute, -35 * minute)), []);
    assert.deepEqual(of(range(-hour, -50 * minute)), [range(-hour, -50 * minute)]);
    const others = { severities: ['error' as const, 'fatal' as const], search: '' };
    assert.deepEqual(of(range(-hour, 0), others as typeof filter), [range(-hour, 0)]);
  });
});
