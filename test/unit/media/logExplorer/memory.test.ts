import { assert } from 'chai';
import { createMemory } from '../../../../media/logExplorer/memory';
import type { PageState, View } from '../../../../src/panels/logExplorer/messages';

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

async function scene(kept?: PageState) {
  const done: string[] = [];
  const states: PageState[] = [];
  const memory = createMemory(kept, {
    keep: (state) => states.push(state),
    read: (query) => {
      done.push(`read ${query}`);
      return Promise.resolve();
    },
    run: () => done.push('run'),
  });
  await settled();
  return { memory, done, states };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('what the page keeps over a reload', () => {
  it('is searched for again once the panel can, and only once', async () => {
    const { memory, done } = await scene({ query: 'a', wrap: true, ran: true });
    assert.isTrue(memory.wrap);
    memory.saw(view('notConnected'));
    await settled();
    assert.deepEqual(done, ['read a']);
    memory.saw(view('idle'));
    memory.saw(view('idle'));
    await settled();
    assert.deepEqual(done, ['read a', 'run']);
  });

  it('is not searched for where it was only typed, or where the panel has it still', async () => {
    const typed = await scene({ query: 'a', wrap: false, ran: false });
    typed.memory.saw(view('idle'));
    const there = await scene({ query: 'a', wrap: false, ran: true });
    there.memory.saw(view('ready', 'a'));
    there.memory.saw(view('idle'));
    await settled();
    assert.deepEqual([typed.done, there.done], [['read a'], ['read a']]);
  });

  it('gives way to a query from elsewhere', async () => {
    const { memory, done } = await scene({ query: 'a', wrap: false, ran: true });
    memory.forget();
    memory.saw(view('idle'));
    await settled();
    assert.deepEqual(done, ['read a']);
  });

  it('is the query, whether it is what is shown, and how lines are shown', async () => {
    const { memory, states } = await scene();
    memory.changed('a', false);
    memory.saw(view('ready', 'a'));
    memory.changed('a', true);
    memory.changed('ab', true);
    assert.deepEqual(states, [
      { query: 'a', wrap: false, ran: false },
      { query: 'a', wrap: false, ran: true },
      { query: 'a', wrap: true, ran: true },
      { query: 'ab', wrap: true, ran: false },
    ]);
  });

  it('is nothing at first: then the bar has what the panel shows', async () => {
    const { memory, done } = await scene();
    memory.saw(view('ready', 'b'));
    assert.deepEqual(done, ['read b']);
  });
});
