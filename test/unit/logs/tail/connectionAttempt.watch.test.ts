import { assert } from 'chai';
import { covers } from '../../covers';
import { watchStream, type WatchVerdict } from '../../../../src/logs/tail/connectionAttempt';

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
