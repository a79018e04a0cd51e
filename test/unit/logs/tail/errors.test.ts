import { assert } from 'chai';
import { followed, liveTail, outcome, type Followed } from './followed';
import { httpError, ids, networkError, protocolError } from './simulatedServer';

const minute = 60_000;

/** Milliseconds from the `index`-th connect to the next. */
function gapBehind({ server }: Followed, index: number): number {
  return server.connects[index + 1]!.at - server.connects[index]!.at;
}

describe('A tail in trouble', () => {
  describe('backs off and resumes', () => {
    for (const [name, error] of [
      ['408 (F24)', httpError(408)],
      ['500 (F24)', httpError(500)],
      ['503 (F24)', httpError(503)],
      ['a network error (F18)', networkError()],
      ['an answer that is no stream (F12)', protocolError('notEventStream')],
    ] as const) {
      it(`at ${name}, however often it comes`, async () => {
        const f = await liveTail();
        f.server.onConnect = () => Promise.reject(error);
        f.server.open[0]?.close();
        await f.clock.advance(10 * minute);
        assert.include(f.tail.state, { kind: 'reconnecting', why: error });
        assert.isAbove(f.server.connects.length, 5);
        f.server.onConnect = () => undefined;
        await f.clock.advance(minute);
        f.server.append(1);
        await f.clock.advance(0);
        assert.equal(outcome(f), 'live');
        assert.deepEqual(await f.shown(), ids(0, 4));
      });
    }

    it('when the history fails', async () => {
      const f = followed();
      f.server.append(3);
      let failures = 5;
      f.server.onQuery = () => {
        if (failures-- > 0) throw httpError(502);
      };
      f.tail.start();
      await f.clock.advance(20_000);
      assert.deepEqual(await f.shown(), ids(0, 3));
      assert.equal(f.tail.counters.connects, 1);
    });

    it('when the stream closes at once without a word, as a failure (F12)', async () => {
      const f = followed();
      f.server.onOpen = (connection) => connection.close();
      f.tail.start();
      await f.clock.advance(10 * minute);
      assert.equal(f.tail.state.kind, 'reconnecting');
      assert.isAtMost(f.server.connects.length, 60);
    });

    it('at something that nobody foresaw', async () => {
      const f = await liveTail();
      f.server.onConnect = () => Promise.reject(new TypeError('a mistake'));
      f.server.open[0]?.close();
      await f.clock.advance(2000);
      const { state } = f.tail;
      assert.equal(state.kind === 'reconnecting' && state.why?.code, 'unexpected');
    });
  });

  it('connects at most ten times in any minute, whatever happens (F12, F33)', async () => {
    const f = await liveTail();
    f.server.onOpen = (connection) => {
      f.server.append(1);
      connection.sendNews();
      connection.close();
    };
    f.server.open[0]?.close();
    await f.clock.advance(60 * minute);
    const { connects } = f.server;
    connects.forEach(({ at }, index) => {
      const eleventh = connects[index + 10];
      if (eleventh) assert.isAtLeast(eleventh.at - at, minute);
    });
    assert.isAbove(connects.length, 500);
    assert.deepEqual(
      await f.shown(),
      f.server.log.map(({ eventId }) => eventId),
    );
  });

  it('stays within policy while it is offline for an hour (F33)', async () => {
    const f = await liveTail();
    f.server.onConnect = () => Promise.reject(networkError('notFound'));
    f.server.open[0]?.fail(networkError());
    await f.clock.advance(60 * minute);
    // With full jitter up to 30 s, a try every 15 s is the middle.
    assert.isAbove(f.server.connects.length, 120);
    assert.isBelow(f.server.connects.length, 400);
    // One change of state that is told: what follows is the time of the next try.
    const [connecting, live, ...later] = f.kinds();
    assert.deepEqual([connecting, live], ['connecting', 'live']);
    assert.deepEqual([...new Set(later)], ['reconnecting']);
    f.server.onConnect = () => undefined;
    f.server.append(100);
    await f.clock.advance(30_000);
    assert.deepEqual(await f.shown(), ids(0, 103));
  });

  describe('never comes back before Retry-After (F23)', () => {
    for (const seconds of [0, 1, 86_400, 2 ** 31 / 1000, 2 ** 31]) {
      it(`of ${seconds} s`, async () => {
        const f = await liveTail();
        const retryAfter = seconds * 1000;
        // The refusal behind it ends the tail: decades of a live one would take a while.
        const errors = [httpError(429, { retryAfter }), httpError(403)];
        f.server.onConnect = () => Promise.reject(errors[f.server.connects.length - 2]!);
        f.server.open[0]?.close();
        await f.clock.advance(1000);
        if (seconds > 1) assert.equal(f.tail.state.kind, 'rateLimited');
        await f.clock.advance(retryAfter * 1.1 + 1000);
        assert.equal(outcome(f), 'missingPermission code_403');
        assert.isAtLeast(gapBehind(f, 1), retryAfter);
        assert.isAtMost(gapBehind(f, 1), retryAfter * 1.1 + 1000);
      });
    }

    it('not even where it is missing: then it backs off', async () => {
      const f = await liveTail();
      f.server.onConnect = () => Promise.reject(httpError(429));
      f.server.open[0]?.close();
      await f.clock.advance(10 * minute);
      assert.isBelow(f.server.connects.length, 60);
      assert.equal(f.tail.state.kind, 'rateLimited');
    });

    it('not even where it is started again, or the key changes', async () => {
      const f = await liveTail();
      const retryAfter = 100_000;
      f.server.onConnect = () => {
        if (f.server.connects.length === 2) throw httpError(429, { retryAfter });
      };
      f.server.open[0]?.close();
      await f.clock.advance(2000);
      f.tail.stop();
      f.tail.start();
      await f.clock.advance(1000);
      assert.equal(f.tail.state.kind, 'rateLimited');
      f.key = 'key-2';
      f.tail.keyChanged();
      await f.clock.advance(120_000);
      assert.isAtLeast(gapBehind(f, 1), retryAfter);
      assert.equal(outcome(f), 'live');
    });

    it('of a history', async () => {
      const f = followed();
      const times: number[] = [];
      f.server.onQuery = () => {
        times.push(f.clock.monotonic());
        if (times.length === 1) throw httpError(429, { retryAfter: 50_000 });
      };
      f.tail.start();
      await f.clock.advance(1000);
      assert.equal(f.tail.state.kind, 'rateLimited');
      await f.clock.advance(60_000);
      assert.isAtLeast(times[1]! - times[0]!, 50_000);
      assert.equal(outcome(f), 'live');
    });

    it('of a server that is overloaded', async () => {
      const f = await liveTail();
      f.server.onConnect = () => {
        if (f.server.connects.length === 2) throw httpError(503, { retryAfter: 70_000 });
      };
      f.server.open[0]?.close();
      await f.clock.advance(80_000);
      assert.isAtLeast(gapBehind(f, 1), 70_000);
      assert.equal(outcome(f), 'live');
    });
  });

  describe('takes an error event of the stream for the answer it stands for (F25)', () => {
    for (const [code, expected] of [
      ['permission_denied', 'missingPermission permission_denied'],
      ['not_found', 'notFound not_found'],
      ['unauthorized', 'signedOut unauthorized'],
      ['rate_limited', 'rateLimited'],
      ['internal', 'live'],
      ['cursor_expired', 'live'],
    ] as const) {
      it(code, async () => {
        const f = await liveTail();
        f.server.open[0]?.fail(httpError(0, { code, status: undefined }));
        if (code === 'rate_limited') await f.clock.advance(0);
        else await f.clock.advance(1000);
        assert.equal(outcome(f), expected);
        const hasGap = f.outputs.some(({ kind }) => kind === 'gap');
        assert.equal(hasGap, code === 'cursor_expired');
      });
    }
  });

  it('waits as long as the server wishes, at least, after a routine end too (F9)', async () => {
    const f = await liveTail();
    f.server.open[0]?.send({ kind: 'retry', ms: 20_000 });
    await f.clock.advance(15_000);
    f.server.open[0]?.close();
    f.server.onConnect = () => {
      if (f.server.connects.length === 2) throw networkError();
    };
    await f.clock.advance(2 * minute);
    assert.isAtLeast(gapBehind(f, 0), 35_000);
    assert.isAtLeast(gapBehind(f, 1), 20_000);
    assert.deepEqual(f.kinds().slice(0, 3), ['connecting', 'live', 'reconnecting']);
  });
});
