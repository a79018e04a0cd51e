import { assert } from 'chai';
import fc from 'fast-check';
import { minute } from '../../../../src/base/clock';
import { readSavedTails, type SavedTail } from '../../../../src/logs/tail/savedTails';
import { filterKey, Rate, type Tails } from '../../../../src/logs/tail/tails';
import type { TailPosition } from '../../../../src/logs/tail/tailState';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { seededRandom } from '../../../control-plane/random';
import { scaled } from '../../../host/slowness';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { ids, refusal } from '../logServer';
import { idsOf } from './followed';
import { windowTails, type Memory, type WindowTails } from './windowTails';

const position: TailPosition = { from: 'a', to: 'b', cursor: 'c', seen: [] };

/** The tails of windows of one connection, one after the other. */
function newWindow(
  memory: Memory = { connection: 'c' },
  of?: Pick<WindowTails, 'clock' | 'server'>,
) {
  const window = windowTails({ memory, ...(of && { of }) });
  const { tails } = window;
  return {
    ...window,
    saved: (): readonly SavedTail[] => readSavedTails(memory.stored)?.tails ?? [],
    /** The tails of the next window. */
    reload: async (): Promise<Tails> => {
      await tails.close();
      const { tails: next } = newWindow(memory);
      await next.restore();
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
    tails.follow({ search: 'b' }, 'b', { ownChannel: true }).tail.pause();
    tails.follow({ search: 'c' }, 'c').tail.stop();
    const after = await reload();
    assert.deepEqual(
      saved().map(({ label, paused, ownChannel }) => [label, paused, ownChannel]),
      [
        ['a', false, false],
        ['b', true, true],
      ],
    );
    await after.restore();
    assert.deepEqual(summaryOf(after), ['a connecting c', 'b paused']);
    assert.deepEqual(
      after.all.map(({ hasOwnChannel }) => hasOwnChannel),
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

  it(`are forgotten with their connection, also while they are about to be restored ${covers('F79', 'unit')}`, async () => {
    const memory: Memory = { connection: 'c' };
    const first = newWindow(memory);
    first.tails.follow({ search: 'secret' }, 'secret');
    await first.tails.close();
    assert.lengthOf(first.saved(), 1);
    const next = newWindow(memory);
    const restoring = next.tails.restore();
    next.tails.forget();
    await restoring;
    assert.isEmpty(next.tails.all);
    await next.clock.advance(5000);
    assert.isEmpty(next.saved());
  });

  it('are restored only on their connection', async () => {
    const memory: Memory = { connection: 'c' };
    const before = newWindow(memory);
    before.tails.follow({}, 'all');
    await before.tails.close();
    memory.connection = 'another';
    const { tails } = newWindow(memory);
    await tails.restore();
    memory.connection = 'c';
    await tails.restore();
    assert.isEmpty(tails.all);
    const left = newWindow(memory).tails;
    const restoring = left.restore();
    memory.connection = 'another';
    await restoring;
    assert.isEmpty(left.all, 'the connection was left while they were read');
  });

  it('are not replaced in the storage before they are read', async () => {
    const memory: Memory = { connection: 'c' };
    const before = newWindow(memory);
    before.tails.follow({}, 'all');
    await before.tails.close();
    const { tails, saved } = newWindow(memory);
    void tails.restore();
    await tails.close();
    assert.lengthOf(saved(), 1);
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
    await clock.advance(2000);
    assert.isEmpty(saved());
    server.admin.revokeKey('demo-full');
    tail.start();
    await clock.advance(2000);
    assert.equal(tail.state.kind, 'failed');
    assert.lengthOf(saved(), 1);
  });
});

describe('the rate', () => {
  it('does not count what waited during a pause', async () => {
    const w = windowTails();
    const followed = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    followed.tail.pause();
    w.server.append(5000);
    await w.clock.advance(minute);
    followed.tail.resume();
    w.readAll();
    await w.clock.advance(second);
    assert.equal(followed.rate, 0);
    assert.lengthOf(w.ids, 5000);
    w.server.append(30);
    await w.clock.advance(second);
    w.readAll();
    await w.clock.advance(second);
    assert.isAbove(followed.rate, 0);
  });

  it('is zero at first, then uses the time since the first count until the window is full', () => {
    let now = 10_000;
    const rate = new Rate(() => now);
    assert.strictEqual(rate.perSecond(), 0);
    rate.count(10);
    assert.strictEqual(rate.perSecond(), 10);
    now += 2000;
    rate.count(10);
    assert.strictEqual(rate.perSecond(), 10);
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

const second = 1000;

describe('a reload', () => {
  it('repeats nothing and loses nothing, whatever was taken, written and added when it came', async () => {
    const memory: Memory = { connection: 'c' };
    const shown: string[] = [];
    const first = newWindow(memory);
    first.tails.follow({}, 'all');
    await first.clock.advance(0);
    let { tails, clock } = first;
    for (const [read, written] of [
      [true, true],
      [true, false],
      [false, false],
      [true, true],
    ]) {
      first.server.append(50);
      await clock.advance(100);
      const next = tails.read(20);
      if (written) {
        shown.push(...idsOf(next?.outputs ?? []));
        for (const { tail } of tails.all) tail.markRead();
      }
      if (read) tails.read(20);
      // In the same moment as the reload.
      first.server.append(1);
      await tails.close();
      assert.isUndefined(tails.read(20), 'nothing can be read once the position is saved');
      ({ tails, clock } = newWindow(memory, first));
      await tails.restore();
      await clock.advance(100);
    }
    for (let next = tails.read(500); next !== undefined; next = tails.read(500))
      shown.push(...idsOf(next.outputs));
    assert.deepEqual(shown, ids(0, first.server.log.length));
  });

  it('goes on from what is written in each channel', async () => {
    const memory: Memory = { connection: 'c' };
    const { tails, clock, server, saved } = newWindow(memory);
    tails.follow({}, 'shared');
    const own = tails.follow({ severities: ['error'] }, 'own', { ownChannel: true });
    await clock.advance(0);
    server.append(3, { severity: 'error' });
    await clock.advance(100);
    tails.read(500);
    tails.read(500);
    own.tail.markRead();
    await tails.close();
    assert.deepEqual(
      saved().map(({ label, position: at }) => [label, at?.seen ?? []]),
      [
        ['shared', []],
        ['own', ids(0, 3)],
      ],
    );
  });
});

describe(`a record that several tails follow is shown once ${covers('F82', 'unit')}`, () => {
  it('if one of them is resumed long after the others have shown it', async () => {
    const w = windowTails();
    w.tails.follow({}, 'everything');
    const { tail } = w.tails.follow({ environments: ['production', 'preview'] }, 'the same');
    await w.clock.advance(0);
    tail.pause();
    w.server.append(25_000);
    await w.clock.advance(second);
    w.readAll();
    tail.resume();
    w.readAll();
    assert.deepEqual(w.ids, ids(0, 25_000));
  });

  it('if one of them was stopped, and starts after 40,000 others', async () => {
    const w = windowTails();
    w.tails.follow({}, 'everything');
    const { tail } = w.tails.follow({ environments: ['production', 'preview'] }, 'the same');
    await w.clock.advance(0);
    tail.stop();
    for (let round = 0; round < 4; round++) {
      w.server.append(10_000);
      await w.clock.advance(second);
      w.readAll();
    }
    tail.start();
    await w.clock.advance(second);
    w.readAll();
    assert.deepEqual(w.ids, ids(0, 40_000));
  });

  it('if a new tail has a history of what is on screen', async () => {
    const w = windowTails({ initialLines: 200, shownAtMost: 50_000 });
    w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    for (let round = 0; round < 200; round++) {
      w.server.append(1, { severity: 'error' });
      w.server.append(199, { severity: 'info' });
      await w.clock.advance(0);
      w.readAll();
    }
    w.tails.follow({ severities: ['error'] }, 'errors');
    await w.clock.advance(0);
    w.readAll();
    assert.deepEqual(w.ids, ids(0, 40_000));
  });

  it('whenever they are paused, resumed, broken, stopped and started', async function () {
    this.timeout(scaled(shortOrLong(60_000, 600_000)));
    for (let seed = 1; seed <= shortOrLong(3, 30); seed++) {
      const random = seededRandom(seed);
      const w = windowTails();
      const filters: LogFilter[] = [{}, { severities: ['error'] }, { stream: 'stdout' }];
      const all = filters.map((filter, index) => w.tails.follow(filter, String(index)));
      await w.clock.advance(0);
      for (let step = 0; step < 60; step++) {
        const severity = random() < 0.3 ? 'error' : 'info';
        w.server.append(Math.floor(random() * 1500), { severity, stream: 'stdout' });
        const { tail } = all[Math.floor(random() * all.length)]!;
        const dice = random();
        if (dice < 0.3) tail.pause();
        else if (dice < 0.5) tail.resume();
        else if (dice < 0.6) w.server.open[Math.floor(random() * 3)]?.cut();
        else if (dice < 0.7) tail.stop();
        else if (dice < 0.9) tail.start();
        if (random() < 0.7) await w.clock.advance(random() * 5 * second);
        if (random() < 0.7) w.readAll();
      }
      for (const { tail } of all) {
        tail.start();
        tail.resume();
      }
      await w.clock.advance(120 * second);
      w.readAll();
      assert.lengthOf(new Set(w.ids), w.ids.length, `seed ${seed}: repeated`);
      assert.sameMembers(w.ids, ids(0, w.server.log.length), `seed ${seed}`);
    }
  });

  it('but again in the history of a tail that starts after all have ended', async () => {
    const w = windowTails({ initialLines: 10 });
    w.server.append(5);
    const first = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.readAll();
    w.tails.remove(first);
    w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.readAll();
    assert.deepEqual(w.ids, [...ids(0, 5), ...ids(0, 5)]);
  });

  it('also if the last of them is stopped while it holds it', async () => {
    const w = windowTails();
    const all = [w.tails.follow({}, 'a'), w.tails.follow({ severities: ['info'] }, 'b')];
    await w.clock.advance(0);
    all[1]?.tail.pause();
    w.server.append(100, { severity: 'info' });
    await w.clock.advance(0);
    w.readAll();
    all.forEach(({ tail }) => tail.stop());
    w.tails.follow({ severities: ['error'] }, 'c');
    w.readAll();
    assert.deepEqual(w.ids, ids(0, 100));
  });
});

describe('a record that tails with several channels follow', () => {
  it('is shown once in each of them, also in the history', async () => {
    const w = windowTails({ initialLines: 10 });
    w.server.append(5, { severity: 'error' });
    w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    assert.deepEqual(w.readAll(), { everything: ids(0, 5) });
    w.tails.follow({ severities: ['error'] }, 'errors', { ownChannel: true });
    w.tails.follow({ severities: ['error', 'fatal'] }, 'the same');
    await w.clock.advance(0);
    assert.deepEqual(w.readAll(), { errors: ids(0, 5), 'the same': [] });
    w.server.append(2, { severity: 'error' });
    await w.clock.advance(0);
    const { errors, everything = [], 'the same': same = [] } = w.readAll();
    assert.deepEqual(errors, ids(5, 7));
    assert.sameMembers([...everything, ...same], ids(5, 7));
  });

  it('is shown again in the channel of a tail that is removed and followed again', async () => {
    const w = windowTails({ initialLines: 10 });
    w.server.append(3, { severity: 'error' });
    w.tails.follow({}, 'everything');
    const follow = () => w.tails.follow({ severities: ['error'] }, 'errors', { ownChannel: true });
    const first = follow();
    await w.clock.advance(0);
    w.readAll();
    w.tails.remove(first);
    follow();
    await w.clock.advance(0);
    assert.deepEqual(w.readAll(), { errors: ids(0, 3) });
  });
});

describe('tails take turns', () => {
  it('so that a busy one does not hold back the others', async () => {
    const w = windowTails();
    for (const label of ['error', 'warn', 'info'] as const) {
      w.tails.follow({ severities: [label] }, label);
    }
    await w.clock.advance(0);
    w.server.append(10_000, { severity: 'error' });
    w.server.append(600, { severity: 'warn' });
    w.server.append(10, { severity: 'info' });
    await w.clock.advance(second);
    const turns = Array.from({ length: 6 }, () => w.tails.read(500)?.followed.label);
    assert.deepEqual(turns, ['error', 'warn', 'info', 'error', 'warn', 'error']);
  });
});

describe('the states and rates of tails', () => {
  /** Lets time pass, and returns what was told meanwhile, in milliseconds since the start of that. */
  async function ticksOf(w: WindowTails, ms: number): Promise<number[]> {
    w.ticks.length = 0;
    const start = w.clock.monotonic();
    await w.clock.advance(ms);
    return w.ticks.map(({ at }) => at - start);
  }

  it('are looked at only while they change by themselves', async () => {
    const w = windowTails();
    w.tails.follow({}, 'everything');
    assert.isEmpty(await ticksOf(w, 3_600_000));
    assert.equal(w.clock.liveTimers - w.server.liveTimers, 1, 'the watch over the stream');
    w.server.append(10);
    await w.clock.advance(0);
    w.readAll();
    const ticks = await ticksOf(w, 3_600_000);
    assert.deepEqual(ticks, [1000, 2000, 3000, 4000, 6000]);
    assert.deepEqual(w.ticks.at(-1)?.rates, [0], 'the last look shows that nothing comes any more');
    assert.isAbove(w.ticks.at(-2)?.rates[0] ?? 0, 0);
  });

  it('count what each new tail has received when access has changed', async () => {
    const w = windowTails();
    const followed = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.server.append(100);
    await w.clock.advance(0);
    w.readAll();
    await w.clock.advance(600_000);
    w.tails.renew();
    await w.clock.advance(0);
    w.server.append(10);
    await w.clock.advance(0);
    w.readAll();
    const before = w.ticks.length;
    await w.clock.advance(60_000);
    const rates = w.ticks.slice(before).map(({ rates: [rate = NaN] }) => rate);
    assert.isAbove(Math.max(...rates), 0);
    assert.isAtLeast(Math.min(...rates), 0);
    assert.equal(followed.rate, 0);
  });

  it('count down to the end of a wait, at each second', async () => {
    const w = windowTails();
    w.server.on.connect = () => {
      throw refusal(429, 20);
    };
    const { tail } = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    const { state } = tail;
    if (state.kind !== 'rateLimited') assert.fail(state.kind);
    const end = state.retryAt - w.clock.monotonic();
    w.server.on.connect = () => undefined;
    const ticks = await ticksOf(w, 60_000);
    // At the end, its state changes.
    assert.lengthOf(ticks, Math.ceil(end / second) - 1);
    ticks.forEach((at, index) => assert.approximately(at, (end % second) + index * second, 1));
  });

  it(`leave no timer behind ${covers('F34', 'unit')}`, async () => {
    const w = windowTails();
    const followed = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.server.append(10);
    await w.clock.advance(0);
    w.readAll();
    w.tails.remove(followed);
    w.tails.dispose();
    await w.clock.advance(0);
    assert.equal(w.clock.liveTimers - w.server.liveTimers, 0);
  });
});
