import { type Clock, minute, RateLimiter } from '../../src/base/clock';
import type { Unkindness } from './unkind';

/** Limits how often a key, and all keys together, may send requests. */
export interface Limiter {
  /** Milliseconds until a request of this key may be sent; 0: it counts, and may be answered. */
  take(key: string): number;
}

const mostPerMinute = 10_000;

export function createLimiter(clock: Clock, unkind: Unkindness): Limiter {
  const workspace = new RateLimiter(clock, mostPerMinute, minute);
  const keys = new Map<string, RateLimiter>();
  return {
    take(key) {
      const { perMinute } = unkind;
      if (perMinute === undefined) return 0;
      const own = keys.get(key) ?? new RateLimiter(clock, mostPerMinute, minute);
      keys.set(key, own);
      const wait = Math.max(own.freeIn(perMinute.key), workspace.freeIn(perMinute.workspace));
      if (wait > 0) return wait;
      own.take();
      workspace.take();
      return 0;
    },
  };
}
