import { assert } from 'chai';
import { choiceOf, longerThan, typedRange } from '../../../../media/logExplorer/timeRange';

describe('time range box', () => {
  it('shows the range of the query, which is an hour by default', () => {
    assert.deepEqual(choiceOf({}), { kind: 'preset', last: '1h' });
    assert.deepEqual(choiceOf({ last: '15m' }), { kind: 'preset', last: '15m' });
    assert.deepEqual(choiceOf({ last: '90m' }), { kind: 'last', last: '90m' });
    assert.deepEqual(choiceOf({ from: '10:00' }), { kind: 'custom' });
    assert.deepEqual(choiceOf({ to: 'yesterday' }), { kind: 'custom' });
  });

  it('offers the next longer range', () => {
    assert.equal(longerThan({}), '6h');
    assert.equal(longerThan({ last: '15m' }), '1h');
    for (const range of [{ last: '30d' }, { last: '90m' }, { from: '10:00' }]) {
      assert.isUndefined(longerThan(range));
    }
  });

  it('returns the typed range', () => {
    assert.deepEqual(typedRange(' yesterday 10:00 ', ''), { from: 'yesterday 10:00' });
    assert.deepEqual(typedRange('2h', '1h'), { from: '2h', to: '1h' });
    assert.deepEqual(typedRange(' ', ''), {});
  });
});
