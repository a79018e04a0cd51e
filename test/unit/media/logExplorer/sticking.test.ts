import { assert } from 'chai';
import { createSticking } from '../../../../media/logExplorer/sticking';

describe('a list that follows', () => {
  function follow(...states: ('live' | 'paused' | 'waiting' | 'ended' | undefined)[]) {
    const asked: string[] = [];
    const sticking = createSticking((what) => asked.push(what));
    const take = (state: (typeof states)[number]): void =>
      sticking.take(state === undefined ? undefined : { state, text: '', newRecords: 0 });
    states.forEach(take);
    return { sticking, asked, take };
  }

  it('stays at its end while it runs, and nowhere else', () => {
    assert.isTrue(follow('live').sticking.sticks);
    assert.isTrue(follow('live', 'waiting').sticking.sticks);
    for (const state of ['paused', 'ended', undefined] as const) {
      assert.isFalse(follow('live', state).sticking.sticks, state);
    }
  });

  it('asks once to pause where somebody scrolls up, and to resume where they come back', () => {
    const { sticking, asked, take } = follow('live');
    sticking.scrolled('backward', true);
    assert.deepEqual(asked, [], 'a list of a few rows has no way up');
    sticking.scrolled('backward', false);
    sticking.scrolled('backward', false);
    assert.deepEqual(asked, ['pause']);
    assert.isFalse(sticking.sticks, 'it stands still before the answer comes');
    take('paused');
    sticking.scrolled('forward', false);
    assert.deepEqual(asked, ['pause']);
    sticking.scrolled('forward', true);
    assert.deepEqual(asked, ['pause', 'resume']);
    take('live');
    assert.isTrue(sticking.sticks);
  });

  it('stays paused at its end where somebody paused it in so many words', () => {
    const { sticking, asked } = follow('live', 'paused');
    sticking.scrolled('forward', true);
    assert.deepEqual(asked, []);
    sticking.goOn();
    assert.deepEqual(asked, ['resume']);
  });

  it('holds for a row that somebody looks at, until it is to go on', () => {
    const { sticking, asked, take } = follow('live');
    sticking.hold();
    take('paused');
    assert.isFalse(sticking.sticks);
    sticking.goOn();
    sticking.goOn();
    take('live');
    assert.isTrue(sticking.sticks);
    assert.deepEqual(asked, ['pause', 'resume']);
  });

  it('asks nothing where nothing is followed', () => {
    const { sticking, asked } = follow();
    sticking.scrolled('backward', false);
    sticking.hold();
    sticking.scrolled('forward', true);
    sticking.goOn();
    assert.deepEqual(asked, []);
  });

  it('sticks again where following begins anew', () => {
    const { sticking, take } = follow('live');
    sticking.hold();
    take('paused');
    take('ended');
    take('live');
    assert.isTrue(sticking.sticks);
  });
});
