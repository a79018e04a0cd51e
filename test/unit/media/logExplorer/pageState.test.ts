import { assert } from 'chai';
import { createPageState } from '../../../../media/logExplorer/pageState';
import type { PageState, View } from '../../../../src/logs/explorer/panel/messages';

const view = (state: View['state'], query = ''): View => ({
  epoch: 0,
  state,
  query,
  canGoBack: false,
  older: { text: '', canLoad: false },
  newer: { text: '', canLoad: false },
  cannotFollow: '',
  notices: [],
  summary: '',
});

function scene(kept?: PageState) {
  const states: PageState[] = [];
  return { pageState: createPageState(kept, (state) => states.push(state)), states };
}

describe('what the page keeps over a reload', () => {
  it('is the query, whether it is what is shown, and how lines are shown', () => {
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

  it('stays as it is while there is nothing to see yet', () => {
    const { pageState, states } = scene({ query: 'a', wrap: true, ran: true });
    assert.isTrue(pageState.wrap);
    pageState.saw(view('notConnected'));
    pageState.saw(view('idle'));
    pageState.changed('a', true);
    assert.deepEqual(states, []);
  });
});
