import type { ControlPlaneClient } from '../api/client';
import { type Clock, delay, onAbort } from '../base/clock';
import type { Polling } from '../data/polling';
import type { Store } from '../data/store';
import { type ActivityEntry, type CleanUpEntry, isUnsettled } from './activityEntry';
import type { ActivityLog } from './activityLog';
import { type ActivityStorage, readActivityEntry } from './activityStorage';
import {
  isAskedAbout,
  isHeldElsewhere,
  newLease,
  renewEvery,
  settleTime,
  type ResendChoice,
} from './resumePolicy';

/** An entry that an action works on. */
export interface TrackedEntry<E extends ActivityEntry> {
  /** The current state. */
  readonly entry: E;
  /** Updates the entry. Resolves when it is saved, or when saving failed, which is reported. */
  set(entry: E): Promise<void>;
}

/** What all actions need. */
export interface ActionContext {
  readonly client: ControlPlaneClient;
  readonly clock: Clock;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** The data of the connection, and what refreshes it. */
  readonly store: Store;
  readonly polling: Pick<Polling, 'prioritize'>;
  /** `isPollingOff` is set when the server turns out to have no endpoint for operations. */
  readonly operations: { isPollingOff: boolean };
  /**
   * Asks the user whether to send a clean-up without a response again, with its key.
   *
   * @throws the reason of `lifetime`.
   */
  readonly ask: (entry: CleanUpEntry, lifetime: AbortSignal) => Promise<ResendChoice>;
  /** Aborted when the connection or the window closes. The entry stays as it is and is resumed later. */
  readonly lifetime: AbortSignal;
  /** Aborted when the user stops the action, and with `lifetime`. */
  readonly stop: AbortSignal;
  /** A `stop` for what the user wants after all; it replaces the one before. */
  readonly newStop: () => AbortSignal;
}

/** Performs the action of an entry. */
export type ActionSteps<E extends ActivityEntry> = (
  tracked: TrackedEntry<E>,
  context: ActionContext,
) => Promise<void>;

/** An action that is running in this window. */
export interface ActionRun {
  /** Stops the action because the user does not want to wait any longer. */
  stop(): void;
  /** Resolves when the action has ended and its end is saved. Never rejects. */
  readonly done: Promise<void>;
}

interface ActionRunOptions {
  readonly context: Omit<ActionContext, 'lifetime' | 'stop' | 'newStop'>;
  /** A unique id of this window. */
  readonly window: string;
  readonly storage: ActivityStorage;
  readonly log: ActivityLog;
  /** Whether it resumes an entry. Other windows may try the same at the same time. */
  readonly isResumed: boolean;
  /** Ends the run and leaves its entry unchanged. */
  readonly signal: AbortSignal;
  /** Called with an unexpected error of an action. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs the action of an entry and holds its lease meanwhile, so that no other window runs it too. Ends
 * if another window took the entry over, which can happen while this machine sleeps.
 */
export function startRun<E extends ActivityEntry>(
  first: E,
  action: ActionSteps<E>,
  { context, window, storage, log, isResumed, signal, onError }: ActionRunOptions,
): ActionRun {
  const { clock } = context;
  const lifetime = new AbortController();
  let stop = new AbortController();
  const newStop = (): AbortSignal => {
    if (!lifetime.signal.aborted) stop = new AbortController();
    return stop.signal;
  };
  const end = (): void => {
    lifetime.abort();
    stop.abort();
  };
  const release = onAbort(signal, end);

  let entry = first;
  let isTaken = false;
  const save = (next: E): Promise<void> =>
    log.set((entry = { ...next, lease: newLease(window, clock) }));
  const tracked: TrackedEntry<E> = {
    get entry() {
      return entry;
    },
    set: (next) => save({ ...next, endedAt: endOf(entry, next, clock) }),
  };
  const read = async (): Promise<ActivityEntry | undefined> =>
    readActivityEntry(await storage.read(first.id));
  function giveUp(): void {
    isTaken = true;
    end();
  }

  let cancelRenewal = clock.setTimer(renew, renewEvery);
  function renew(): void {
    cancelRenewal = clock.setTimer(renew, renewEvery);
    void read().then((stored) => {
      if (lifetime.signal.aborted) return;
      if (stored !== undefined && isHeldElsewhere(stored, window, clock)) giveUp();
      else void save(entry);
    });
  }

  /**
   * Claims the entry for this window. If the user must be asked, waits until other windows could claim
   * it too: the last one gets it. A window that cannot write its claim does not ask.
   */
  async function claim(): Promise<void> {
    await save(entry);
    if (!isAskedAbout(entry)) return;
    await delay(clock, settleTime, lifetime.signal);
    if ((await read())?.lease?.window !== window) giveUp();
    lifetime.signal.throwIfAborted();
  }

  async function run(): Promise<void> {
    try {
      if (isResumed) await claim();
      await action(tracked, { ...context, lifetime: lifetime.signal, stop: stop.signal, newStop });
    } catch (error) {
      if (!lifetime.signal.aborted) onError(error);
    }
    lifetime.abort();
    cancelRenewal();
    release();
    if (!isTaken) await log.set({ ...entry, lease: undefined });
  }

  // Starts in the next microtask, so that listeners to its first change already find the run.
  return { stop: () => stop.abort(), done: Promise.resolve().then(run) };
}

/** When an entry ended, in wall-clock milliseconds. Undefined while it is running. */
function endOf(before: ActivityEntry, after: ActivityEntry, clock: Clock): number | undefined {
  if (isUnsettled(after)) return undefined;
  return isUnsettled(before) ? clock.now() : (before.endedAt ?? clock.now());
}
