import { assert } from 'chai';
import { createConnectBudget } from '../../../../src/logs/tail/connectBudget';
import { meaningOf } from '../../../../src/logs/tail/errorMeaning';
import { createIdleLimit } from '../../../../src/logs/tail/idleLimit';
import { createSeen } from '../../../../src/logs/tail/seen';
import { ApiError } from '../../../../src/api/errors';

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
  /** The limit after heartbeats at these seconds. */
  const after = (...seconds: number[]): number => {
    const idle = createIdleLimit();
    idle.didConnect();
    for (const second of seconds) idle.didHearHeartbeat(second * 1000);
    return idle.value;
  };

  it('is 90 s without heartbeats, also after a first one (F15)', () => {
    assert.equal(after(), 90_000);
    assert.equal(after(15), 90_000);
  });

  it('is three times their spacing, within 45 s and what fetch allows (F15)', () => {
    assert.equal(after(0, 1), 45_000);
    assert.equal(after(0, 20), 60_000);
    assert.equal(after(0, 250), 290_000);
  });

  it('does not learn from heartbeats that were held up together', () => {
    assert.equal(after(0, 60, 60, 60), 180_000);
    assert.equal(after(0, 60, 115, 120), 180_000);
    assert.equal(after(0, 60, 80, 100, 120), 60_000);
  });

  it('does not learn across a page or a new connection', () => {
    const idle = createIdleLimit();
    idle.didHearHeartbeat(0);
    idle.didReceivePage();
    idle.didHearHeartbeat(80_000);
    idle.didConnect();
    idle.didHearHeartbeat(170_000);
    assert.equal(idle.value, 90_000);
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
});
