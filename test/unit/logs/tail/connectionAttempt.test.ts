import { assert } from 'chai';
import {
  IdleLimit,
  watchStream,
  type WatchVerdict,
} from '../../../../src/logs/tail/connectionAttempt';
import { covers } from '../../covers';

describe('the idle limit', () => {
  /** The limit for a stream that was opened at 0 s and had signs of life at these seconds. */
  const after = (...seconds: number[]): number => {
    const idle = new IdleLimit();
    idle.didConnect(0);
    for (const second of seconds) idle.didReceive(second * 1000);
    return idle.value;
  };
  /** Signs of life at equal distances, in seconds. */
  const every = (spacing: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => (index + 1) * spacing);

  it(`is 90 s until enough was learnt ${covers('F15', 'unit')}`, () => {
    assert.equal(after(), 90_000);
    assert.equal(after(0.01, 0.02, 0.03), 90_000, 'pieces of one page');
  });

  it(`is three times the longest silence, from 20 to 90 s ${covers('F15', 'unit')}`, () => {
    for (const [spacing, limit] of [
      [0.1, 20],
      [1, 20],
      [5, 20],
      [15, 45],
      [20, 60],
      [60, 90],
    ] as const) {
      assert.equal(
        after(...every(spacing, Math.max(3, 10 / spacing))),
        limit * 1000,
        `${spacing} s`,
      );
    }
    assert.equal(after(5, 15, 16, 17), 30_000);
  });

  it('forgets a silence after a while, and silences between connections', () => {
    assert.equal(after(25, ...every(1, 700).map((second) => 25 + second)), 20_000);
    assert.equal(after(25, ...every(1, 280).map((second) => 25 + second)), 75_000);
    const idle = new IdleLimit();
    idle.didConnect(0);
    idle.didReceive(6000);
    idle.didConnect(60_000);
    idle.didReceive(61_000);
    assert.equal(idle.value, 20_000);
  });

  it('grows when a stream was given up, because it may have been healthy', () => {
    const idle = new IdleLimit();
    idle.didConnect(0);
    every(0.1, 100).forEach((second) => idle.didReceive(second * 1000));
    idle.didReceive(30_000);
    assert.equal(idle.value, 60_000);
  });
});

describe('the watch over a stream', () => {
  it(`lets a blocked event loop first read what arrived meanwhile ${covers('F37', 'unit')}`, () => {
    let now = 0;
    let heardAt = 0;
    let look: (() => void) | undefined;
    const verdicts: WatchVerdict[] = [];
    const setTimer = (next: () => void) => {
      look = next;
      return () => undefined;
    };
    watchStream(
      { now: () => now, monotonic: () => now, setTimer },
      () => ({ lasts: now - heardAt, limit: 90_000 }),
      (verdict) => verdicts.push(verdict),
    );
    /** How late the next look comes. */
    const tick = (ms: number): void => {
      now += ms;
      look?.();
    };
    tick(120_000);
    assert.deepEqual(verdicts, []);
    heardAt = now;
    tick(1000);
    assert.deepEqual(verdicts, []);
    tick(120_000);
    tick(1000);
    assert.deepEqual(verdicts, ['idle']);
  });
});
