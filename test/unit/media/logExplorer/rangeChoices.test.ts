import { assert } from 'chai';
import { choiceOf, typedRange } from '../../../../media/logExplorer/rangeChoices';

describe('the box of ranges', () => {
  it('shows what the query says', () => {
    assert.deepEqual(choiceOf({}), { kind: 'none' });
    assert.deepEqual(choiceOf({ last: '15m' }), { kind: 'preset', last: '15m' });
    assert.deepEqual(choiceOf({ last: '90m' }), { kind: 'last', last: '90m' });
    assert.deepEqual(choiceOf({ from: '10:00' }), { kind: 'custom', from: '10:00', to: '' });
    assert.deepEqual(choiceOf({ to: 'yesterday' }), { kind: 'custom', from: '', to: 'yesterday' });
  });

  it('asks for what is typed, and leaves out what is not', () => {
    assert.deepEqual(typedRange(' yesterday 10:00 ', ''), { from: 'yesterday 10:00' });
    assert.deepEqual(typedRange('2h', '1h'), { from: '2h', to: '1h' });
    assert.deepEqual(typedRange(' ', ''), {});
  });
});
