import { assert } from 'chai';
import {
  hasEnded,
  isFiring,
  hasSucceeded,
  isRunning,
  stateMeaning,
  setOwnFiringStates,
  setOwnMeanings,
} from '../../../src/data/states';
import { stateInWords } from '../../../src/data/stateWords';
import { alertStatus, workStatus } from '../../../src/trees/status';
import { t } from '../trees/treeText';

describe('what a state means', () => {
  afterEach(() => {
    setOwnMeanings({});
    setOwnFiringStates({});
  });

  it('is known for each step of a deployment', () => {
    const steps =
      'queued waiting_for_server preparing validating_credentials checking_server fetching_source resolving_secrets ' +
      'transferring building running_pre_deploy starting_candidate checking_health configuring_routing ' +
      'provisioning_tls checking_public_endpoint switching_traffic running_post_deploy cleaning_up';
    for (const state of steps.split(' ')) {
      assert.equal(stateMeaning(state), 'running', state);
      assert.include(['clock', 'sync~spin'], workStatus(state).icon, state);
    }
    assert.equal(workStatus('succeeded_with_warnings').icon, 'pass-filled');
    assert.equal(stateInWords('succeeded_with_warnings', t), 'succeeded with warnings');
    assert.equal(stateMeaning('skipped'), 'cancelled');
  });

  it('is known for what a preview is, each in its own word', () => {
    const previews = { building: 'running', healthy: 'succeeded', failed: 'failed' } as const;
    const ends = { deleting: 'running', cleanup_failed: 'failed', deleted: 'cancelled' } as const;
    for (const [state, meaning] of Object.entries({ ...previews, ...ends })) {
      assert.equal(stateMeaning(state), meaning, state);
      assert.equal(stateInWords(state, t), state.replace('_', ' '));
    }
  });

  it('is the same for all spellings', () => {
    for (const state of ['timed_out', 'Timed-Out', 'timedOut', 'TIMED OUT']) {
      assert.equal(stateMeaning(state), 'failed', state);
    }
  });

  it('is not known for others, also for names of members of objects', () => {
    for (const state of [undefined, '', 'active', 'constructor', '__proto__', 'unknown']) {
      assert.isUndefined(stateMeaning(state), state);
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
    assert.equal(stateMeaning('active'), 'succeeded');
    assert.isTrue(hasEnded({ state: 'queued' }));
    assert.equal(stateMeaning('live'), 'succeeded', 'what is no meaning changes nothing');
    assert.equal(stateMeaning('deployed'), 'succeeded');
    assert.include(workStatus('active'), { icon: 'pass-filled', words: 'active', rank: 1 });
    assert.include(workStatus('queued'), { icon: 'error', words: 'queued', rank: 4 });
  });
  it('is that a rule fires, as the setting says, for new states and for known ones', () => {
    const rule = (evaluationState: string): { evaluationState: string } => ({ evaluationState });
    assert.isTrue(isFiring(rule('Firing')));
    assert.isFalse(isFiring(rule('red_alert')));
    setOwnFiringStates({ redAlert: true, critical: false, firing: 'no', alarm: 0 });
    assert.isTrue(isFiring(rule('red_alert')));
    assert.equal(alertStatus(rule('red_alert'), (text) => text).icon, 'bell-dot');
    assert.isFalse(isFiring({ ...rule('red_alert'), enabled: false }));
    assert.isFalse(isFiring(rule('critical')));
    assert.isTrue(isFiring(rule('firing')), 'what is no boolean changes nothing');
    assert.isTrue(isFiring(rule('alarm')));
  });
});
