import { assert } from 'chai';
import { AutoScroll, Loading } from '../../../../media/logExplorer/listEnds';
import { settle } from '../../fakeClock';
import { viewWith } from './views';

describe('auto-scroll', () => {
  function follow(...states: ('live' | 'paused' | 'waiting' | 'ended' | undefined)[]) {
    const asked: string[] = [];
    const autoScroll = new AutoScroll((what) => asked.push(what));
    const show = (state: (typeof states)[number]): void =>
      autoScroll.apply(state === undefined ? undefined : { state, text: '', newRecords: 0 });
    states.forEach(show);
    return { autoScroll, asked, show };
  }

  it('is on while following', () => {
    assert.isTrue(follow('live').autoScroll.isOn);
    assert.isTrue(follow('live', 'waiting').autoScroll.isOn);
    for (const state of ['paused', 'ended', undefined] as const) {
      assert.isFalse(follow('live', state).autoScroll.isOn, state);
    }
  });

  it('pauses when the user scrolls up, and resumes when they scroll back', () => {
    const { autoScroll, asked, show } = follow('live');
    autoScroll.scrolled('backward', true);
    assert.deepEqual(asked, [], 'a list of a few rows has no way up');
    autoScroll.scrolled('backward', false);
    autoScroll.scrolled('backward', false);
    assert.deepEqual(asked, ['pause']);
    assert.isFalse(autoScroll.isOn, 'it stands still before the answer comes');
    show('paused');
    autoScroll.scrolled('forward', false);
    assert.deepEqual(asked, ['pause']);
    autoScroll.scrolled('forward', true);
    assert.deepEqual(asked, ['pause', 'follow']);
    show('live');
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
    const { autoScroll, asked, show } = follow('live');
    autoScroll.hold();
    show('paused');
    assert.isFalse(autoScroll.isOn);
    autoScroll.resume();
    autoScroll.resume();
    show('live');
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
    const { autoScroll, show } = follow('live');
    autoScroll.hold();
    show('paused');
    show('ended');
    show('live');
    assert.isTrue(autoScroll.isOn);
  });
});

describe('loading at an end of the list', () => {
  function loading() {
    const asked: string[] = [];
    const reported: unknown[] = [];
    const later: (() => void)[] = [];
    let size = 10;
    let load: { resolve(): void; reject(error: unknown): void } | undefined;
    const it = new Loading({
      ask(end) {
        asked.push(end);
        return new Promise<void>((resolve, reject) => void (load = { resolve, reject }));
      },
      size: () => size,
      report: (error) => reported.push(error),
      after: (_, call) => void later.push(call),
    });
    it.apply(viewWith());
    /** It comes to its end, with so many rows. */
    const end = async (rows: number | Error): Promise<void> => {
      if (typeof rows === 'number') load?.resolve();
      else load?.reject(rows);
      await settle();
      if (typeof rows === 'number') size += rows;
    };
    return { it, asked, reported, end, later };
  }

  it('sends one request at a time, and only if there is more', async () => {
    const { it, asked, end } = loading();
    it.reached('older');
    it.reached('older');
    it.reached('newer');
    it.load('older');
    assert.deepEqual(asked, ['older']);
    await end(5);
    it.reached('older');
    assert.deepEqual(asked, ['older', 'older']);
    await end(5);
    it.apply(viewWith({ progress: 'Loading…' }));
    it.load('older');
    assert.lengthOf(asked, 2);
    assert.isFalse(it.canLoad('older'));
  });

  it('waits for a request of the user if the view says so', () => {
    const { it, asked, later } = loading();
    const older = { text: '', canLoad: true, isOnRequest: true };
    it.apply(viewWith({ older }));
    it.reached('older');
    it.apply(viewWith({ older, progress: 'Loading…' }));
    it.reached('older');
    it.apply(viewWith({ older }));
    for (const call of later) call();
    assert.deepEqual(asked, []);
    it.load('older');
    assert.deepEqual(asked, ['older']);
  });

  it('does not repeat failed or empty loads automatically', async () => {
    const { it, asked, reported, end } = loading();
    it.reached('older');
    await end(new Error('no'));
    assert.lengthOf(reported, 1);
    it.reached('older');
    assert.lengthOf(asked, 1);
    it.load('older');
    assert.lengthOf(asked, 2, 'a button does');
    await end(0);
    it.reached('older');
    assert.lengthOf(asked, 2);
    it.left();
    it.reached('older');
    assert.lengthOf(asked, 3, 'and who comes back');
  });

  it('loads at one end whatever the other brought', async () => {
    const { it, asked, end } = loading();
    it.apply(viewWith({ newer: { text: '', canLoad: true } }));
    it.reached('newer');
    await end(0);
    it.reached('newer');
    it.reached('older');
    assert.deepEqual(asked, ['newer', 'older']);
  });

  it('loads later if the user reached an end during a load, unless rows arrived', async () => {
    for (const [rows, expected] of [
      [0, ['newer', 'older']],
      [5, ['newer']],
    ] as const) {
      const { it, asked, end, later } = loading();
      it.apply(viewWith({ newer: { text: '', canLoad: true } }));
      it.load('newer');
      it.apply(viewWith({ progress: 'Loading…' }));
      it.reached('older');
      it.apply(viewWith());
      await end(rows);
      for (const call of later) call();
      assert.deepEqual(asked, [...expected]);
    }
  });
});
