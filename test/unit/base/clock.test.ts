import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { atMost, type Clock, delay, RateLimiter, untilAborted } from '../../../src/base/clock';
import { covers } from '../covers';
import { type FakeClock, fakeClock } from '../fakeClock';
import { failure } from '../api/cannedAnswers';

const day = 24 * 60 * 60_000;

/** Waits with a clock, and moves the time by another one: the wait takes exactly so long. */
async function timeOf(
  ms: number,
  time: FakeClock,
  clock: Clock = time,
  meanwhile = (): void => undefined,
): Promise<void> {
  let hasEnded = false;
  void delay(clock, ms, new AbortController().signal).then(() => (hasEnded = true));
  meanwhile();
  await time.advance(ms - 1);
  assert.isFalse(hasEnded);
  await time.advance(1);
  assert.isTrue(hasEnded);
}

describe('delay', () => {
  for (const ms of [500, 2 ** 31 - 1, 2 ** 31, 30 * day, 100 * day]) {
    it(`waits ${ms} ms and no less, in several timers if necessary ${covers('F23', 'unit')}`, () =>
      timeOf(ms, fakeClock()));
  }

  it(`ignores changes of the wall clock ${covers('F32', 'unit')}`, async () => {
    for (const jump of [day, -day]) {
      const clock = fakeClock();
      await timeOf(1000, clock, clock, () => clock.jump(jump));
    }
  });

  it('waits again if a timer ends too early', async () => {
    const time = fakeClock();
    await timeOf(1000, time, {
      ...time,
      setTimer: (call, ms) => time.setTimer(call, ms * 0.9),
    });
  });

  for (const ms of [0, -1, NaN]) {
    it(`does not wait ${ms} ms`, async () => {
      const clock = fakeClock();
      await delay(clock, ms, new AbortController().signal);
      assert.strictEqual(clock.liveTimers, 0);
    });
  }

  it(`throws the reason of an abort and leaves no timer and no listener ${covers('F34', 'unit')}`, async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const wait = failure(delay(clock, 1000, controller.signal));
    assert.strictEqual(clock.liveTimers, 1);
    const reason = new Error('stopped');
    controller.abort(reason);
    assert.strictEqual(await wait, reason);
    assert.strictEqual(clock.liveTimers, 0);
    assert.lengthOf(getEventListeners(controller.signal, 'abort'), 0);
  });

  it(`leaves no listener when it ends, and starts nothing when aborted ${covers('F39', 'unit')}`, async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    for (let count = 0; count < 100; count++) {
      await clock.run(delay(clock, 10, controller.signal));
    }
    assert.lengthOf(getEventListeners(controller.signal, 'abort'), 0);
    controller.abort('gone');
    assert.strictEqual(await failure(delay(clock, 10, controller.signal)), 'gone');
    assert.strictEqual(clock.liveTimers, 0);
  });
});

describe('a wait for work', () => {
  const never = new Promise<string>(() => undefined);

  it('ends at once when it is cancelled', async () => {
    for (const wait of [
      (signal: AbortSignal) => untilAborted(never, signal),
      (signal: AbortSignal) => atMost(1000, never, fakeClock(), signal),
    ]) {
      const controller = new AbortController();
      const failing = failure(wait(controller.signal));
      controller.abort(new Error('gone'));
      assert.propertyVal(await failing, 'message', 'gone');
      assert.isEmpty(getEventListeners(controller.signal, 'abort'));
    }
  });

  it('ends with the work, or after the longest time', async () => {
    const clock = fakeClock();
    const { signal } = new AbortController();
    assert.equal(await atMost(1000, Promise.resolve('done'), clock, signal), 'done');
    assert.equal(clock.liveTimers, 0);
    const ended = atMost(1000, never, clock, signal);
    await clock.advance(1000);
    assert.isUndefined(await ended);
    let hasEnded = false;
    // In several timers.
    void atMost(2 ** 31, never, clock, signal).then(() => (hasEnded = true));
    await clock.advance(2 ** 31 - 1);
    assert.isFalse(hasEnded);
    await clock.advance(1);
    assert.isTrue(hasEnded);
    assert.isEmpty(getEventListeners(signal, 'abort'));
    assert.equal(clock.liveTimers, 0);
  });
});

describe('a budget', () => {
  it('limits how often something is done within any time of its length', async () => {
    const clock = fakeClock();
    const limiter = new RateLimiter(clock, 3, 60_000);
    for (let count = 0; count < 3; count++) {
      assert.equal(limiter.freeIn(), 0);
      limiter.spend();
      await clock.advance(10_000);
    }
    assert.equal(limiter.freeIn(), 30_000);
    await clock.advance(30_000);
    assert.equal(limiter.freeIn(), 0);
    limiter.spend();
    assert.equal(limiter.freeIn(), 10_000);
    await clock.advance(1_000_000);
    assert.equal(limiter.freeIn(), 0);
  });

  it('counts what is done in any case', async () => {
    const clock = fakeClock();
    const limiter = new RateLimiter(clock, 2, 1000);
    for (let count = 0; count < 4; count++) {
      limiter.spend();
      await clock.advance(100);
    }
    // The third of them has to be over.
    assert.equal(limiter.freeIn(), 800);
  });
});
