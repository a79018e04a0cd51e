import { assert } from 'chai';
import { NoAnswer, type LogStream } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { ids, logServer } from '../logServer';
import { followed, heartbeat, type Followed } from './followed';

const hour = 3_600_000;

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

describe('a tail on a silent stream', () => {
  it(`gives a half-open stream up after 90 s and resumes ${covers('F15', 'unit')}`, async () => {
    const f = await live();
    await f.clock.advance(89_000);
    assert.equal(f.tail.state.kind, 'live');
    await f.clock.advance(3000);
    assert.lengthOf(f.server.connects, 2);
    assert.deepEqual(f.kinds(), ['connecting', 'live', 'reconnecting', 'live']);
    assert.equal(f.server.mostOpen, 1);
    f.server.append(1);
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(0, 2));
  });

  it(`shows the silence while it is live again, until something arrives ${covers('F15, F61', 'unit')}`, async () => {
    const f = await live();
    const isSilent = (): boolean =>
      f.tail.state.kind === 'live' && f.tail.state.silence !== undefined;
    f.server.append(1);
    await f.clock.advance(92_000);
    assert.lengthOf(f.server.connects, 2);
    assert.isFalse(isSilent(), 'the first stream had brought something');
    await f.clock.advance(92_000);
    assert.isTrue(isSilent());
    f.server.open[0]?.end();
    await f.clock.advance(2000);
    assert.isTrue(isSilent(), 'nor does the next one');
    f.server.open[0]?.send(heartbeat);
    await f.clock.advance(0);
    assert.deepEqual(f.tail.state, { kind: 'live' });
    assert.lengthOf(f.server.connects, 4);
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

  it(`notices within 20 s that a busy stream with heartbeats has gone silent ${covers('F15', 'unit')}`, async () => {
    const f = await live();
    const [stream] = f.server.open;
    for (let tenth = 0; tenth < 300; tenth++) {
      f.server.append(1);
      if (tenth % 10 === 0) stream?.send(heartbeat);
      await f.clock.advance(100);
    }
    await f.clock.advance(19_000);
    assert.lengthOf(f.server.connects, 1);
    await f.clock.advance(3000);
    assert.lengthOf(f.server.connects, 2);
  });

  it(`stays connected while anything arrives, even a comment or half an event ${covers('F4', 'unit')}`, async () => {
    const f = await live();
    const [stream] = f.server.open;
    for (let time = 0; time < 240; time += 60) {
      await f.clock.advance(60_000);
      stream?.send(time === 60 ? 'event: rec' : ': still here\n');
    }
    assert.lengthOf(f.server.connects, 1);
  });

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

  for (const phase of [0, 500, 1000, 1499]) {
    it(`reconnects within two seconds when the machine wakes ${phase} ms after a look ${covers('F31', 'unit')}`, async () => {
      const f = followed({ plane: { streamSeconds: 24 * 3600 }, random: () => 0.999 });
      f.server.append(1);
      await f.begin();
      await f.clock.advance(9000 + phase);
      f.clock.jump(8 * hour);
      f.server.append(1);
      await f.clock.advance(2000);
      assert.lengthOf(f.server.connects, 2);
      assert.equal(f.server.mostOpen, 1);
      assert.deepEqual(f.kinds(), ['connecting', 'live']);
      assert.deepEqual(await f.shown(), ids(0, 2));
    });
  }

  it(`requests a history again if the machine slept meanwhile ${covers('F31', 'unit')}`, async () => {
    const f = followed();
    f.server.append(2);
    f.server.on.query = () =>
      f.server.queries.length === 1 ? new Promise<void>(() => undefined) : undefined;
    f.tail.start();
    await f.clock.advance(3000);
    f.clock.jump(hour);
    await f.clock.advance(2000);
    assert.deepEqual(await f.shown(), ids(0, 2));
  });

  it(`ignores a small step of the wall clock ${covers('F31, F32', 'unit')}`, async () => {
    const f = await live();
    for (let step = 0; step < 20; step++) {
      f.clock.jump(14_000);
      await f.clock.advance(2000);
    }
    assert.lengthOf(f.server.connects, 1);
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

    it(`shows no failure and loses nothing when the wall clock jumps while live: ${jump / hour} h ${covers('F32', 'unit')}`, async () => {
      const f = await live();
      f.clock.jump(jump);
      f.server.append(1);
      await f.clock.advance(5000);
      f.server.append(1);
      await f.clock.advance(0);
      assert.deepEqual(f.kinds(), ['connecting', 'live']);
      assert.deepEqual(await f.shown(), ids(0, 3));
    });
  }
});
