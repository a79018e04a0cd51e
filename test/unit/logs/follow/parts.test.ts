import { assert } from 'chai';
import { ApiError } from '../../../../src/api/errors';
import { createSeen } from '../../../../src/logs/follow/dedupe';
import { createIdleLimit } from '../../../../src/logs/follow/idleLimit';
import { createConnectBudget } from '../../../../src/logs/follow/reconnectLoop';
import { meaningOf } from '../../../../src/logs/follow/reconnectPolicy';

describe('What was seen', () => {
  it('is remembered for so many records, exactly (F26)', () => {
    const seen = createSeen(100);
    for (let id = 0; id < 1000; id++) {
      assert.isTrue(seen.add(String(id)));
      for (let known = Math.max(0, id - 99); known <= id; known += 9) {
        assert.isFalse(seen.add(String(known)), `${known} after ${id}`);
      }
    }
    assert.isTrue(seen.add('899'));
    assert.isTrue(seen.add('900'));
    assert.isFalse(seen.add('902'));
  });
});

describe('The budget of connects', () => {
  it('bounds how many there are within any minute', () => {
    const budget = createConnectBudget(3, 60_000);
    for (const now of [0, 10_000, 20_000]) {
      assert.equal(budget.wait(now), 0);
      budget.spend(now);
    }
    assert.equal(budget.wait(20_000), 40_000);
    assert.equal(budget.wait(60_000), 0);
    budget.spend(60_000);
    assert.equal(budget.wait(60_000), 10_000);
    assert.equal(budget.wait(1_000_000), 0);
  });
});

describe('The idle limit', () => {
  /** The limit of a stream that was opened at 0 s and heard of at these seconds. */
  const after = (...seconds: number[]): number => {
    const idle = createIdleLimit();
    idle.didConnect(0);
    for (const second of seconds) idle.didHear(second * 1000);
    return idle.value;
  };
  /** Signs of life at the same distance, in seconds. */
  const every = (spacing: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => (index + 1) * spacing);

  it('is 90 s as long as next to nothing was heard (F15)', () => {
    assert.equal(after(), 90_000);
    assert.equal(after(0.01, 0.02, 0.03), 90_000, 'pieces of one page');
  });

  it('is three times the longest silence, from 20 to 90 s (F15)', () => {
    assert.equal(after(...every(0.1, 100)), 20_000);
    assert.equal(after(...every(5, 3)), 20_000);
    assert.equal(after(...every(15, 3)), 45_000);
    assert.equal(after(5, 15, 16, 17), 30_000);
    assert.equal(after(...every(60, 3)), 90_000);
  });

  it('forgets a silence after a while, and one across a new connection', () => {
    assert.equal(after(25, ...every(1, 700).map((second) => 25 + second)), 20_000);
    assert.equal(after(25, ...every(1, 280).map((second) => 25 + second)), 75_000);
    const idle = createIdleLimit();
    idle.didConnect(0);
    idle.didHear(6000);
    idle.didConnect(60_000);
    idle.didHear(61_000);
    assert.equal(idle.value, 20_000);
  });

  it('grows where a stream was given up, since nothing else may be wrong with it', () => {
    const idle = createIdleLimit();
    idle.didConnect(0);
    every(0.1, 100).forEach((second) => idle.didHear(second * 1000));
    idle.didGiveUp(30_000);
    assert.equal(idle.value, 60_000);
  });
});

function httpError(status: number, message = 'No.'): ApiError {
  return new ApiError({ kind: 'http', status, code: `code_${status}`, message });
}

describe('The meaning of an error', () => {
  for (const [error, meaning] of [
    [new ApiError({ kind: 'network', code: 'reset', message: '' }), 'passing'],
    [new ApiError({ kind: 'protocol', code: 'notJson', message: '' }), 'passing'],
    [new ApiError({ kind: 'timeout', code: 'timeout', message: '' }), 'passing'],
    [new ApiError({ kind: 'redirect', code: 'redirect', message: '', status: 302 }), 'refused'],
    [new ApiError({ kind: 'signedOut', code: 'noKey', message: '' }), 'signedOut'],
    [httpError(400), 'refused'],
    [httpError(400, 'The cursor is too old.'), 'lostCursor'],
    [httpError(401), 'unknownKey'],
    [httpError(403), 'missingPermission'],
    [httpError(404), 'notFound'],
    [httpError(407), 'refused'],
    [httpError(408), 'passing'],
    [httpError(409), 'lostCursor'],
    [httpError(410), 'lostCursor'],
    [httpError(413), 'refused'],
    [httpError(422), 'lostCursor'],
    [httpError(425), 'passing'],
    [httpError(429), 'rateLimited'],
    [httpError(500), 'passing'],
    [httpError(504), 'passing'],
  ] as const) {
    const { kind, status } = error;
    it(`of ${kind} ${status ?? ''} ${error.message} is ${meaning} (F19, F20, F21, F22, F24)`, () => {
      assert.equal(meaningOf(error), meaning);
    });
  }

  for (const [code, meaning] of [
    ['migrate_failed', 'passing'],
    ['generateLimitsFailed', 'passing'],
    ['operation_rate_unknown', 'passing'],
    ['rate_limited', 'rateLimited'],
    ['apiRateLimit', 'rateLimited'],
    ['RATE-LIMIT-EXCEEDED', 'rateLimited'],
    ['TooManyRequests', 'rateLimited'],
    ['request_throttled', 'rateLimited'],
    ['cursorExpired', 'lostCursor'],
    ['invalidApiKey', 'unknownKey'],
    ['access_denied', 'missingPermission'],
    ['stream.notFound', 'notFound'],
  ] as const) {
    it(`of an event with the code ${code} is ${meaning} (F25)`, () => {
      const error = new ApiError({ kind: 'http', code, message: '' });
      assert.equal(meaningOf(error), meaning);
    });
  }
});
