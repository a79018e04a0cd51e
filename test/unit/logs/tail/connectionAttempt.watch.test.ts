import { assert } from 'chai';
import { covers } from '../../covers';
import { watchStream, type WatchVerdict } from '../../../../src/logs/tail/connectionAttempt';

/** A watch on a clock that a test moves. The wall clock moves with the monotonic one by default. */
function watched() {
  let monotonic = 0;
  let wall = 0;
  let callback: (() => void) | undefined;
  let lasts = 0;
  const verdicts: WatchVerdict[] = [];
  const clock = {
    now: () => wall,
    monotonic: () => monotonic,
    setTimer(next: () => void) {
      callback = next;
      return () => (callback = undefined);
    },
  };
  const end = watchStream(
    clock,
    () => ({ lasts, limit: 90_000 }),
    (verdict) => verdicts.push(verdict),
  );
  return {
    verdicts,
    end,
    hear: () => (lasts = 0),
    isTicking: () => callback !== undefined,
    /** How late the next tick comes. */
    tick(ms = 1000, wallMs = ms) {
      monotonic += ms;
      wall += wallMs;
      lasts += ms;
      const due = callback;
      callback = undefined;
      due?.();
    },
  };
}

describe('the watch over a stream', () => {
  it(`reports once that a stream is silent for too long, and ends ${covers('F15', 'unit')}`, () => {
    const watch = watched();
    for (let tick = 0; tick < 200; tick++) watch.tick();
    assert.deepEqual(watch.verdicts, ['idle']);
    assert.isFalse(watch.isTicking());
  });

  it(`lets a blocked event loop first read what arrived meanwhile ${covers('F37', 'unit')}`, () => {
    const watch = watched();
    watch.tick(120_000);
    assert.deepEqual(watch.verdicts, []);
    watch.hear();
    watch.tick();
    assert.deepEqual(watch.verdicts, []);
    watch.tick(120_000);
    watch.tick();
    assert.deepEqual(watch.verdicts, ['idle']);
  });

  it(`reports a wall clock that ran ahead by more than 15 s ${covers('F31', 'unit')}`, () => {
    const watch = watched();
    watch.tick(1000, 15_900);
    watch.tick(1000, 15_900);
    assert.deepEqual(watch.verdicts, []);
    watch.tick(1000, 16_100);
    assert.deepEqual(watch.verdicts, ['slept']);
  });

  it(`ignores a wall clock that was set back ${covers('F32', 'unit')}`, () => {
    const watch = watched();
    watch.tick(1000, -86_400_000);
    watch.tick();
    assert.deepEqual(watch.verdicts, []);
  });

  it(`leaves no timer behind ${covers('F34', 'unit')}`, () => {
    const watch = watched();
    watch.tick();
    watch.end();
    assert.isFalse(watch.isTicking());
  });
});
