import { assert } from 'chai';
import { createPageState } from '../../../../media/logExplorer/panel';
import type { PageState } from '../../../../src/logs/explorer/panel/messages';
import type { View } from '../../../../src/logs/explorer/panel/view';

const view = (state: View['state'], query = ''): View => ({
  epoch: 0,
  state,
  query,
  canGoBack: false,
  older: { text: '', canLoad: false },
  newer: { text: '', canLoad: false },
  serverNow: 0,
  cannotFollow: '',
  notices: [],
  summary: '',
});

function scene(kept?: PageState) {
  const states: PageState[] = [];
  return { pageState: createPageState(kept, (state) => states.push(state)), states };
}

describe('state of the page', () => {
  it('contains the query, whether it ran, and whether lines wrap', () => {
    const { pageState, states } = scene();
    pageState.changed('a', false);
    pageState.saw(view('ready', 'a'));
    pageState.saw(view('ready', 'a'));
    pageState.changed('a', true);
    pageState.changed('ab', true);
    pageState.saw(view('ready', 'a'));
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
    pageState.saw(view('notConnected'));
    pageState.saw(view('idle'));
    pageState.changed('a', true);
    assert.deepEqual(states, []);
  });
});
