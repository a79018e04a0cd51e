import { type Clock, hour } from '../base/clock';
import { type ActivityEntry, type CleanUpEntry, isUnsettled, type Lease } from './activityEntry';

/*
 * Decides which window resumes an entry. A lease makes sure that the user is asked and notified in one
 * window only. Correctness does not depend on it: the idempotency key prevents a second clean-up, and
 * watching twice does no harm.
 */

/** How long a lease is valid, in milliseconds. */
const leaseTime = 15_000;
/** How often a lease is renewed, in milliseconds. A window may miss two renewals. */
export const renewEvery = 5_000;
/** How long to wait for the claims of windows that open at the same time, in milliseconds. */
export const settleTime = 1_000;

export function newLease(window: string, clock: Clock): Lease {
  return { window, until: clock.now() + leaseTime };
}

/** Whether another window has a valid lease. One that is longer than `leaseTime` is not valid. */
export function isHeldElsewhere({ lease }: ActivityEntry, window: string, clock: Clock): boolean {
  if (lease === undefined || lease.window === window) return false;
  const left = lease.until - clock.now();
  return left > 0 && left <= leaseTime;
}

/** Whether a window that opens the connection resumes the entry, if no window works on it. */
export function isResumable(entry: ActivityEntry): boolean {
  return isUnsettled(entry) || isAskedAgain(entry) || isSignedOut(entry);
}

/** Whether the user must decide how to continue, which only one window may ask. */
export function isAskedAbout({ kind, progress }: ActivityEntry): boolean {
  return kind === 'cleanUp' && (progress.kind === 'sending' || progress.kind === 'unknown');
}

/** Whether it is a clean-up of unknown outcome that the user has not decided about. */
function isAskedAgain({ kind, progress }: ActivityEntry): boolean {
  return kind === 'cleanUp' && progress.kind === 'unknown' && progress.why !== 'noAnswer';
}

/** Whether watching ended because the key was missing or refused. A new connection has a key. */
export function isSignedOut(entry: ActivityEntry): boolean {
  const { progress } = entry;
  if (progress.kind !== 'left' || progress.why !== 'failed' || !canWatchAgain(entry)) return false;
  return progress.problem?.kind === 'signedOut' || progress.problem?.status === 401;
}

/** Whether it is no longer watched, but could be. */
export function canWatchAgain(entry: ActivityEntry): boolean {
  if (entry.progress.kind !== 'left') return false;
  switch (entry.kind) {
    case 'cleanUp':
      return entry.operationId !== undefined;
    case 'sync':
      return true;
    case 'previewReporting':
      return false;
  }
}

/** What to do with a clean-up of unknown outcome. Undefined if the question was dismissed. */
export type ResendChoice = 'send' | 'leave' | undefined;

/** Whether the same request can be sent again after the user confirms it. */
export function canSendAgain({ kind, progress }: ActivityEntry): boolean {
  return kind === 'cleanUp' && progress.kind === 'unknown';
}

/** In milliseconds. The API document does not say how long the server knows an idempotency key. */
const keyLife = 24 * hour;

/** Whether the key is so old that sending a clean-up again could start a second one. */
export function mayBeForgotten({ at }: CleanUpEntry, now: number): boolean {
  return now - at > keyLife || now < at;
}
