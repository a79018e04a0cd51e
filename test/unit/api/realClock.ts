import type { Clock } from '../../../src/api/clock';

/** Time as it passes. */
export const realClock: Clock = fastClock(1);

/** Real time, so many times faster: waits of the rules become short, sockets stay real. */
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
