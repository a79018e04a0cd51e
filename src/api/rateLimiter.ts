import type { Clock } from './clock';

/** Limits how often something is done. */
interface RateLimiter {
  /** Milliseconds until it may be done again; 0: now. */
  freeIn(): number;
  /** Counts that it is done now, even if it may not. */
  take(): void;
}

/** @param times the limit within any `ms` milliseconds. */
export function createRateLimiter(clock: Clock, times: number, ms: number): RateLimiter {
  /** When it was done in the last `ms` milliseconds, the oldest first. */
  let spent: readonly number[] = [];
  const recent = (now: number): readonly number[] => (spent = spent.filter((at) => at > now - ms));
  return {
    freeIn() {
      const now = clock.monotonic();
      const earliest = recent(now).at(-times);
      return earliest === undefined ? 0 : earliest + ms - now;
    },
    take() {
      const now = clock.monotonic();
      spent = [...recent(now), now];
    },
  };
}
