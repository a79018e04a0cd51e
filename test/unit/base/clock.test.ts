import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { atMost, delay, untilAborted } from '../../../src/base/clock';
import { covers } from '../covers';
import { fakeClock } from '../fakeClock';
import { failure } from '../api/cannedAnswers';

describe('delay', () => {
  const day = 24 * 60 * 60_000;

  it('ends when the time has passed and not before', async () => {
    const clock = fakeClock();
    let ended = false;
    const wait = delay(clock, 500, new AbortController().signal).then(() => (ended = true));
    await clock.advance(499);
    assert.isFalse(ended);
    await clock.advance(1);
    assert.isTrue(ended);
    await wait;
  });

  for (const ms of [2 ** 31 - 1, 2 ** 31, 30 * day, 100 * day]) {
    it(`waits ${ms} ms in several timers if necessary ${covers('F23', 'unit')}`, async () => {
      const clock = fakeClock();
      let ended = false;
      void delay(clock, ms, new AbortController().signal).then(() => (ended = true));
      await clock.advance(ms - 1);
      assert.isFalse(ended);
      await clock.advance(1);
      assert.isTrue(ended);
    });
  }

  it(`ignores changes of the wall clock ${covers('F32', 'unit')}`, async () => {
    for (const jump of [day, -day]) {
      const clock = fakeClock();
      let ended = false;
      void delay(clock, 1000, new AbortController().signal).then(() => (ended = true));
      clock.jump(jump);
      await clock.advance(999);
      assert.isFalse(ended);
      await clock.advance(1);
      assert.isTrue(ended);
    }
  });

  it('waits again if a timer ends too early', async () => {
    const early = fakeClock();
    let ended = false;
    const clock = {
      ...early,
      setTimer: (call: () => void, ms: number) => early.setTimer(call, ms * 0.9),
    };
    void delay(clock, 1000, new AbortController().signal).then(() => (ended = true));
    await early.advance(990);
    assert.isFalse(ended);
    await early.advance(10);
    assert.isTrue(ended);
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
  });
});
