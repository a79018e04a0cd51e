import type { ControlPlaneClient } from '../api/client';
import { type Clock, delay } from '../api/clock';
import {
  type EntryBook,
  type EntryStore,
  isHeldElsewhere,
  newLease,
  renewEvery,
  settleTime,
} from './activityLog';
import { type Entry, isUnsettled } from './entries';
import { readEntry } from './readEntry';

/** An entry while somebody works on it. */
export interface Tracked<E extends Entry> {
  /** As it stands. */
  readonly entry: E;
  /** What is known now; resolves when it is stored, or could not be, of which others are told. */
  set(entry: E): Promise<void>;
}

/** What a run is given. */
export interface RunContext {
  readonly client: ControlPlaneClient;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Aborted with the connection or the window: the entry stays as it is and is resumed later. */
  readonly lifetime: AbortSignal;
  /** Aborted when nobody wants to wait any longer, and with `lifetime`. */
  readonly stop: AbortSignal;
}

/** Somebody working on an entry. */
export interface Run {
  /** Nobody wants to wait any longer. */
  stop(): void;
  /** Resolves when the work is over and that is kept; never rejects. */
  readonly done: Promise<void>;
}

export interface RunOptions {
  readonly client: ControlPlaneClient;
  readonly clock: Clock;
  readonly random: () => number;
  /** What tells this window from all others. */
  readonly window: string;
  readonly store: EntryStore;
  readonly book: EntryBook;
  /** Whether it goes on with what was left off, as other windows may want to do too. */
  readonly isLeftOff: boolean;
  /** Ends the run, without changing what is known of its entry. */
  readonly signal: AbortSignal;
  /** Told of an error that no run may have. */
  readonly onMistake: (error: unknown) => void;
}

/**
 * Works on an entry, and keeps other windows from it meanwhile. Ends by itself where one has taken it
 * over, as may happen while this machine sleeps.
 */
export function startRun<E extends Entry>(
  first: E,
  options: RunOptions,
  work: (tracked: Tracked<E>, context: RunContext) => Promise<void>,
): Run {
  const { client, clock, random, window, store, book, isLeftOff, signal } = options;
  const lifetime = new AbortController();
  const stop = new AbortController();
  const end = (): void => {
    lifetime.abort();
    stop.abort();
  };
  signal.addEventListener('abort', end);

  let entry = first;
  let isTaken = false;
  const keep = (next: E): Promise<void> => book.set((entry = next));
  const tracked: Tracked<E> = {
    get entry() {
      return entry;
    },
    set: (next) =>
      keep({ ...next, endedAt: endOf(entry, next, clock), lease: newLease(window, clock) }),
  };

  let cancelRenewal = clock.setTimer(renew, renewEvery);
  function renew(): void {
    cancelRenewal = clock.setTimer(renew, renewEvery);
    void store.read(entry.id).then((value) => {
      if (lifetime.signal.aborted) return;
      const kept = readEntry(value);
      if (kept !== undefined && isHeldElsewhere(kept, window, clock)) {
        isTaken = true;
        end();
      } else void keep({ ...entry, lease: newLease(window, clock) });
    });
  }

  /**
   * Says that this window goes on with it. If a person is to be asked, waits until others that say
   * so too are heard of: the last of them has it. One that cannot be heard asks nobody.
   */
  async function takeOver(): Promise<void> {
    await keep({ ...entry, lease: newLease(window, clock) });
    if (!isAskedAbout(entry)) return;
    await delay(clock, settleTime, lifetime.signal);
    const kept = readEntry(await store.read(entry.id));
    isTaken = kept?.lease?.window !== window;
    if (isTaken) end();
    lifetime.signal.throwIfAborted();
  }

  async function run(): Promise<void> {
    try {
      if (isLeftOff) await takeOver();
      const signals = { lifetime: lifetime.signal, stop: stop.signal };
      await work(tracked, { client, clock, random, ...signals });
    } catch (error) {
      if (!lifetime.signal.aborted) options.onMistake(error);
    }
    lifetime.abort();
    cancelRenewal();
    signal.removeEventListener('abort', end);
    if (!isTaken) await keep({ ...entry, lease: undefined });
  }

  // Begins in the next turn, so that whoever hears of its first step knows of the run.
  return { stop: () => stop.abort(), done: Promise.resolve().then(run) };
}

/** When an entry stopped being on its way or watched. */
function endOf(before: Entry, after: Entry, clock: Clock): number | undefined {
  if (isUnsettled(after)) return undefined;
  return isUnsettled(before) ? clock.now() : (before.endedAt ?? clock.now());
}

/** Whether somebody who opens the connection goes on with an entry that nobody works on. */
export function isResumable(entry: Entry): boolean {
  return isUnsettled(entry) || isAskedAgain(entry) || isSignedOut(entry);
}

/** Whether a person has to say how it goes on: that is to be asked in one window alone. */
function isAskedAbout({ kind, progress }: Entry): boolean {
  return kind === 'cleanUp' && (progress.kind === 'sending' || progress.kind === 'unknown');
}

/** A clean-up that was interrupted, and of which nobody has said what is to become. */
function isAskedAgain({ kind, progress }: Entry): boolean {
  return kind === 'cleanUp' && progress.kind === 'unknown' && progress.why === 'interrupted';
}

/** Whether watching ended for want of a key, and whoever opens a connection has one. */
export function isSignedOut(entry: Entry): boolean {
  const { progress } = entry;
  if (progress.kind !== 'left' || progress.why !== 'failed' || !canWatchAgain(entry)) return false;
  return progress.problem?.kind === 'signedOut' || progress.problem?.status === 401;
}

/** Whether there is something to watch that is not watched. */
export function canWatchAgain(entry: Entry): boolean {
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
