import type { Clock } from '../api/clock';
import type { Entry, Lease } from './entries';

/**
 * Who looks after an entry. What is sent again is carried out once, by its idempotency key, and what is
 * watched twice does no harm; a lease is there so that a person is asked and told in one window.
 */

/** For how long a window that says nothing more is believed to be there, in milliseconds. */
const leaseTime = 15_000;
/** How often a lease is renewed: a window may miss that twice. */
export const renewEvery = 5_000;
/** How long the lease of another window that comes up at the same time may take to be written. */
export const settleTime = 1_000;

export function newLease(window: string, clock: Clock): Lease {
  return { window, until: clock.now() + leaseTime };
}

/** Whether another window looks after an entry. One that claims to for longer than any may is wrong. */
export function isHeldElsewhere({ lease }: Entry, window: string, clock: Clock): boolean {
  if (lease === undefined || lease.window === window) return false;
  const left = lease.until - clock.now();
  return left > 0 && left <= leaseTime;
}
