import { assert } from 'chai';
import fc from 'fast-check';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { ids, logServer, refusal } from '../logServer';
import { followed, type Followed } from './followed';

/** Never settles, like a server that does not answer. */
const never = (): Promise<void> => new Promise(() => undefined);

/** Asserts that nothing is left: no stream, no timer, and no call after the one that reports the end. */
async function assertGone(f: Followed): Promise<void> {
  await f.shown();
  assert.lengthOf(f.server.open, 0);
  assert.equal(f.liveTimers, 0);
  const before = {
    states: f.states.length,
    receipts: f.receipts,
    connects: f.server.connects.length,
  };
  f.server.append(3);
  await f.clock.advance(600_000);
  assert.deepEqual(
    { states: f.states.length, receipts: f.receipts, connects: f.server.connects.length },
    before,
  );
}

describe('the end of a tail', () => {
  const moments: Record<string, (f: Followed) => Promise<void>> = {
    'as soon as it starts': () => Promise.resolve(),
    'while the key is read': async () => {
      await Promise.resolve();
    },
    'while the history is loaded': async (f) => {
      f.server.on.query = never;
      await f.clock.advance(1000);
    },
    'while it connects': async (f) => {
      f.server.on.connect = never;
      await f.clock.advance(1000);
    },
    'while it is live': (f) => f.clock.advance(1000),
    'while pages are on their way': async (f) => {
      await f.clock.advance(1000);
      f.server.append(5);
    },
    'while it is paused': async (f) => {
      await f.clock.advance(1000);
      f.tail.pause();
      f.server.append(1);
      await f.clock.advance(0);
    },
    'in a back-off': async (f) => {
      f.server.on.connect = () => Promise.reject(refusal(503, 5));
      await f.clock.advance(1000);
      assert.equal(f.tail.state.kind, 'reconnecting');
    },
    'while it waits for the rate': async (f) => {
      f.server.on.connect = () => Promise.reject(refusal(429, 5));
      await f.clock.advance(1000);
      assert.equal(f.tail.state.kind, 'rateLimited');
    },
    'when a stream has just closed': async (f) => {
      await f.clock.advance(1000);
      f.server.open[0]?.end();
    },
  };
  for (const [moment, reach] of Object.entries(moments)) {
    it(`leaves nothing behind ${moment} ${covers('F34', 'unit')}`, async () => {
      const f = followed();
      f.server.append(2);
      f.tail.start();
      await reach(f);
      f.tail.stop();
      assert.equal(f.states.at(-1)?.kind, 'stopped');
      await assertGone(f);
      f.server.on.query = () => undefined;
      f.server.on.connect = () => undefined;
      f.tail.start();
      await f.clock.advance(60_000);
      assert.equal(f.tail.state.kind, 'live');
      assert.deepEqual(await f.shown(), ids(0, f.server.log.length));
    });
  }

  for (const kind of ['connecting', 'live', 'reconnecting'] as const) {
    it(`can be requested by the listener that hears that it is ${kind} ${covers('F34', 'unit')}`, async () => {
      const clock = fakeClock();
      const f = followed({ clock });
      f.server.append(2);
      const push = f.states.push.bind(f.states);
      f.states.push = (...states) => {
        push(...states);
        if (states[0]?.kind === kind) f.tail.stop();
        return f.states.length;
      };
      f.tail.start();
      await clock.advance(1000);
      f.server.open[0]?.cut();
      await clock.advance(1000);
      assert.equal(f.tail.state.kind, 'stopped');
      await assertGone(f);
    });
  }

  it(`can be requested by a listener for records, in the middle of a chunk ${covers('F34', 'unit')}`, async () => {
    const f = followed({ initialLines: 0, onReceive: ({ tail }) => tail.stop() });
    f.server.append(4);
    await f.begin();
    const [stream] = f.server.open;
    if (stream === undefined) assert.fail();
    stream.send(stream.page(0, 2), stream.page(2, 3));
    await f.clock.advance(0);
    assert.equal(f.tail.state.kind, 'stopped');
    assert.equal(f.tail.counters.received, 2);
    await assertGone(f);
  });

  it(`never leaves two connections after 1,000 starts and stops in any order ${covers('F35', 'unit')}`, async () => {
    const clock = fakeClock();
    const server = logServer({ clock });
    const f = followed({ clock, server });
    server.append(10);
    let most = 0;
    for (let round = 0; round < 1000; round++) {
      f.tail.start();
      if (round % 3 === 0) await clock.advance(round % 7);
      if (round % 5 === 0) f.tail.start();
      server.append(1);
      f.tail.stop();
      most = Math.max(most, server.open.length);
    }
    await assertGone(f);
    assert.equal(most, 0);
    assert.isAtMost(server.mostOpen, 1);
    f.tail.start();
    await clock.advance(60_000);
    assert.isAtMost(server.connects.length, 11);
    assert.deepEqual(f.ids().length, new Set(f.ids()).size);
    assert.equal(f.tail.state.kind, 'live');
  });

  it(`leaves one connection and loses or repeats nothing after any calls in any order ${covers('F34, F35', 'unit')}`, async () => {
    const call = fc.constantFrom(
      'start',
      'stop',
      'pause',
      'resume',
      'key',
      'append',
      'break',
      'wait',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 60 }), async (calls) => {
        const f = followed({ initialLines: 1000 });
        f.server.append(3);
        const act: Record<string, () => unknown> = {
          start: () => f.tail.start(),
          stop: () => f.tail.stop(),
          pause: () => f.tail.pause(),
          resume: () => f.tail.resume(),
          key: () => {
            f.key = f.server.keys[f.key === f.server.key ? 'demo-logs' : 'demo-full'];
            f.tail.keyChanged();
          },
          append: () => f.server.append(2),
          break: () => f.server.open[0]?.reset(),
          wait: () => f.clock.advance(700),
        };
        for (const name of calls) await act[name]?.();
        f.tail.resume();
        f.tail.start();
        await f.clock.advance(150_000);
        assert.deepEqual(await f.shown(), ids(0, f.server.log.length));
        assert.isAtMost(f.server.mostOpen, 1);
        f.tail.stop();
        await f.shown();
        assert.lengthOf(f.server.open, 0);
        assert.equal(f.liveTimers, 0);
      }),
      { numRuns: shortOrLong(60, 400) },
    );
  });
});
