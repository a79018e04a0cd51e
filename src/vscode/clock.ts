import type { Clock } from '../api/clock';

/** The real time, in the Node.js host and in the web worker. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Lets other tasks run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
