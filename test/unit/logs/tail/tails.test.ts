import { assert } from 'chai';
import fc from 'fast-check';
import { readSavedTails, type SavedTail } from '../../../../src/logs/tail/savedTails';
import { filterKey, Rate, type Tails } from '../../../../src/logs/tail/tails';
import type { TailPosition } from '../../../../src/logs/tail/types';
import { windowTails, type Memory } from './windowTails';

const position: TailPosition = { from: 'a', to: 'b', cursor: 'c', seen: [] };

/** The tails of windows of one connection, one after the other. */
function newWindow(memory: Memory = { connection: 'c' }) {
  const window = windowTails({ memory });
  const { tails } = window;
  return {
    ...window,
    saved: async (): Promise<readonly SavedTail[]> => {
      await tails.save();
      return readSavedTails(memory.stored)?.tails ?? [];
    },
    /** The tails of the next window. */
    reload: async (): Promise<Tails> => {
      await tails.save();
      const { tails: next } = newWindow(memory);
      next.restore();
      return next;
    },
  };
}

/** What matters of each tail: `a live`. */
function summaryOf({ all }: Tails): string[] {
  return all.map(({ label, tail: { state, position: at } }) =>
    [label, state.kind, ...(at ? [at.cursor] : [])].join(' '),
  );
}

describe('tails', () => {
  it('are one for the same filter, however it is written', () => {
    const { tails } = newWindow();
    const first = tails.follow({ search: 'x', severities: ['error'] }, 'errors');
    const second = tails.follow({ severities: ['error'], search: 'x' }, 'again');
    assert.equal(first, second);
    assert.lengthOf(tails.all, 1);
    assert.notEqual(filterKey({ search: 'x' }), filterKey({ search: 'y' }));
  });

  it('continue if they were paused or had ended', () => {
    const { tails } = newWindow();
    const { tail } = tails.follow({}, 'all');
    tail.pause();
    tails.follow({}, 'all');
    assert.equal(tail.state.kind, 'connecting');
    tail.stop();
    tails.follow({}, 'all');
    assert.equal(tail.state.kind, 'connecting');
  });

  it('report every change, and stop when they are removed', async () => {
    const { tails, log, clock } = newWindow();
    const followed = tails.follow({}, 'all');
    await clock.advance(0);
    followed.tail.pause();
    tails.remove(followed);
    tails.remove(followed);
    assert.deepEqual(log, [
      'all: new → connecting',
      'all: connecting → live',
      'all: live → paused',
      'all: stopped → stopped',
    ]);
    assert.lengthOf(tails.all, 0);
  });

  it('report nothing more when they are removed, whatever still holds them', async () => {
    const { tails, log, clock, server } = newWindow();
    const followed = tails.follow({}, 'all');
    tails.remove(followed);
    log.length = 0;
    followed.tail.start();
    await clock.advance(0);
    server.admin.revokeKey('demo-full');
    await clock.advance(1000);
    assert.equal(followed.tail.state.kind, 'failed');
    assert.isEmpty(log);
  });

  it('are saved if they still follow, and restored once', async () => {
    const { tails, saved, reload } = newWindow();
    tails.follow({ search: 'a' }, 'a', { position });
    tails.follow({ search: 'b' }, 'b').tail.pause();
    tails.follow({ search: 'c' }, 'c').tail.stop();
    assert.deepEqual(
      (await saved()).map(({ label, paused }) => [label, paused]),
      [
        ['a', false],
        ['b', true],
      ],
    );
    const after = await reload();
    after.restore();
    assert.deepEqual(summaryOf(after), ['a connecting c', 'b paused']);
  });

  it('are restored with the channel that they had', async () => {
    const { tails, reload } = newWindow();
    tails.follow({ search: 'a' }, 'a');
    tails.follow({ search: 'b' }, 'b', { ownChannel: true });
    assert.deepEqual(
      (await reload()).all.map(({ hasOwnChannel }) => hasOwnChannel),
      [false, true],
    );
  });

  it('have channels of their own, a handful at most', () => {
    const { tails } = newWindow();
    const own = Array.from({ length: 6 }, (_, index) =>
      tails.follow({ search: String(index) }, String(index), { ownChannel: true }),
    );
    assert.deepEqual(
      own.map(({ hasOwnChannel }) => hasOwnChannel),
      [true, true, true, true, false, false],
    );
    tails.remove(own[0]!);
    assert.isTrue(tails.canHaveOwnChannel);
  });

  it('are stopped and removed by one that is followed instead', () => {
    const { tails, log } = newWindow();
    tails.follow({}, 'all');
    const paused = tails.follow({ search: 'a' }, 'a', { ownChannel: true });
    paused.tail.pause();
    log.length = 0;
    tails.followInstead({ search: 'b' }, 'b');
    assert.deepEqual(summaryOf(tails), ['b connecting']);
    assert.include(log, 'all: connecting → stopped');
    assert.equal(paused.tail.state.kind, 'stopped');
  });

  it('continue if what is followed instead is one of them', () => {
    const { tails } = newWindow();
    const known = tails.follow({ search: 'a' }, 'a');
    tails.follow({}, 'all');
    known.tail.pause();
    assert.equal(tails.followInstead({ search: 'a' }, 'a'), known);
    assert.deepEqual(summaryOf(tails), ['a connecting']);
  });

  it('are restored only on their connection', async () => {
    const memory: Memory = { connection: 'c' };
    const before = newWindow(memory);
    before.tails.follow({}, 'all');
    await before.tails.save();
    memory.connection = 'another';
    const { tails } = newWindow(memory);
    tails.restore();
    memory.connection = 'c';
    tails.restore();
    assert.isEmpty(tails.all);
  });

  it('are created again at their positions, except stopped ones', () => {
    const { tails, log } = newWindow();
    const live = tails.follow({ search: 'a' }, 'a', { position });
    const paused = tails.follow({ search: 'b' }, 'b');
    paused.tail.pause();
    const stopped = tails.follow({ search: 'c' }, 'c');
    stopped.tail.stop();
    const before = tails.all.map(({ tail }) => tail);
    log.length = 0;
    tails.renew();
    assert.deepEqual(summaryOf(tails), ['a connecting c', 'b paused', 'c stopped']);
    assert.deepEqual(tails.all, [live, paused, stopped], 'the same objects for their holders');
    // Changes of removed tails have no effect.
    const expected = [
      'a: connecting → connecting',
      'b: paused → connecting',
      'b: connecting → paused',
    ];
    assert.deepEqual(log, expected);
    for (const tail of before) {
      assert.equal(tail.state.kind, 'stopped');
      tail.start();
    }
    assert.deepEqual(log, expected);
    for (const tail of before) tail.stop();
  });

  it('are saved if they ended because the key was refused, and not without a permission', async () => {
    const { tails, saved, server, clock } = newWindow();
    const { tail } = tails.follow({}, 'all');
    server.admin.changeAccess('demo-full', ['alert.read']);
    await clock.advance(0);
    assert.equal(tail.state.kind, 'failed');
    assert.isEmpty(await saved());
    server.admin.revokeKey('demo-full');
    tail.start();
    await clock.advance(1000);
    assert.equal(tail.state.kind, 'failed');
    assert.lengthOf(await saved(), 1);
  });
});

describe('the rate', () => {
  it('is zero before anything has arrived', () => {
    assert.strictEqual(new Rate(() => 123_456).perSecond(), 0);
  });

  it('uses the time since the first count until the window is full', () => {
    let now = 10_000;
    const rate = new Rate(() => now);
    rate.count(10);
    assert.strictEqual(rate.perSecond(), 10);
    now += 2000;
    rate.count(10);
    assert.strictEqual(rate.perSecond(), 10);
  });

  it('drops what is older than the window, after any silence', () => {
    let now = 0;
    const rate = new Rate(() => now);
    rate.count(1000);
    now = 4999;
    assert.isAbove(rate.perSecond(), 199);
    now = 5500;
    assert.strictEqual(rate.perSecond(), 0);
    rate.count(1);
    now += 7 * 86_400_000;
    assert.strictEqual(rate.perSecond(), 0);
  });

  it('settles at the rate of its input', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 499 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.nat(1_000_000),
        (spacing, records, start) => {
          let now = start;
          const rate = new Rate(() => now);
          for (; now < start + 20_000; now += spacing) rate.count(records);
          const fed = (records * 1000) / spacing;
          // One batch more or less may be in the window.
          assert.approximately(rate.perSecond(), fed, (2 * records) / 5);
        },
      ),
    );
  });
});
