import { assert } from 'chai';
import {
  hasEnded,
  hasSucceeded,
  isRunning,
  meaningOf,
  setOwnMeanings,
} from '../../../src/data/states';
import { workStatus } from '../../../src/trees/status';

describe('what a state means', () => {
  afterEach(() => setOwnMeanings({}));

  it('is the same for all spellings', () => {
    for (const state of ['timed_out', 'Timed-Out', 'timedOut', 'TIMED OUT']) {
      assert.equal(meaningOf(state), 'failed', state);
    }
  });

  it('is not known for others, also for names of members of objects', () => {
    for (const state of [undefined, '', 'active', 'constructor', '__proto__', 'unknown']) {
      assert.isUndefined(meaningOf(state), state);
    }
  });

  it('decides what has ended and succeeded, unless there is an end time', () => {
    const finishedAt = '2026-11-20T12:00:00Z';
    const startedAt = finishedAt;
    assert.isFalse(hasEnded({ state: 'active' }));
    assert.isTrue(hasEnded({ state: 'active', finishedAt }));
    assert.isTrue(hasEnded({ state: 'live' }));
    assert.isTrue(isRunning({ state: 'active', startedAt }));
    assert.isFalse(isRunning({ state: 'queued' }));
    assert.isTrue(hasSucceeded({ state: 'deployed' }));
    assert.isFalse(hasSucceeded({ state: 'active' }));
    assert.isFalse(hasSucceeded({ state: 'superseded' }));
    assert.isFalse(hasSucceeded({}));
  });

  it('is what the setting says, for new states and for known ones', () => {
    assert.equal(workStatus('active').icon, 'circle-large-outline');
    assert.equal(workStatus('queued').icon, 'clock');
    setOwnMeanings({ Active: 'succeeded', queued: 'failed', live: 'maybe', deployed: 7 });
    assert.equal(meaningOf('active'), 'succeeded');
    assert.isTrue(hasEnded({ state: 'queued' }));
    assert.equal(meaningOf('live'), 'succeeded', 'what is no meaning changes nothing');
    assert.equal(meaningOf('deployed'), 'succeeded');
    assert.include(workStatus('active'), { icon: 'pass-filled', words: 'active', rank: 1 });
    assert.include(workStatus('queued'), { icon: 'error', words: 'queued', rank: 4 });
  });
});
