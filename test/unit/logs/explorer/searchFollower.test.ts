import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { covers } from '../../covers';
import { refusal } from '../logServer';
import { numbers } from './searched';
import { endStreams, explored, followingOf, type Explored } from './explored';

async function following(records = 12, options: Parameters<typeof explored>[1] = {}) {
  const e = explored(records, options);
  await e.run();
  await e.after(() => e.explorer.follow());
  return e;
}
async function append(e: Explored, count: number, changes?: Partial<LogRecord>): Promise<void> {
  e.server.append(count, changes);
  // What a stream brings is read ten times a second.
  await e.clock.advance(100);
}

describe('explorer session when it follows', () => {
  it('loads all records, then adds new ones', async () => {
    const e = explored(12);
    await e.run();
    e.server.append(10);
    await e.after(() => e.explorer.follow());
    assert.equal(followingOf(e), 'live');
    assert.deepEqual(e.numbers(), numbers(7, 22));
    assert.deepEqual(e.explorer.state.newer, { kind: 'reached' });
    await append(e, 3);
    assert.deepEqual(e.events.at(-1), 'newer 22-24');
    // Its filters are its own: the range of a stream ends ahead.
    assert.deepEqual(e.server.connects[0]?.request.filters, {
      from: '2026-11-20T11:00:00Z',
      to: '2026-11-27T12:00:00.000Z',
    });
  });

  it(`leaves out nothing that came after a part of the newer records was loaded ${covers('F42', 'unit')}`, async () => {
    const e = explored(6, { pageTarget: { first: 5, more: 10 } });
    const appendNow = (count: number): unknown =>
      e.server.append(count, { timestamp: new Date(e.clock.now()).toISOString() });
    await e.run();
    for (let times = 0; times < 16; times++) {
      await e.clock.advance(1000);
      appendNow(1);
    }
    await e.after(() => e.explorer.load('newer'));
    assert.deepEqual(e.numbers(), numbers(1, 16));
    for (let times = 0; times < 60; times++) {
      await e.clock.advance(1000);
      appendNow(1);
    }
    await e.after(() => e.explorer.follow());
    assert.equal(followingOf(e), 'live');
    await e.clock.advance(1000);
    appendNow(3);
    await e.clock.advance(1000);
    assert.deepEqual(e.numbers(), numbers(1, 6 + 16 + 60 + 3));
    const { partial, restarted, newer } = e.explorer.state;
    assert.deepEqual([partial, restarted, newer], [false, false, { kind: 'reached' }]);
  });

  it('goes live after what came before its cursor, however fast records come', async () => {
    for (const query of ['last:1h', 'stream:stdout']) {
      const e = explored(12);
      await e.run(query);
      const { length } = e.server.queries;
      let time = e.clock.now();
      // More than a page comes in the time of each answer, and no cursor stands for an earlier moment.
      e.server.on.query = ({ cursor }) => {
        if (cursor !== undefined) throw refusal(422);
        if (e.server.queries.length - length > 100) throw refusal(404);
        e.server.append(20, { timestamp: new Date(++time).toISOString() });
      };
      await e.after(() => e.explorer.follow());
      assert.equal(followingOf(e), 'live', query);
      assert.isAtMost(e.server.queries.length - length, 20);
      e.accept();
      await append(e, 3);
      assert.deepEqual(e.numbers(), numbers(7, e.server.log.length), query);
    }
  });

  it(`continues after a stop, whatever cursors and ranges the server accepts ${covers('F71', 'unit')}`, async () => {
    const queries = ['last:1h', 'stream:stdout', 'service!=other', 'service:* or spanId:*'];
    for (const [query, takesCursors] of queries.flatMap((one) => [
      [one, true] as const,
      [one, false] as const,
    ])) {
      const e = explored(12);
      let refused = 0;
      /** How far ahead the ranges of searches end, in milliseconds. */
      const ahead: number[] = [];
      e.server.on.query = ({ filters, cursor }) => {
        // Only the stream needs a range that ends ahead.
        if (followingOf(e) === 'none') ahead.push(Date.parse(filters.to) - e.clock.now());
        if (cursor === undefined || takesCursors) return;
        refused++;
        throw refusal(422);
      };
      await e.run(query);
      await e.after(() => e.explorer.follow());
      await append(e, 3);
      await e.after(() => e.explorer.stopFollowing());
      e.server.append(9);
      for (let times = 0; times < 3; times++) await e.after(() => e.explorer.load('newer'));
      assert.deepEqual(e.numbers(), numbers(7, 24), query);
      const { failure, restarted } = e.explorer.state;
      assert.deepEqual([failure, restarted], [undefined, !takesCursors], query);
      assert.equal(refused > 0, !takesCursors);
      e.server.append(3);
      await e.after(() => e.explorer.follow());
      await append(e, 3);
      assert.deepEqual(e.numbers(), numbers(7, 30), query);
      assert.isAtLeast(ahead.length, 4);
      assert.isAtMost(Math.max(...ahead), 0, query);
    }
  });

  it(`copies no list for an event of a stream, and takes events that come together ${covers('F91', 'unit')}`, async () => {
    for (const maxRecords of [100_000, 2000]) {
      const e = await following(2000, { maxRecords, pageTarget: { first: 2000, more: 1000 } });
      const { records } = e.explorer;
      const { length } = e.events;
      for (let event = 0; event < 100; event++) {
        e.server.append(1);
        await e.clock.advance(10);
      }
      await e.clock.advance(100);
      assert.strictEqual(e.explorer.records, records);
      assert.deepEqual(e.numbers(), numbers(Math.max(0, 2100 - maxRecords), 2100));
      assert.approximately(e.events.length - length, 10, 2);
    }
  });

  it('reports records with no state change for each', async () => {
    const e = await following();
    const { length } = e.states;
    for (let round = 0; round < 5; round++) await append(e, 2);
    assert.deepEqual(e.numbers(), numbers(7, 22));
    assert.lengthOf(e.states, length);
    assert.equal(e.explorer.state.count, 15);
  });

  it('loads older records, but no newer ones', async () => {
    const e = await following();
    const { length } = e.server.queries;
    await e.after(() => e.explorer.load('newer'));
    assert.lengthOf(e.server.queries, length);
    const load = e.after(() => e.explorer.load('older'));
    e.server.append(2);
    await load;
    assert.deepEqual(e.numbers(), numbers(3, 14));
  });

  it('counts new records during a pause and loses none', async () => {
    const e = await following();
    await e.after(() => e.explorer.pause());
    await append(e, 4);
    await append(e, 3);
    assert.deepEqual([followingOf(e), e.explorer.state.following?.newRecords], ['paused', 7]);
    assert.deepEqual(e.numbers(), numbers(7, 12));
    await e.after(() => e.explorer.follow());
    assert.equal(followingOf(e), 'live');
    assert.deepEqual(e.numbers(), numbers(7, 19));
  });

  it('continues where it stopped, also during a pause', async () => {
    for (const pauses of [false, true]) {
      const e = await following();
      await append(e, 2);
      if (pauses) e.explorer.pause();
      await append(e, 3);
      await e.after(() => e.explorer.stopFollowing());
      assert.equal(followingOf(e), 'none');
      assert.equal(e.server.open.length, 0);
      assert.deepEqual(e.explorer.state.newer, { kind: 'more' });
      await append(e, 4);
      assert.lengthOf(e.numbers(), pauses ? 7 : 10);
      for (let times = 0; times < 3; times++) await e.after(() => e.explorer.load('newer'));
      assert.deepEqual(e.numbers(), numbers(7, 21));
      assert.isFalse(e.explorer.state.restarted);
      await e.after(() => e.explorer.follow());
      await append(e, 2);
      assert.deepEqual(e.numbers(), numbers(7, 23));
    }
  });

  it(`starts again at the last record and reports it when the stream refuses the cursor ${covers('F42', 'unit')}`, async () => {
    const e = await following();
    e.server.on.connect = () => {
      e.server.on.connect = () => undefined;
      throw refusal(410);
    };
    endStreams(e);
    e.server.append(5);
    await e.clock.advance(60_000);
    assert.deepEqual(e.numbers(), numbers(7, 17));
    assert.isTrue(e.explorer.state.restarted);
    await append(e, 2);
    await e.after(() => e.explorer.stopFollowing());
    await append(e, 2);
    await e.after(() => e.explorer.load('newer'));
    assert.deepEqual(e.numbers(), numbers(7, 21));
  });

  it('never starts before the range when a cursor is refused', async () => {
    const e = explored();
    const old = { timestamp: '2026-11-20T10:00:00Z' };
    e.server.append(3, old);
    await e.run();
    await e.after(() => e.explorer.follow());
    e.server.on.connect = () => {
      e.server.on.connect = () => undefined;
      throw refusal(410);
    };
    endStreams(e);
    e.server.append(2);
    await e.clock.advance(60_000);
    assert.deepEqual(e.numbers(), [3, 4]);
  });

  it('applies filters that the stream cannot apply', async () => {
    for (const query of ['stream:stderr last:1h', 'service=web-api spanId:* last:1h']) {
      const passing = { stream: 'stderr', spanId: 'a' } as const;
      const e = explored();
      e.server.append(4, passing);
      await e.run(query);
      // What comes while it is asked for the cursor comes twice, and is shown once.
      let times = 0;
      e.server.on.query = () => {
        if (++times <= 2) e.server.append(2, times === 2 ? passing : {});
      };
      e.explorer.follow();
      // What it has already does not count as new.
      e.server.on.connect = () => e.explorer.pause();
      await e.clock.advance(0);
      assert.equal(e.explorer.state.following?.newRecords, 0);
      e.explorer.follow();
      e.accept();
      await append(e, 2);
      await append(e, 2, passing);
      assert.deepEqual(e.numbers(), [0, 1, 2, 3, 6, 7, 10, 11], query);
      e.explorer.pause();
      await append(e, 1, passing);
      assert.equal(e.explorer.state.following?.newRecords, 1);
    }
  });

  it('drops the oldest records at its maximum, and shows that at the older end', async () => {
    const e = await following(12, { maxRecords: 8 });
    await append(e, 2);
    assert.deepEqual(e.explorer.state.older, { kind: 'more' });
    const { length } = e.states;
    await append(e, 3);
    assert.equal(e.events.at(-1), 'newer 14-16 dropped 2');
    assert.deepEqual(e.numbers(), numbers(9, 17));
    assert.deepEqual(e.explorer.state.older, { kind: 'full' });
    assert.lengthOf(e.states, length + 1);
    await append(e, 20);
    assert.deepEqual(e.numbers(), numbers(29, 37));
  });

  it('leaves no gap when records are dropped while older ones are loading', async () => {
    const e = await following(12, { maxRecords: 8 });
    let go = (): void => undefined;
    e.server.on.query = () => new Promise((resolve) => (go = resolve));
    await e.after(() => e.explorer.load('older'));
    await append(e, 6);
    await e.after(() => go());
    assert.deepEqual(e.numbers(), numbers(10, 18));
    assert.deepEqual(e.explorer.state.older, { kind: 'full' });
  });

  it('counts skipped records exactly', async () => {
    const e = await following();
    e.explorer.pause();
    await append(e, 50_500);
    await e.after(() => e.explorer.follow());
    const { leftOut, count } = e.explorer.state;
    assert.isAbove(leftOut, 0);
    assert.equal(leftOut + count, 5 + 50_500);
  });

  it('waits for a running load', async () => {
    const e = explored(12);
    await e.run();
    e.server.append(9);
    await e.after(() => {
      e.explorer.load('newer');
      e.explorer.follow();
    });
    assert.equal(followingOf(e), 'live');
    assert.deepEqual(e.numbers(), numbers(7, 21));
  });

  it('can be cancelled before the stream starts', async () => {
    const e = explored(12);
    await e.run();
    e.server.append(20);
    let times = 0;
    e.server.on.query = () => {
      if (++times === 2) e.explorer.cancel();
    };
    await e.after(() => e.explorer.follow());
    assert.equal(followingOf(e), 'none');
    assert.lengthOf(e.server.connects, 0);
    e.accept();
    await e.after(() => e.explorer.follow());
    assert.deepEqual(e.numbers(), numbers(7, 32));
    assert.equal(followingOf(e), 'live');
  });

  it('does not start when loading fails, and shows why', async () => {
    for (const query of ['last:1h', 'stream:stdout']) {
      const e = explored(12);
      await e.run(query);
      e.refuse(404);
      await e.after(() => e.explorer.follow());
      assert.equal(followingOf(e), 'none');
      assert.propertyVal(e.explorer.state.failure, 'status', 404);
      assert.deepEqual(e.numbers(), numbers(7, 12));
    }
  });

  it('shows why it failed, keeps its records and starts again', async () => {
    const e = await following();
    await append(e, 1);
    e.server.on.connect = () => {
      throw refusal(404);
    };
    endStreams(e);
    await e.clock.advance(60_000);
    assert.nestedPropertyVal(e.explorer.state, 'following.state.why.kind', 'notFound');
    assert.deepEqual(e.numbers(), numbers(7, 13));
    assert.deepEqual(e.explorer.state.newer, { kind: 'more' });
    e.server.on.connect = () => undefined;
    e.server.append(3);
    await e.after(() => e.explorer.load('newer'));
    assert.deepEqual(e.numbers(), numbers(7, 16));
    await e.after(() => e.explorer.follow());
    await append(e, 3);
    assert.deepEqual(e.numbers(), numbers(7, 19));
    assert.equal(followingOf(e), 'live');
  });

  it('ends when another search starts', async () => {
    const e = await following();
    await e.run('severity:error');
    assert.deepEqual([followingOf(e), e.server.open.length], ['none', 0]);
    await append(e, 3);
    assert.deepEqual(e.numbers(), []);
  });

  it(`reports when the server leaves out records ${covers('F29', 'unit')}`, async () => {
    const e = explored(3);
    await e.run();
    await e.after(() => e.explorer.follow());
    assert.isFalse(e.explorer.state.partial);
    e.server.on.page = (page) => ({ ...page, partial: true });
    await e.after(() => e.server.append(2));
    assert.deepEqual(e.numbers(), numbers(0, 5));
    assert.isTrue(e.explorer.state.partial);
    assert.isTrue(e.states.at(-1)?.partial, 'it was told');
  });

  it(`does not report the routine end of a stream ${covers('F14', 'unit')}`, async () => {
    const e = explored(3);
    await e.run();
    await e.after(() => e.explorer.follow());
    const { length } = e.states;
    for (let streams = 0; streams < 3; streams++) {
      await e.after(() => e.server.append(2));
      endStreams(e);
      for (let ms = 0; ms <= 1000; ms += 100) {
        await e.clock.advance(100);
        assert.equal(followingOf(e), 'live');
      }
    }
    assert.lengthOf(e.server.connects, 4);
    assert.deepEqual(e.numbers(), numbers(0, 9));
    for (const { following } of e.states.slice(length)) assert.equal(following?.state.kind, 'live');
  });
});
