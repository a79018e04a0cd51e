import { assert } from 'chai';
import type { ActionProgress, ActivityEntry } from '../../../src/actions/activityEntry';
import {
  canSendAgain,
  isAskedAbout,
  isHeldElsewhere,
  newLease,
} from '../../../src/actions/resumePolicy';
import { fakeClock } from '../fakeClock';
import { uuid } from '../trees/treeText';
import { connection } from './windows';

const entry = (kind: ActivityEntry['kind'], progress: ActionProgress): ActivityEntry =>
  ({ id: uuid(1), connection, at: 0, kind, progress }) as ActivityEntry;

describe('isHeldElsewhere', () => {
  const clock = fakeClock();
  const held = (left: number): boolean => {
    const lease = { window: 'other', until: clock.now() + left };
    return isHeldElsewhere(
      { ...entry('cleanUp', { kind: 'following' }), lease },
      'this one',
      clock,
    );
  };

  it('is true while another window has a lease of at most 15 s', () => {
    assert.isTrue(held(1));
    assert.isTrue(held(15_000));
    assert.isFalse(held(0), 'it is over');
    assert.isFalse(held(-1));
    assert.isFalse(held(15_001), 'no lease is that long');
  });

  it('is false without a lease or with one of this window', () => {
    const one = entry('sync', { kind: 'following' });
    assert.isFalse(isHeldElsewhere(one, 'this one', clock));
    const lease = newLease('this one', clock);
    assert.equal(lease.until, clock.now() + 15_000);
    assert.isFalse(isHeldElsewhere({ ...one, lease }, 'this one', clock));
    assert.isTrue(isHeldElsewhere({ ...one, lease }, 'another', clock));
  });
});

describe('isAskedAbout and canSendAgain', () => {
  it('ask only about clean-ups that may have been sent', () => {
    const all: readonly ActionProgress[] = [
      { kind: 'sending' },
      { kind: 'unknown', why: 'noAnswer' },
      { kind: 'unknown', why: 'interrupted' },
      { kind: 'following' },
      { kind: 'over' },
      { kind: 'left', why: 'stopped' },
    ];
    const asked = (kind: ActivityEntry['kind']): boolean[] =>
      all.map((progress) => isAskedAbout(entry(kind, progress)));
    assert.deepEqual(asked('cleanUp'), [true, true, true, false, false, false]);
    for (const kind of ['sync', 'previewReporting'] as const) {
      assert.notInclude(asked(kind), true);
    }
  });

  it('send again only clean-ups of unknown outcome', () => {
    assert.isTrue(canSendAgain(entry('cleanUp', { kind: 'unknown', why: 'noAnswer' })));
    assert.isFalse(canSendAgain(entry('cleanUp', { kind: 'sending' })));
    assert.isFalse(canSendAgain(entry('sync', { kind: 'unknown', why: 'noAnswer' })));
  });
});
