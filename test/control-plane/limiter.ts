import { type Clock, minute, RateLimiter } from '../../src/base/clock';
import { getOrMake } from '../../src/base/maps';
import type { Unkindness } from './unkind';

const most = 10_000;

/**
 * Limits how often a key, and all keys together, may send requests: returns the milliseconds until a
 * request of a key may be sent, or 0 if it counts, and may be answered.
 */
export function createLimiter(clock: Clock, unkind: Unkindness): (key: string) => number {
  const workspace = new RateLimiter(clock, most, minute);
  const keys = new Map<string, RateLimiter>();
  return (key) => {
    const { perMinute } = unkind;
    if (perMinute === undefined) return 0;
    const own = getOrMake(keys, key, () => new RateLimiter(clock, most, minute));
    const wait = Math.max(own.freeIn(perMinute.key), workspace.freeIn(perMinute.workspace));
    if (wait > 0) return wait;
    own.spend();
    workspace.spend();
    return 0;
  };
}
