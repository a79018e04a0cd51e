import { assert } from 'chai';
import { longWait, TailStateNotifier } from '../../../../src/logs/tail/stateNotifier';
import type { TailState } from '../../../../src/logs/tail/tailState';
import { ApiError } from '../../../../src/api/errors';
import { fakeClock, type FakeClock } from '../../fakeClock';

const live: TailState = { kind: 'live' };
const connecting: TailState = { kind: 'connecting' };
const reconnecting: TailState = { kind: 'reconnecting', retryAt: 0, why: undefined };
const rateLimited: TailState = { kind: 'rateLimited', retryAt: 0 };
const stopped: TailState = { kind: 'stopped' };
const paused: TailState = { kind: 'paused', newRecords: 0 };
const failed: TailState = {
  kind: 'failed',
  why: {
    kind: 'signedOut',
    error: new ApiError({ kind: 'signedOut', code: 'signedOut', message: '' }),
  },
};

describe('notifications of a tail', () => {
  let clock: FakeClock;
  let news: TailStateNotifier;
  let notified: string[];

  beforeEach(() => {
    clock = fakeClock();
    notified = [];
    news = new TailStateNotifier(clock);
    news.onDidNotice((key) => notified.push(key));
  });

  it('are not shown when it starts, is paused, resumes or reconnects soon', async () => {
    for (const state of [connecting, live, paused, live, reconnecting, connecting]) {
      news.changed('a', state);
    }
    await clock.advance(longWait - 1);
    news.changed('a', live);
    await clock.advance(longWait);
    assert.deepEqual(notified, []);
    assert.equal(clock.liveTimers, 0);
  });

  it('are shown once when it waits, however often it tries, and when it is live again', async () => {
    for (let tries = 0; tries < 5; tries++) {
      for (const state of [reconnecting, connecting, rateLimited]) news.changed('a', state);
      await clock.advance(longWait);
    }
    assert.deepEqual(notified, ['a']);
    news.changed('a', live);
    assert.deepEqual(notified, ['a', 'a']);
    news.changed('a', live);
    assert.deepEqual(notified, ['a', 'a']);
  });

  it('are shown at once when it fails', async () => {
    news.changed('a', reconnecting);
    news.changed('a', failed);
    await clock.advance(longWait);
    assert.deepEqual(notified, ['a']);
  });

  it('are not shown when a person signs out, which is told once', async () => {
    const error = new ApiError({ kind: 'signedOut', code: 'noKey', message: '' });
    news.changed('a', reconnecting);
    news.changed('a', { kind: 'failed', why: { kind: 'signedOut', error } });
    await clock.advance(longWait);
    assert.deepEqual(notified, []);
  });

  it('are not shown after it was stopped, or all ended', async () => {
    news.changed('a', reconnecting);
    news.changed('b', reconnecting);
    news.changed('a', stopped);
    await clock.advance(longWait - 1);
    news.dispose();
    await clock.advance(longWait);
    assert.deepEqual(notified, []);
    assert.equal(clock.liveTimers, 0);
  });
});
