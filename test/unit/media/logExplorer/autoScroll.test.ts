import { assert } from 'chai';
import { createAutoScroll } from '../../../../media/logExplorer/autoScroll';

describe('auto-scroll', () => {
  function follow(...states: ('live' | 'paused' | 'waiting' | 'ended' | undefined)[]) {
    const asked: string[] = [];
    const autoScroll = createAutoScroll((what) => asked.push(what));
    const take = (state: (typeof states)[number]): void =>
      autoScroll.take(state === undefined ? undefined : { state, text: '', newRecords: 0 });
    states.forEach(take);
    return { autoScroll, asked, take };
  }

  it('is on while following', () => {
    assert.isTrue(follow('live').autoScroll.isOn);
    assert.isTrue(follow('live', 'waiting').autoScroll.isOn);
    for (const state of ['paused', 'ended', undefined] as const) {
      assert.isFalse(follow('live', state).autoScroll.isOn, state);
    }
  });

  it('pauses when the user scrolls up, and resumes when they scroll back', () => {
    const { autoScroll, asked, take } = follow('live');
    autoScroll.scrolled('backward', true);
    assert.deepEqual(asked, [], 'a list of a few rows has no way up');
    autoScroll.scrolled('backward', false);
    autoScroll.scrolled('backward', false);
    assert.deepEqual(asked, ['pause']);
    assert.isFalse(autoScroll.isOn, 'it stands still before the answer comes');
    take('paused');
    autoScroll.scrolled('forward', false);
    assert.deepEqual(asked, ['pause']);
    autoScroll.scrolled('forward', true);
    assert.deepEqual(asked, ['pause', 'follow']);
    take('live');
    assert.isTrue(autoScroll.isOn);
  });

  it('stays paused at the end if the user paused', () => {
    const { autoScroll, asked } = follow('live', 'paused');
    autoScroll.scrolled('forward', true);
    assert.deepEqual(asked, []);
    autoScroll.resume();
    assert.deepEqual(asked, ['follow']);
  });

  it('pauses for a selected row until it is resumed', () => {
    const { autoScroll, asked, take } = follow('live');
    autoScroll.hold();
    take('paused');
    assert.isFalse(autoScroll.isOn);
    autoScroll.resume();
    autoScroll.resume();
    take('live');
    assert.isTrue(autoScroll.isOn);
    assert.deepEqual(asked, ['pause', 'follow']);
  });

  it('does nothing while not following', () => {
    const { autoScroll, asked } = follow();
    autoScroll.scrolled('backward', false);
    autoScroll.hold();
    autoScroll.scrolled('forward', true);
    autoScroll.resume();
    assert.deepEqual(asked, []);
  });

  it('is on again when following starts again', () => {
    const { autoScroll, take } = follow('live');
    autoScroll.hold();
    take('paused');
    take('ended');
    take('live');
    assert.isTrue(autoScroll.isOn);
  });
});
