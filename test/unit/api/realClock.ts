import type { Clock } from '../../../src/base/clock';

/** Real time. */
export const realClock: Clock = fastClock(1);

/** Real time, this many times faster: short waits with real sockets. */
export function fastClock(times: number): Clock {
  const start = Date.now();
  return {
    now: () => start + performance.now() * times,
    monotonic: () => performance.now() * times,
    setTimer(callback, ms) {
      const timer = setTimeout(callback, ms / times);
      return () => clearTimeout(timer);
    },
  };
}
