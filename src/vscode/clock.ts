import type { Clock } from '../api/clock';

/** The real time. `performance` and timers are there in the Node host and in the web worker. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Lets others have their turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
