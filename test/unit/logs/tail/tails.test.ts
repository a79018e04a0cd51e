import { assert } from 'chai';
import { StoredValue } from '../../../../src/base/storedValue';
import fc from 'fast-check';
import { ApiError } from '../../../../src/api/errors';
import { Emitter } from '../../../../src/base/event';
import { Tail, type TailEvent } from '../../../../src/logs/tail/tail';
import { readSavedTails, type SavedTail } from '../../../../src/logs/tail/savedTails';
import { filterKey, Rate, Tails } from '../../../../src/logs/tail/tails';
import type { TailFailure, TailPosition, TailState } from '../../../../src/logs/tail/types';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { fakeClock } from '../../fakeClock';

/** A tail that only changes its state when a test says so. */
class FakeTail extends Tail {
  private readonly changes = new Emitter<TailEvent>();
  private current: TailState = { kind: 'stopped' };
  override readonly onDidChange = this.changes.event;

  constructor(
    filter: LogFilter,
    private readonly startsAt: TailPosition | undefined,
  ) {
    const fails = (): Promise<never> => Promise.reject(new Error('It is not connected.'));
    const client = { queryLogs: fails, openLogStream: fails, serverNow: () => 0 };
    const readKey = (): Promise<undefined> => Promise.resolve(undefined);
    super({ client, clock: fakeClock(), random: () => 0, readKey }, { filter, initialLines: 0 });
  }

  become(next: TailState): void {
    this.current = next;
    this.changes.fire('state');
  }

  override get state(): TailState {
    return this.current;
  }

  override get position(): TailPosition | undefined {
    return this.startsAt;
  }

  override start(): void {
    this.become({ kind: 'live' });
  }

  override pause(): void {
    this.become({ kind: 'paused', newRecords: 0 });
  }

  override resume(): void {
    this.become({ kind: 'live' });
  }

  override stop(): void {
    this.become({ kind: 'stopped' });
  }
}

function failWith(tail: Tail, why: TailFailure): void {
  assert.instanceOf(tail, FakeTail);
  tail.become({ kind: 'failed', why });
}

const window = { from: 'a', to: 'b' };
const position: TailPosition = { ...window, cursor: 'c', seen: [] };

describe('tails', () => {
  const log: string[] = [];
  const clock = fakeClock();
  /** What the window keeps for its next start. */
  let stored: unknown;
  const make = (): Tails => {
    log.length = 0;
    const tails = new Tails(
      clock,
      (filter, from) => new FakeTail(filter, from),
      () => 1000,
      {
        connection: () => 'c',
        saved: new StoredValue(
          {
            get: () => stored,
            update(_key, state) {
              stored = JSON.parse(JSON.stringify(state));
              return Promise.resolve();
            },
          },
          'tails',
          readSavedTails,
        ),
      },
    );
    tails.onDidChange(({ followed: { label, tail }, previous }) =>
      log.push(`${label}: ${previous?.kind ?? 'new'} → ${tail.state.kind}`),
    );
    return tails;
  };
  async function saved(tails: Tails): Promise<readonly SavedTail[]> {
    await tails.save();
    return readSavedTails(stored)?.tails ?? [];
  }

  it('are one for the same filter, however it is written', () => {
    const tails = make();
    const first = tails.follow({ search: 'x', severities: ['error'] }, 'errors');
    const second = tails.follow({ severities: ['error'], search: 'x' }, 'again');
    assert.equal(first, second);
    assert.lengthOf(tails.all, 1);
    assert.notEqual(filterKey({ search: 'x' }), filterKey({ search: 'y' }));
  });

  it('continue if they were paused or had ended', () => {
    const tails = make();
    const { tail } = tails.follow({}, 'all');
    tail.pause();
    tails.follow({}, 'all');
    assert.equal(tail.state.kind, 'live');
    tail.stop();
    tails.follow({}, 'all');
    assert.equal(tail.state.kind, 'live');
  });

  it('report every change, and stop when they are removed', () => {
    const tails = make();
    const followed = tails.follow({}, 'all');
    followed.tail.pause();
    tails.remove(followed);
    tails.remove(followed);
    assert.deepEqual(log, ['all: new → live', 'all: live → paused', 'all: stopped → stopped']);
    assert.lengthOf(tails.all, 0);
  });

  it('report nothing more when they are removed, whatever still holds them', () => {
    const tails = make();
    const followed = tails.follow({}, 'all');
    tails.remove(followed);
    tails.follow({}, 'another');
    log.length = 0;
    followed.tail.start();
    const error = new ApiError({ kind: 'signedOut', code: 'noKey', message: '' });
    failWith(followed.tail, { kind: 'signedOut', error });
    assert.isEmpty(log);
  });

  it('are saved if they still follow, and resumed', async () => {
    const before = make();
    before.follow({ search: 'a' }, 'a', { position });
    before.follow({ search: 'b' }, 'b').tail.pause();
    before.follow({ search: 'c' }, 'c').tail.stop();
    assert.deepEqual(
      (await saved(before)).map(({ label, paused }) => [label, paused]),
      [
        ['a', false],
        ['b', true],
      ],
    );
    const after = make();
    after.restore();
    after.restore();
    assert.deepEqual(
      after.all.map(({ label, tail }) => [label, tail.state.kind, tail.position?.cursor]),
      [
        ['a', 'live', 'c'],
        ['b', 'paused', undefined],
      ],
    );
  });

  it('are restored with the channel that they had', async () => {
    const before = make();
    before.follow({ search: 'a' }, 'a');
    before.follow({ search: 'b' }, 'b', { ownChannel: true });
    await before.save();
    const after = make();
    after.restore();
    assert.deepEqual(
      after.all.map(({ hasOwnChannel }) => hasOwnChannel),
      [false, true],
    );
  });

  it('have channels of their own, a handful at most', () => {
    const tails = make();
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
    const tails = make();
    tails.follow({}, 'all');
    const paused = tails.follow({ search: 'a' }, 'a', { ownChannel: true });
    paused.tail.pause();
    log.length = 0;
    tails.followInstead({ search: 'b' }, 'b');
    assert.deepEqual(
      tails.all.map(({ label }) => label),
      ['b'],
    );
    assert.include(log, 'all: live → stopped');
    assert.equal(paused.tail.state.kind, 'stopped');
  });

  it('continue if what is followed instead is one of them', () => {
    const tails = make();
    const known = tails.follow({ search: 'a' }, 'a');
    tails.follow({}, 'all');
    known.tail.pause();
    assert.equal(tails.followInstead({ search: 'a' }, 'a'), known);
    assert.equal(known.tail.state.kind, 'live');
    assert.lengthOf(tails.all, 1);
  });

  it('are restored once, and only on their connection', async () => {
    const before = make();
    before.follow({}, 'all');
    await before.save();
    stored = { ...(stored as object), connection: 'another' };
    const after = make();
    after.restore();
    await after.save();
    after.restore();
    assert.isEmpty(after.all);
  });

  it('are created again at their positions, except stopped ones', () => {
    const tails = make();
    const live = tails.follow({ search: 'a' }, 'a', { position });
    const paused = tails.follow({ search: 'b' }, 'b');
    paused.tail.pause();
    const stopped = tails.follow({ search: 'c' }, 'c');
    stopped.tail.stop();
    const before = tails.all.map(({ tail }) => tail);
    log.length = 0;
    tails.renew();
    assert.deepEqual(
      tails.all.map(({ tail }) => [tail.state.kind, tail.position?.cursor]),
      [
        ['live', 'c'],
        ['paused', undefined],
        ['stopped', undefined],
      ],
    );
    assert.deepEqual(tails.all, [live, paused, stopped], 'the same objects for their holders');
    // Changes of removed tails have no effect.
    assert.deepEqual(log, ['a: live → live', 'b: paused → live', 'b: live → paused']);
    for (const tail of before) {
      assert.equal(tail.state.kind, 'stopped');
      tail.start();
    }
    assert.lengthOf(log, 3);
  });

  it('are saved if they ended because the key was missing', async () => {
    const tails = make();
    const { tail } = tails.follow({}, 'all');
    const error = new ApiError({ kind: 'signedOut', code: 'noKey', message: '' });
    failWith(tail, { kind: 'missingPermission', error });
    assert.isEmpty(await saved(tails));
    failWith(tail, { kind: 'signedOut', error });
    assert.lengthOf(await saved(tails), 1);
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
