import { assert } from 'chai';
import { TailStateNotifier } from '../../../../src/logs/tail/stateNotifier';
import { NoAnswer } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { ids, refusal } from '../logServer';
import { followed, type Followed, liveTail, outcome, refuseConnect } from './followed';

const minute = 60_000;

/** Milliseconds from the `index`-th connect to the next. */
function gapBehind({ server }: Followed, index: number): number {
  return server.connects[index + 1]!.at - server.connects[index]!.at;
}

describe('a tail after an error', () => {
  describe('backs off and resumes', () => {
    for (const [name, error, code] of [
      [`408 ${covers('F24', 'unit')}`, refusal(408), 'code_408'],
      [`500 ${covers('F24', 'unit')}`, refusal(500), 'code_500'],
      [`503 ${covers('F24', 'unit')}`, refusal(503), 'code_503'],
      [`a network error ${covers('F18', 'unit')}`, new NoAnswer(), 'reset'],
      [`a refused connection ${covers('F18', 'unit')}`, new NoAnswer('ECONNREFUSED'), 'refused'],
    ] as const) {
      it(`at ${name}, however often it occurs`, async () => {
        const f = await liveTail();
        f.server.on.connect = () => Promise.reject(error);
        f.server.open[0]?.end();
        await f.clock.advance(10 * minute);
        const { state } = f.tail;
        assert.equal(state.kind === 'reconnecting' && state.why?.code, code);
        assert.isAbove(f.server.connects.length, 5);
        f.server.on.connect = () => undefined;
        await f.clock.advance(minute);
        f.server.append(1);
        await f.clock.advance(0);
        assert.equal(outcome(f), 'live');
        assert.deepEqual(await f.shown(), ids(0, 4));
      });
    }

    it(`at a response that is not a stream, however often it occurs ${covers('F12', 'unit')}`, async () => {
      const f = await liveTail();
      f.server.admin.fault({ kind: 'html', endpoint: 'post_logs_tail', times: 1000 });
      f.server.open[0]?.end();
      await f.clock.advance(10 * minute);
      const { state } = f.tail;
      assert.equal(state.kind === 'reconnecting' && state.why?.code, 'notEventStream');
      f.server.admin.reset();
      f.server.append(1);
      await f.clock.advance(minute);
      assert.equal(outcome(f), 'live');
      assert.deepEqual(await f.shown(), ids(0, 4));
    });

    it('when the history fails', async () => {
      const f = followed();
      f.server.append(3);
      let failures = 5;
      f.server.on.query = () => {
        if (failures-- > 0) throw refusal(502);
      };
      f.tail.start();
      await f.clock.advance(20_000);
      assert.deepEqual(await f.shown(), ids(0, 3));
      assert.equal(f.tail.counters.connects, 1);
    });

    it(`when the stream closes at once, as a failure ${covers('F12', 'unit')}`, async () => {
      const f = followed();
      f.server.on.open = (stream) => stream.end();
      f.tail.start();
      await f.clock.advance(10 * minute);
      assert.equal(f.tail.state.kind, 'reconnecting');
      assert.isAtMost(f.server.connects.length, 60);
    });

    it('at an unknown error', async () => {
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

  describe(`never reconnects before Retry-After ${covers('F23', 'unit')}`, () => {
    for (const seconds of [0, 1, 86_400, 2 ** 31 / 1000, 2 ** 31]) {
      it(`of ${seconds} s`, async () => {
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

    it('and backs off if it is missing', async () => {
      const f = await liveTail();
      f.server.on.connect = () => Promise.reject(refusal(429));
      f.server.open[0]?.end();
      await f.clock.advance(10 * minute);
      assert.isBelow(f.server.connects.length, 60);
      assert.equal(f.tail.state.kind, 'rateLimited');
    });

    it('even if it is started again, or the key changes', async () => {
      const f = await liveTail();
      const retryAfter = 100_000;
      refuseConnect(f.server, 2, refusal(429, retryAfter / 1000));
      f.server.open[0]?.end();
      await f.clock.advance(2000);
      f.tail.stop();
      f.tail.start();
      await f.clock.advance(1000);
      assert.equal(f.tail.state.kind, 'rateLimited');
      f.key = f.server.keys['demo-logs'];
      f.tail.keyChanged();
      await f.clock.advance(120_000);
      assert.isAtLeast(gapBehind(f, 1), retryAfter);
      assert.equal(outcome(f), 'live');
    });

    it('of a history', async () => {
      const f = followed();
      const times: number[] = [];
      f.server.on.query = () => {
        times.push(f.clock.monotonic());
        if (times.length === 1) throw refusal(429, 50);
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
      refuseConnect(f.server, 2, refusal(503, 70));
      f.server.open[0]?.end();
      await f.clock.advance(80_000);
      assert.isAtLeast(gapBehind(f, 1), 70_000);
      assert.equal(outcome(f), 'live');
    });
  });

  describe(`treats an error event of the stream like the response that it stands for ${covers('F25', 'unit')}`, () => {
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
        f.server.open[0]?.fail(500, code);
        if (code === 'rate_limited') await f.clock.advance(0);
        else await f.clock.advance(1000);
        assert.equal(outcome(f), expected);
        const hasGap = f.outputs.some(({ kind }) => kind === 'gap');
        assert.equal(hasGap, code === 'cursor_expired');
      });
    }
  });

  it(`waits at least as long as the server asks for, also after a routine end ${covers('F9', 'unit')}`, async () => {
    const f = await liveTail();
    f.server.open[0]?.send('retry: 20000\n\n');
    await f.clock.advance(15_000);
    f.server.open[0]?.end();
    refuseConnect(f.server, 2, new NoAnswer());
    await f.clock.advance(2 * minute);
    assert.isAtLeast(gapBehind(f, 0), 35_000);
    assert.isAtLeast(gapBehind(f, 1), 20_000);
    assert.deepEqual(f.kinds().slice(0, 3), ['connecting', 'live', 'reconnecting']);
  });
});
