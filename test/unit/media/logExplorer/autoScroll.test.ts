import { assert } from 'chai';
import { createAutoScroll } from '../../../../media/logExplorer/autoScroll';

describe('a list that follows', () => {
  function follow(...states: ('live' | 'paused' | 'waiting' | 'ended' | undefined)[]) {
    const asked: string[] = [];
    const autoScroll = createAutoScroll((what) => asked.push(what));
    const take = (state: (typeof states)[number]): void =>
      autoScroll.take(state === undefined ? undefined : { state, text: '', newRecords: 0 });
    states.forEach(take);
    return { autoScroll, asked, take };
  }

  it('stays at its end while it runs, and nowhere else', () => {
    assert.isTrue(follow('live').autoScroll.sticks);
    assert.isTrue(follow('live', 'waiting').autoScroll.sticks);
    for (const state of ['paused', 'ended', undefined] as const) {
      assert.isFalse(follow('live', state).autoScroll.sticks, state);
    }
  });

  it('asks once to pause where somebody scrolls up, and to resume where they come back', () => {
    const { autoScroll, asked, take } = follow('live');
    autoScroll.scrolled('backward', true);
    assert.deepEqual(asked, [], 'a list of a few rows has no way up');
    autoScroll.scrolled('backward', false);
    autoScroll.scrolled('backward', false);
    assert.deepEqual(asked, ['pause']);
    assert.isFalse(autoScroll.sticks, 'it stands still before the answer comes');
    take('paused');
    autoScroll.scrolled('forward', false);
    assert.deepEqual(asked, ['pause']);
    autoScroll.scrolled('forward', true);
    assert.deepEqual(asked, ['pause', 'resume']);
    take('live');
    assert.isTrue(autoScroll.sticks);
  });

  it('stays paused at its end where somebody paused it in so many words', () => {
    const { autoScroll, asked } = follow('live', 'paused');
    autoScroll.scrolled('forward', true);
    assert.deepEqual(asked, []);
    autoScroll.resume();
    assert.deepEqual(asked, ['resume']);
  });

  it('holds for a row that somebody looks at, until it is to go on', () => {
    const { autoScroll, asked, take } = follow('live');
    autoScroll.hold();
    take('paused');
    assert.isFalse(autoScroll.sticks);
    autoScroll.resume();
    autoScroll.resume();
    take('live');
    assert.isTrue(autoScroll.sticks);
    assert.deepEqual(asked, ['pause', 'resume']);
  });

  it('asks nothing where nothing is followed', () => {
    const { autoScroll, asked } = follow();
    autoScroll.scrolled('backward', false);
    autoScroll.hold();
    autoScroll.scrolled('forward', true);
    autoScroll.resume();
    assert.deepEqual(asked, []);
  });

  it('sticks again where following begins anew', () => {
    const { autoScroll, take } = follow('live');
    autoScroll.hold();
    take('paused');
    take('ended');
    take('live');
    assert.isTrue(autoScroll.sticks);
  });
});
