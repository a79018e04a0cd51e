import { assert } from 'chai';
import { readQuota, ServerLimit } from '../../../src/api/serverLimit';
import { minute, second } from '../../../src/base/clock';
import { fakeClock } from '../fakeClock';

const now = Date.UTC(2026, 10, 20, 12);

describe('readQuota', () => {
  const at = now / second;
  const cases: readonly [string, Record<string, string>, readonly number[] | undefined][] = [
    [
      'seconds since 1970',
      {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': '9',
        'X-RateLimit-Reset': `${at + 5}`,
      },
      [60, 9, 5],
    ],
    [
      'seconds from now',
      { 'RateLimit-Limit': '60, 60;w=60', 'RateLimit-Remaining': '9', 'RateLimit-Reset': '5' },
      [60, 9, 5],
    ],
    ['one header', { RateLimit: 'limit=60, remaining=9, reset=5' }, [60, 9, 5]],
    [
      'a policy',
      { 'RateLimit-Policy': '"default";q=60;w=60', RateLimit: '"default";r=9;t=5' },
      [60, 9, 5],
    ],
    [
      'a window that is over',
      {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': '70',
        'X-RateLimit-Reset': `${at - 5}`,
      },
      [60, 60, 0],
    ],
    ['nothing', {}, undefined],
    ['only a limit', { 'X-RateLimit-Limit': '60' }, undefined],
    ...['0', '-1', 'x', '', '1e9', '9'.repeat(13), 'NaN'].map((limit): (typeof cases)[number] => [
      `the limit "${limit}"`,
      { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': '5' },
      undefined,
    ]),
  ];
  for (const [what, headers, expected] of cases) {
    it(`reads ${what}`, () => {
      const quota = readQuota(new Headers(headers), now);
      const read = quota && [quota.limit, quota.remaining, quota.resetIn / second];
      assert.deepEqual(read, expected);
    });
  }
});

describe('ServerLimit', () => {
  const headers = (remaining: number, reset: number): Headers =>
    new Headers({ RateLimit: `limit=60, remaining=${remaining}, reset=${reset}` });

  it('keeps a part of the limit until it is whole again, or for a minute', async () => {
    const clock = fakeClock();
    const limit = new ServerLimit(clock);
    assert.equal(limit.freeIn(0.5, 100), 0, 'without headers');
    limit.update(headers(31, 40), now);
    assert.equal(limit.freeIn(0.5, 0), 0);
    assert.equal(limit.freeIn(0.5, 1), 40 * second, 'what is under way counts');
    assert.equal(limit.freeIn(0, 30), 0);
    assert.equal(limit.freeIn(0, 31), 40 * second);
    limit.update(new Headers(), now);
    await clock.advance(40 * second);
    assert.equal(limit.freeIn(0.5, 1), 0);
    limit.update(headers(1, 3600), now);
    assert.equal(limit.freeIn(0.5, 0), minute);
  });
});
