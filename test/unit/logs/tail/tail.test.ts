import { assert } from 'chai';
import { TailStateNotifier } from '../../../../src/logs/tail/stateNotifier';
import { idAt, NoAnswer, type LogStream } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { ids, logServer, refusal } from '../logServer';
import { followed, heartbeat, type Followed, liveTail, outcome } from './followed';

/** What no script can say: see tail.scripts.test.ts. */

const minute = 60_000;
const hour = 60 * minute;

/** A live tail, on a server that never closes a stream. */
async function live(): Promise<Followed> {
  const f = followed({ plane: { streamSeconds: 24 * 3600 } });
  f.server.append(1);
  await f.begin();
  return f;
}

/** The given number of heartbeats, `spacing` ms apart. */
function beat(f: Followed, spacing: number, count: number): (stream: LogStream) => void {
  return (stream) => {
    for (let beat = 1; beat <= count; beat++) {
      f.clock.setTimer(() => stream.send(heartbeat), beat * spacing);
    }
  };
}

/** Milliseconds from the last heartbeat to the next connect. */
async function foundAfter(f: Followed, spacing: number, count: number): Promise<number> {
  const before = f.server.connects.length;
  f.server.on.open = beat(f, spacing, count);
  f.server.open[0]?.end();
  await f.clock.advance(1000);
  const at = f.server.connects[before]!.at;
  f.server.on.open = () => undefined;
  f.server.append(1);
  while (f.server.connects.length < before + 2) await f.clock.advance(1000);
  return f.server.connects[before + 1]!.at - at - spacing * count;
}

function gaps({ outputs }: Followed) {
  return outputs.flatMap((output) => (output.kind === 'gap' ? [output] : []));
}

/** Milliseconds from the `index`-th connect to the next. */
function gapBehind({ server }: Followed, index: number): number {
  return server.connects[index + 1]!.at - server.connects[index]!.at;
}

describe('a tail', () => {
  it('requests a week back and a week ahead, so that the filters outlive the cursor', async () => {
    const f = followed({ filter: { services: ['web'] } });
    await f.begin();
    assert.deepEqual(f.server.queries[0]?.filters, {
      services: ['web'],
      from: '2026-11-13T12:00:00.000Z',
      to: '2026-11-27T12:00:00.000Z',
    });
    assert.deepEqual(f.server.connects[0]?.request.filters, f.server.queries[0]?.filters);
  });

  it('requests only as far ahead as a server allows, and starts new ranges in time', async () => {
    const plane = { unkind: { longestRangeSeconds: 8 * 24 * 3600 } };
    const f = followed({ plane, ahead: () => 24 * 3_600_000, initialLines: 10 });
    f.tail.start();
    for (let hour = 0; hour < 60; hour++) {
      f.server.append(1, { timestamp: new Date(f.clock.now()).toISOString() });
      await f.clock.advance(3_600_000);
    }
    assert.equal(f.tail.state.kind, 'live');
    assert.deepEqual(await f.shown(), ids(0, 60));
    const windows = new Set(f.server.connects.map(({ request }) => request.filters.to));
    assert.equal(windows.size, 3);
  });

  it(`drops repeated records and keeps the order of the server ${covers('F26, F27', 'unit')}`, async () => {
    const f = followed();
    f.server.append(4);
    await f.begin();
    const [stream] = f.server.open;
    if (stream === undefined) assert.fail();
    stream.send(stream.page(2, 4));
    const late = stream.page(0, 1);
    const older = { ...late.records[0]!, timestamp: '2026-11-19T00:00:00Z', eventId: 'older' };
    const twin = { ...older, eventId: 'twin' };
    stream.send({ ...late, records: [...late.records, twin, older] });
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), [...ids(0, 4), 'twin', 'older']);
    assert.equal(f.tail.counters.repeated, 3);
  });

  it('applies the filters itself that the stream cannot apply', async () => {
    const filter = {
      stream: 'stderr',
      conditionGroup: {
        match: 'or',
        conditions: [{ field: 'attribute:user', operator: 'equals', value: '42' }],
      },
    } as const;
    const f = followed({
      filter: {
        ...filter,
        conditionGroup: {
          ...filter.conditionGroup,
          conditions: [...filter.conditionGroup.conditions],
        },
      },
      initialLines: 1,
    });
    const hit = { stream: 'stderr', attributes: { user: '42' } } as const;
    f.server.append(2, hit);
    f.server.append(1, { stream: 'stderr' });
    await f.begin();
    f.server.append(1, { attributes: { user: '42' } });
    f.server.append(1, hit);
    f.server.append(1, { stream: 'stderr', attributes: { user: '421' } });
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), [idAt(1), idAt(4)]);
    assert.equal(f.tail.counters.received, 2);
    const { filters } = f.server.connects[0]!.request;
    assert.notProperty(filters, 'stream');
    assert.notProperty(filters, 'conditionGroup');
  });

  it('starts a new range without a loss when the old one ends', async () => {
    const f = followed({ initialLines: 2 });
    f.server.append(3);
    await f.begin();
    f.server.append(2);
    await f.clock.advance(0);
    f.clock.jump(366 * 24 * 3_600_000);
    const append = (): void => {
      f.server.append(1, { timestamp: new Date(f.clock.now()).toISOString() });
    };
    f.server.on.query = append;
    await f.clock.advance(2000);
    append();
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(1, f.server.log.length));
    assert.notInclude(
      f.outputs.map(({ kind }) => kind),
      'gap',
    );
    const [first, second] = f.server.connects.map(({ request }) => request.filters.to);
    assert.isAbove(Date.parse(second!), Date.parse(first!));
  });

  it(`starts again at refused cursors at most once a minute ${covers('F21', 'unit')}`, async () => {
    const f = await liveTail();
    const queries: number[] = [];
    f.server.on.query = () => void queries.push(f.clock.monotonic());
    f.server.on.open = (stream) => {
      f.server.append(1);
      stream.fail(410);
    };
    f.server.open[0]?.fail(410);
    await f.clock.advance(10 * minute);
    queries.slice(1).forEach((at, index) => assert.isAtLeast(at - queries[index]!, minute));
    assert.isAtLeast(queries.length, 9);
    assert.deepEqual(await f.shown(), ids(0, f.server.log.length));
  });

  it('keeps records without a valid timestamp', async () => {
    const f = followed();
    f.server.append(2);
    await f.begin();
    const page = f.server.open[0]!.page(0, 1);
    const odd = { ...page.records[0]!, eventId: 'odd', timestamp: 'yesterday' };
    f.server.open[0]!.send({ ...page, records: [odd] });
    f.server.open[0]?.fail(410);
    f.server.append(1);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 2), 'odd', ...ids(2, 3)]);
    assert.lengthOf(gaps(f), 1);
  });

  it('compares no access revision of a query with one of the stream', async () => {
    const f = followed();
    let queries = 0;
    f.server.append(2);
    const revision = (): string =>
      `of ${f.server.connects.length === 0 ? 'queries' : 'the stream'}`;
    f.server.on.page = (page) => ({ ...page, accessRevision: revision() });
    await f.begin();
    f.server.append(2);
    await f.shown();
    assert.deepEqual(f.parts(), ['records']);
    f.server.open[0]?.end();
    await f.clock.advance(2000);
    f.server.append(1);
    f.server.on.page = (page) => ({ ...page, accessRevision: `${++queries}` });
    await f.shown();
    assert.deepEqual(f.parts(), ['records', 'accessChanged', 'records']);
  });

  it('backs off at an unknown error', async () => {
    const fails = (): never => {
      throw new TypeError('a mistake');
    };
    const f = followed({
      client: { serverNow: () => 0, queryLogs: fails, openLogStream: fails },
    });
    await f.begin();
    const { state } = f.tail;
    assert.equal(state.kind === 'reconnecting' && state.why?.code, 'unexpected');
  });

  it(`connects at most ten times in any minute, whatever happens ${covers('F12, F33', 'unit')}`, async () => {
    const f = await liveTail();
    f.server.on.open = (stream) => {
      f.server.append(1);
      stream.end();
    };
    f.server.open[0]?.end();
    await f.clock.advance(shortOrLong(10, 60) * minute);
    const { connects } = f.server;
    connects.forEach(({ at }, index) => {
      const eleventh = connects[index + 10];
      if (eleventh) assert.isAtLeast(eleventh.at - at, minute);
    });
    assert.isAbove(connects.length, shortOrLong(90, 500));
    assert.deepEqual(await f.shown(), ids(0, f.server.log.length));
  });

  it(`stays within these limits while it is offline for an hour, and reports it once ${covers('F33', 'unit')}`, async () => {
    const clock = fakeClock();
    const told: string[] = [];
    const news = new TailStateNotifier(clock);
    news.onDidNotice(() => told.push(f.tail.state.kind));
    const f = followed({ clock, onState: (state) => news.changed('tail', state) });
    f.server.append(3);
    f.tail.start();
    await f.shown();
    f.server.unreachable = 'ENETUNREACH';
    f.server.open[0]?.reset();
    const tries: number[] = [];
    for (let second = 0; second < 3600; second++) {
      await clock.advance(1000);
      tries.push(f.tail.counters.connects);
    }
    // With full jitter up to 30 s, the mean is an attempt every 15 s.
    assert.isAbove(tries.at(-1)!, 120);
    assert.isBelow(tries.at(-1)!, 400);
    tries.slice(60).forEach((count, index) => assert.isAtMost(count - tries[index]!, 10));
    // In that hour only the time of the next attempt changes.
    assert.deepEqual([...new Set(f.kinds())], ['connecting', 'live', 'reconnecting']);
    const { state } = f.tail;
    assert.equal(state.kind === 'reconnecting' && state.why?.code, 'offline');
    assert.deepEqual(told, ['reconnecting']);
    f.server.unreachable = undefined;
    f.server.append(100);
    await clock.advance(30_000);
    assert.deepEqual(await f.shown(), ids(0, 103));
    assert.deepEqual(told, ['reconnecting', 'live']);
  });

  for (const seconds of [0, 1, 86_400, 2 ** 31 / 1000, 2 ** 31]) {
    it(`never reconnects before a Retry-After of ${seconds} s ${covers('F23', 'unit')}`, async () => {
      const f = await liveTail();
      const retryAfter = seconds * 1000;
      // The refusal after it ends the tail, because decades of a live tail would take long.
      const errors = [refusal(429, seconds), refusal(403)];
      f.server.on.connect = () => Promise.reject(errors[f.server.connects.length - 2]!);
      f.server.open[0]?.end();
      await f.clock.advance(1000);
      if (seconds > 1) assert.equal(f.tail.state.kind, 'rateLimited');
      await f.clock.advance(retryAfter * 1.1 + 1000);
      assert.equal(outcome(f), 'missingPermission code_403');
      assert.isAtLeast(gapBehind(f, 1), retryAfter);
      assert.isAtMost(gapBehind(f, 1), retryAfter * 1.1 + 1000);
    });
  }

  for (const [which, filter, times] of [
    ['the same records', {}, 3],
    // They are new the first time, because the history has only what is shown.
    ['the same records, which its filter hides,', { stream: 'stderr' }, 4],
  ] as const) {
    it(`fails at the same cursor with ${which} three times ${covers('F28', 'unit')}`, async () => {
      const f = followed({ filter });
      f.server.append(3, { stream: 'stdout' });
      await f.begin();
      const [stream] = f.server.open;
      if (stream === undefined) assert.fail();
      for (let time = 1; time <= times; time++) {
        assert.equal(outcome(f), 'live');
        stream.send({ ...stream.page(1, 3), followCursor: stream.request.cursor ?? '' });
        await f.clock.advance(1000);
      }
      assert.equal(outcome(f), 'protocol cursorStuck');
      assert.lengthOf(f.server.open, 0);
    });
  }

  it(`does not fail at the same cursor without records ${covers('F28', 'unit')}`, async () => {
    const f = await liveTail();
    const [stream] = f.server.open;
    if (stream === undefined) assert.fail();
    for (let time = 1; time <= 20; time++) {
      stream.send(stream.page(3, 3));
      await f.clock.advance(1000);
    }
    assert.equal(outcome(f), 'live');
    assert.lengthOf(f.server.connects, 1);
  });

  it(`can be stopped by a listener for the silence ${covers('F34', 'unit')}`, async () => {
    const f = await live();
    await f.clock.advance(92_000);
    assert.equal(f.server.connects.length, 2);
    const push = f.states.push.bind(f.states);
    f.states.push = (...states) => {
      push(...states);
      if (states[0]?.kind === 'live') f.tail.stop();
      return f.states.length;
    };
    f.server.append(1);
    await f.clock.advance(1000);
    assert.equal(f.tail.state.kind, 'stopped');
    assert.equal(f.tail.counters.received, 1);
    assert.equal(f.liveTimers, 0);
  });

  for (const [spacing, limit] of [
    [1000, 20_000],
    [5000, 20_000],
    [15_000, 45_000],
    [20_000, 60_000],
    [60_000, 90_000],
  ] as const) {
    it(`learns from heartbeats every ${spacing / 1000} s to wait ${limit / 1000} s ${covers('F4, F15', 'unit')}`, async () => {
      const f = await live();
      f.server.open[0]?.end();
      await f.clock.advance(1000);
      const found = await foundAfter(f, spacing, 6);
      assert.isAtLeast(found, limit);
      assert.isAtMost(found, limit + 2000);
    });
  }

  it('does nothing but look for a sleep of the machine every 1.5 s', async () => {
    let timers = 0;
    const clock = fakeClock();
    const counting: FakeClock = {
      ...clock,
      setTimer(callback, ms) {
        timers++;
        return clock.setTimer(callback, ms);
      },
    };
    const f = followed({ clock: counting, server: logServer({ clock: fakeClock() }) });
    await f.begin();
    const before = timers;
    await clock.advance(60_000);
    assert.equal(f.tail.state.kind, 'live');
    assert.equal(timers - before, 40);
  });

  for (const jump of [24 * hour, -24 * hour]) {
    it(`backs off as usual when the wall clock jumps by ${jump / hour} h ${covers('F32', 'unit')}`, async () => {
      const times = async (jumpBy: number): Promise<number[]> => {
        const f = await live();
        f.server.on.connect = () => Promise.reject(new NoAnswer());
        f.server.open[0]?.end();
        for (let second = 0; second < 300; second++) {
          if (second % 7 === 3) f.clock.jump(second % 2 ? jumpBy : -jumpBy);
          await f.clock.advance(1000);
        }
        return f.server.connects.map(({ at }) => at);
      };
      assert.deepEqual(await times(jump), await times(0));
    });
  }

  it('announces records when more arrive, and while some are left', async () => {
    const f = followed({ takes: false });
    await f.begin();
    assert.equal(f.receipts, 0);
    const appended = async (count: number): Promise<boolean> => {
      const before = f.receipts;
      f.server.append(count);
      await f.clock.advance(0);
      return f.receipts > before;
    };
    assert.isTrue(await appended(3));
    assert.isTrue(await appended(3));
    f.take(4);
    assert.deepEqual(f.ids(), ids(0, 4));
    assert.isTrue(await appended(1));
    f.take();
    assert.deepEqual(f.ids(), ids(0, 7));
    assert.isFalse(await appended(0));
    f.tail.pause();
    assert.isFalse(await appended(2));
  });

  it(`shows at the next start what was not taken when it ended ${covers('F64', 'unit')}`, async () => {
    const f = followed({ takes: false });
    f.server.append(3);
    await f.begin();
    f.tail.stop();
    const before = f.receipts;
    f.tail.start();
    assert.isAbove(f.receipts, before);
    f.take();
    assert.deepEqual(f.ids(), ids(0, 3));
  });

  it(`counts exactly what a pause drops, including what came before it ${covers('F36', 'unit')}`, async () => {
    const f = followed({
      bufferRecords: 100,
      initialLines: 1,
      takesAfter: () => 100,
      plane: { unkind: { streamPage: 7 } },
    });
    f.server.append(1);
    f.tail.start();
    await f.shown();
    f.server.append(5);
    await f.clock.advance(0);
    assert.equal(f.tail.counters.received, 6);
    assert.deepEqual(f.ids(), ids(0, 1));
    f.tail.pause();
    f.server.append(700);
    await f.clock.advance(1000);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 700 });
    f.tail.resume();
    await f.shown();
    assert.deepEqual(f.outputs[1], { kind: 'dropped', count: 607 });
    assert.deepEqual(f.ids(), [idAt(0), ...ids(608, 706)]);
    const { received, handedOn, dropped } = f.tail.counters;
    assert.deepEqual([received, handedOn, dropped], [706, 99, 607]);
  });
});
