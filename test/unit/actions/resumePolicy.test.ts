import { assert } from 'chai';
import type { ActionProgress, ActivityEntry } from '../../../src/actions/activityEntry';
import {
  canSendAgain,
  isAskedAbout,
  isHeldElsewhere,
  newLease,
} from '../../../src/actions/resumePolicy';
import { fakeClock } from '../fakeClock';
import { uuid } from '../inventory/treeText';
import { connection } from './windows';

const entry = (kind: ActivityEntry['kind'], progress: ActionProgress): ActivityEntry =>
  ({ id: uuid(1), connection, at: 0, kind, progress }) as ActivityEntry;

describe('who looks after an entry', () => {
  const clock = fakeClock();
  const held = (left: number): boolean => {
    const lease = { window: 'other', until: clock.now() + left };
    return isHeldElsewhere(
      { ...entry('cleanUp', { kind: 'following' }), lease },
      'this one',
      clock,
    );
  };

  it('is another window as long as its lease says so, and no lease is longer than 15 s', () => {
    assert.isTrue(held(1));
    assert.isTrue(held(15_000));
    assert.isFalse(held(0), 'it is over');
    assert.isFalse(held(-1));
    assert.isFalse(held(15_001), 'nobody claims to be there for that long');
  });

  it('is nobody without a lease, and not another window with its own', () => {
    const one = entry('sync', { kind: 'following' });
    assert.isFalse(isHeldElsewhere(one, 'this one', clock));
    const lease = newLease('this one', clock);
    assert.equal(lease.until, clock.now() + 15_000);
    assert.isFalse(isHeldElsewhere({ ...one, lease }, 'this one', clock));
    assert.isTrue(isHeldElsewhere({ ...one, lease }, 'another', clock));
  });
});

describe('what a person is asked about', () => {
  it('is a clean-up that may have been sent, and nothing else', () => {
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

  it('can be sent again only where its outcome is unknown, and it has a key', () => {
    assert.isTrue(canSendAgain(entry('cleanUp', { kind: 'unknown', why: 'noAnswer' })));
    assert.isFalse(canSendAgain(entry('cleanUp', { kind: 'sending' })));
    assert.isFalse(canSendAgain(entry('sync', { kind: 'unknown', why: 'noAnswer' })));
  });
});
