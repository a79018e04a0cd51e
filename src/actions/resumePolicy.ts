import { type Clock, hour } from '../api/clock';
import { type ActivityEntry, type CleanUpEntry, isUnsettled, type Lease } from './activityEntry';

/*
 * Who goes on with an entry, and with what. What is sent again is carried out once, by its idempotency
 * key, and what is watched twice does no harm; a lease is there so that a person is asked and told in
 * one window.
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
export function isHeldElsewhere({ lease }: ActivityEntry, window: string, clock: Clock): boolean {
  if (lease === undefined || lease.window === window) return false;
  const left = lease.until - clock.now();
  return left > 0 && left <= leaseTime;
}

/** Whether somebody who opens the connection goes on with an entry that nobody works on. */
export function isResumable(entry: ActivityEntry): boolean {
  return isUnsettled(entry) || isAskedAgain(entry) || isSignedOut(entry);
}

/** Whether a person has to say how it goes on: that is to be asked in one window alone. */
export function isAskedAbout({ kind, progress }: ActivityEntry): boolean {
  return kind === 'cleanUp' && (progress.kind === 'sending' || progress.kind === 'unknown');
}

/** A clean-up that was interrupted, and of which nobody has said what is to become. */
function isAskedAgain({ kind, progress }: ActivityEntry): boolean {
  return kind === 'cleanUp' && progress.kind === 'unknown' && progress.why === 'interrupted';
}

/** Whether watching ended for want of a key, and whoever opens a connection has one. */
export function isSignedOut(entry: ActivityEntry): boolean {
  const { progress } = entry;
  if (progress.kind !== 'left' || progress.why !== 'failed' || !canWatchAgain(entry)) return false;
  return progress.problem?.kind === 'signedOut' || progress.problem?.status === 401;
}

/** Whether there is something to watch that is not watched. */
export function canWatchAgain(entry: ActivityEntry): boolean {
  if (entry.progress.kind !== 'left') return false;
  switch (entry.kind) {
    case 'cleanUp':
      return entry.operationId !== undefined;
    case 'sync':
      return entry.before !== undefined;
    case 'previewReporting':
      return false;
  }
}

/** What a person wants done with a clean-up whose outcome is unknown; undefined: was not answered. */
export type UnknownAnswer = 'send' | 'leave' | undefined;

/** Whether the same request may be sent again, once a person has said so. */
export function canSendAgain({ kind, progress }: ActivityEntry): boolean {
  return kind === 'cleanUp' && progress.kind === 'unknown';
}

/** The server may have forgotten an idempotency key after this long: nothing says for how long it knows one. */
const keyLife = 24 * hour;

/** Whether sending a clean-up again could start a second one, since its key is old. */
export function mayBeForgotten({ at }: CleanUpEntry, now: number): boolean {
  return now - at > keyLife || now < at;
}
