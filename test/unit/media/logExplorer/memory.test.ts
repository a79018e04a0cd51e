import { assert } from 'chai';
import { createMemory } from '../../../../media/logExplorer/memory';
import type { PageState, View } from '../../../../src/logs/explorer/panel/messages';

const view = (state: View['state'], query = ''): View => ({
  life: 0,
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
  return { memory: createMemory(kept, (state) => states.push(state)), states };
}

describe('what the page keeps over a reload', () => {
  it('is the query, whether it is what is shown, and how lines are shown', () => {
    const { memory, states } = scene();
    memory.changed('a', false);
    memory.saw(view('ready', 'a'));
    memory.saw(view('ready', 'a'));
    memory.changed('a', true);
    memory.changed('ab', true);
    memory.saw(view('ready', 'a'));
    assert.deepEqual(states, [
      { query: 'a', wrap: false, ran: false },
      { query: 'a', wrap: false, ran: true },
      { query: 'a', wrap: true, ran: true },
      { query: 'ab', wrap: true, ran: false },
    ]);
    assert.isTrue(memory.wrap);
  });

  it('stays as it is while there is nothing to see yet', () => {
    const { memory, states } = scene({ query: 'a', wrap: true, ran: true });
    assert.isTrue(memory.wrap);
    memory.saw(view('notConnected'));
    memory.saw(view('idle'));
    memory.changed('a', true);
    assert.deepEqual(states, []);
  });
});
