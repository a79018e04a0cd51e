import { assert } from 'chai';
import { SavedState, createStrings } from '../../../../media/logExplorer/panel';
import type { PageState } from '../../../../src/logs/explorer/protocol/messages';
import { viewWith } from './views';

function scene(kept?: PageState) {
  const states: PageState[] = [];
  return { pageState: new SavedState(kept, (state) => states.push(state)), states };
}

describe('texts of the page', () => {
  it('have the numbers of the language, and the id of a missing text', () => {
    const record = { findCount: '{0} of {1}, {2}' };
    const german = createStrings(record, 'de');
    assert.equal(german('findCount', 1, 12_345, '12345'), '1 of 12.345, 12345');
    assert.equal(createStrings(record, 'en')('findCount', 1200), '1,200 of {1}, {2}');
    assert.equal(german('findNone'), 'findNone');
  });
});

describe('state of the page', () => {
  it('contains the query, whether it ran, and whether lines wrap', () => {
    const { pageState, states } = scene();
    pageState.changed('a', false);
    pageState.saw(viewWith({ query: 'a' }));
    pageState.saw(viewWith({ query: 'a' }));
    pageState.changed('a', true);
    pageState.changed('ab', true);
    pageState.saw(viewWith({ query: 'a' }));
    assert.deepEqual(states, [
      { query: 'a', wrap: false, ran: false },
      { query: 'a', wrap: false, ran: true },
      { query: 'a', wrap: true, ran: true },
      { query: 'ab', wrap: true, ran: false },
    ]);
    assert.isTrue(pageState.wrap);
  });

  it('does not change before the first search', () => {
    const { pageState, states } = scene({ query: 'a', wrap: true, ran: true });
    assert.isTrue(pageState.wrap);
    pageState.saw(viewWith({ state: 'notConnected' }));
    pageState.saw(viewWith({ state: 'idle' }));
    pageState.changed('a', true);
    assert.deepEqual(states, []);
  });
});
