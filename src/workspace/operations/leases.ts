import { delay, type Clock } from '../../api/clock';
import type { Entry, Lease } from './entries';
import type { EntryStore } from './entryStore';
import { readEntry } from './readEntry';

/** For how long a window that says nothing more is believed to be there, in milliseconds. */
const leaseTime = 15_000;
/** How often a lease is renewed: a window may miss that twice. */
export const renewEvery = 5_000;
/** After a claim: so long another window's claim may take to be written, up to twice that. */
const claimTime = 500;

export function newLease(window: string, clock: Clock): Lease {
  return { window, until: clock.now() + leaseTime };
}

/** Whether another window looks after an entry. One that claims to for longer than any may is wrong. */
export function isHeldElsewhere({ lease }: Entry, window: string, clock: Clock): boolean {
  if (lease === undefined || lease.window === window) return false;
  const left = lease.until - clock.now();
  return left > 0 && left <= leaseTime;
}

export interface ClaimOptions {
  readonly store: EntryStore;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** What tells this window from all others. */
  readonly window: string;
}

/**
 * Takes an entry over, so that of several windows that come up at the same time only one goes on with
 * it: says so, waits until the others have, and looks who was last. Undefined where it is another's or
 * gone. Should two windows believe to have it nevertheless, both send the same idempotency key.
 *
 * @throws the signal's reason.
 */
export async function claim(id: string, options: ClaimOptions): Promise<Entry | undefined> {
  const { store, clock, random, signal, window } = options;
  const before = readEntry(await store.read(id));
  signal.throwIfAborted();
  if (before === undefined || isHeldElsewhere(before, window, clock)) return undefined;
  const mine = { ...before, lease: newLease(window, clock) };
  try {
    await store.write(mine);
  } catch {
    // Nobody can hear of the claim, but what is not watched by anybody helps nobody.
    return mine;
  }
  await delay(clock, claimTime * (1 + random()), signal);
  const after = readEntry(await store.read(id));
  signal.throwIfAborted();
  return after?.lease?.window === window ? after : undefined;
}
