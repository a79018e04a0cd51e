import { assert } from 'chai';
import type { SessionState } from '../../../../src/connection/connections';
import {
  mostWatched,
  newsText,
  readWatched,
  SearchWatch,
  type WatchedRange,
} from '../../../../src/logs/explorer/searchWatch';
import { uiText } from '../../../host/texts';
import { counted, t } from '../../trees/treeText';
import { type FakeClock, fakeClock, settle } from '../../fakeClock';

const minute = 60_000;
const errors = 'severity:error';

/** Windows that share their storage, each with its watch, and what they ask for. */
function windows() {
  const clock = fakeClock();
  const values = new Map<string, unknown>();
  const storage = {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  };
  const origin = 'https://plane.example';
  const state: SessionState = {
    kind: 'signedIn',
    connection: { name: 'c', baseUrl: origin, origin },
  };
  const asked: (WatchedRange & { readonly query: string; readonly window: number })[] = [];
  const self = { clock, asked, answer: (): number | undefined | Promise<number> => 0, open };
  function open(window = 1) {
    const session = {
      state,
      onDidChange: () => ({ dispose: () => undefined }),
      serverNow: () => clock.now(),
    };
    const watch = new SearchWatch(session, storage, clock, (query, range) => {
      asked.push({ query, window, ...range });
      const found = self.answer();
      return found === undefined ? Promise.reject(new Error('No.')) : Promise.resolve(found);
    });
    const notices: number[] = [];
    watch.onDidFind(({ found }) => notices.push(found));
    return { watch, notices };
  }
  return self;
}

describe('the news of a watched search', () => {
  it('have a number, the least of a full page, and the name of the search', () => {
    const text = (found: number): string => newsText({ found }, 'errors', { t, counted });
    assert.equal(text(1), `${uiText('{0} new record', 1)}: errors`);
    assert.equal(text(499), `${uiText('{0} new records', 499)}: errors`);
    assert.equal(text(500), `${uiText('{0} or more new records', 500)}: errors`);
  });
});

/** Lets minutes pass, with all promises in between. */
async function advance(clock: FakeClock, minutes: number): Promise<void> {
  for (let done = 0; done < minutes; done++) {
    await clock.advance(minute);
    await settle();
  }
}

describe('watched searches', () => {
  it('are none at first, and cost no timer and no request', async () => {
    const { clock, asked, open } = windows();
    const { watch } = open();
    watch.setFocused(true);
    assert.equal(clock.liveTimers, 0);
    await advance(clock, 5);
    assert.isEmpty(asked);
  });

  it('are asked for once a minute, each moment once', async () => {
    const { clock, asked, open } = windows();
    const { watch } = open();
    watch.setFocused(true);
    watch.toggle(errors);
    await advance(clock, 10);
    assert.isAtLeast(asked.length, 9);
    assert.isAtMost(asked.length, 10);
    for (const [index, { from }] of asked.entries()) {
      if (index > 0) assert.equal(from, asked[index - 1]?.to);
    }
    assert.equal(watch.toggle(errors), 'off');
    const before = asked.length;
    await advance(clock, 5);
    assert.lengthOf(asked, before);
    assert.equal(clock.liveTimers, 0);
  });

  it('are told of once, with a count, until someone looks at them', async () => {
    const self = windows();
    const { watch, notices } = self.open();
    watch.setFocused(true);
    watch.toggle(errors);
    await advance(self.clock, 3);
    self.answer = () => 2;
    await advance(self.clock, 4);
    assert.deepEqual(notices, [2]);
    assert.isAtLeast(watch.find(errors)?.found ?? 0, 6);
    watch.markSeen(errors);
    assert.equal(watch.find(errors)?.found, 0);
    await advance(self.clock, 3);
    assert.deepEqual(notices, [2, 2]);
  });

  it('are asked for by the window with the focus alone, which goes on where the other one was', async () => {
    const self = windows();
    const [first, second] = [self.open(1), self.open(2)];
    first.watch.setFocused(true);
    first.watch.toggle(errors);
    self.answer = () => 1;
    await advance(self.clock, 4);
    first.watch.setFocused(false);
    second.watch.setFocused(true);
    await advance(self.clock, 4);
    const by = (window: number) => self.asked.filter((one) => one.window === window);
    assert.isAtMost(by(1).length + by(2).length, 8);
    assert.isAbove(by(2).length, 1);
    assert.equal(by(2)[0]?.from, by(1).at(-1)?.to);
    // One window has told of it, and nobody has looked.
    assert.deepEqual([first.notices, second.notices], [[1], []]);
  });

  it('lose nothing that could not be asked for', async () => {
    const self = windows();
    const { watch } = self.open();
    watch.setFocused(true);
    watch.toggle(errors);
    self.answer = () => undefined;
    await advance(self.clock, 3);
    const failed = self.asked.at(-1)!;
    self.answer = () => 1;
    await advance(self.clock, 1);
    assert.equal(self.asked.at(-1)?.from, failed.from);
    assert.isAtMost(self.asked.length, 4);
  });

  it('are not asked for any more once the focus is lost, one is turned off, or the window is closed', async () => {
    for (const end of ['focus', 'off', 'close'] as const) {
      const self = windows();
      const { watch } = self.open();
      for (const query of ['a', 'b']) watch.toggle(query);
      let answer: ((found: number) => void) | undefined;
      self.answer = () => new Promise((resolve) => (answer = resolve));
      watch.setFocused(true);
      await advance(self.clock, 1);
      assert.deepEqual(
        self.asked.map(({ query }) => query),
        ['a'],
      );
      if (end === 'focus') watch.setFocused(false);
      else if (end === 'off') watch.toggle('b');
      else watch.dispose();
      answer!(0);
      await settle();
      assert.lengthOf(self.asked, 1, end);
    }
  });

  it('count what comes late, after another window has gone on', async () => {
    const self = windows();
    const [first, second] = [self.open(1), self.open(2)];
    let answer: ((found: number) => void) | undefined;
    self.answer = () => new Promise((resolve) => (answer = resolve));
    first.watch.setFocused(true);
    first.watch.toggle(errors);
    await advance(self.clock, 1);
    const late = answer!;
    first.watch.setFocused(false);
    self.answer = () => 1;
    second.watch.setFocused(true);
    await advance(self.clock, 1);
    assert.equal(second.watch.find(errors)?.found, 1);
    late(2);
    await settle();
    assert.equal(second.watch.find(errors)?.found, 3);
  });

  it('go on where the clock of the control plane went back', async () => {
    const self = windows();
    const { watch } = self.open();
    watch.setFocused(true);
    watch.toggle(errors);
    await advance(self.clock, 2);
    self.clock.jump(-5 * 60 * minute);
    const before = self.asked.length;
    await advance(self.clock, 3);
    const after = self.asked.slice(before);
    assert.isAtLeast(after.length, 1);
    for (const { from, to } of after) assert.isBelow(from, to);
  });

  it('are bounded, and a day at most after an absence', async () => {
    const self = windows();
    const { watch } = self.open();
    for (let index = 0; index < mostWatched; index++) watch.toggle(`text ${index}`);
    assert.equal(watch.toggle('one more'), 'full');
    self.clock.jump(3 * 24 * 60 * minute);
    watch.setFocused(true);
    await settle();
    const [asked] = self.asked;
    assert.equal(asked!.to - asked!.from, 24 * 60 * minute);
    assert.isEmpty(readWatched([{ query: 1 }, 'text', { query: 'a', since: -1, found: 0 }]));
  });
});
