import type { Clock } from '../base/clock';

/** Limits how often something is done. */
interface RateLimiter {
  /**
   * Milliseconds until it may be done again; 0: now.
   *
   * @param most a lower limit for this once.
   */
  freeIn(most?: number): number;
  /** Counts that it is done now, even if it may not. */
  take(): void;
}

/** @param times the limit within any `ms` milliseconds. */
export function createRateLimiter(clock: Clock, times: number, ms: number): RateLimiter {
  /** When it was done in the last `ms` milliseconds, the oldest first. */
  const spent: number[] = [];
  return {
    freeIn(most = times) {
      const now = clock.monotonic();
      while ((spent[0] ?? now) <= now - ms) spent.shift();
      const earliest = spent.at(-most);
      return earliest === undefined ? 0 : earliest + ms - now;
    },
    take() {
      spent.push(clock.monotonic());
      if (spent.length > times) spent.shift();
    },
  };
}
