import { assert } from 'chai';
import { changedBadges, fileBadges } from '../../../../src/logs/errors/marks';
import { errorAt } from './errorRecords';
import { file, kindWith, spotAt } from './spottedKinds';

const other = 'file:///shop/src/server.ts';

describe('the badges of files', () => {
  it('count the kinds of errors that happen in a file, not those that it calls', () => {
    const late = errorAt(500, 'late');
    const badges = fileBadges([
      kindWith('one', [spotAt(1, { count: 3 }), spotAt(8, { file: other, count: 3 })], {
        count: 3,
      }),
      kindWith('two', [spotAt(2)], { count: 4, last: late }),
      kindWith('three', [spotAt(2)], { count: 1 }),
      kindWith('nowhere', []),
    ]);
    assert.deepEqual([...badges], [[file, { kinds: 3, count: 8, lastSeen: late.timestamp }]]);
  });

  it('are drawn again only where they differ', () => {
    const before = fileBadges([
      kindWith('one', [spotAt(1)]),
      kindWith('b', [spotAt(1, { file: other })]),
    ]);
    const more = fileBadges([kindWith('one', [spotAt(1)]), kindWith('two', [spotAt(1)])]);
    assert.isEmpty(changedBadges(before, before));
    assert.sameMembers([...changedBadges(before, more)], [file, other]);
    assert.deepEqual([...changedBadges(new Map(), more)], [file]);
  });
});
