import type { ControlPlaneClient } from '../api/client';
import { type Clock, delay } from '../api/clock';
import type { Polling } from '../inventory/polling';
import type { Store } from '../inventory/store';
import { type ActivityEntry, type CleanUpEntry, isUnsettled } from './activityEntry';
import type { ActivityLog } from './activityLog';
import { type ActivityStorage, readActivityEntry } from './activityStorage';
import {
  isAskedAbout,
  isHeldElsewhere,
  newLease,
  renewEvery,
  settleTime,
  type UnknownAnswer,
} from './resumePolicy';

/** An entry while somebody works on it. */
export interface TrackedEntry<E extends ActivityEntry> {
  /** As it stands. */
  readonly entry: E;
  /** What is known now; resolves when it is stored, or could not be, of which others are told. */
  set(entry: E): Promise<void>;
}

/** What an action works with. */
export interface ActionContext {
  readonly client: ControlPlaneClient;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** What is known of the workspace of the connection, and how it is kept fresh. */
  readonly store: Store;
  readonly polling: Pick<Polling, 'prioritize' | 'turn'>;
  /** Whether the server is known to have no endpoint for operations; set once that is found out. */
  readonly operations: { isPollingOff: boolean };
  /** Asks a person whether a clean-up of which no answer came is to be sent again, with its key. */
  readonly ask: (entry: CleanUpEntry, lifetime: AbortSignal) => Promise<UnknownAnswer>;
  /** Aborted with the connection or the window: the entry stays as it is and is resumed later. */
  readonly lifetime: AbortSignal;
  /** Aborted when nobody wants to wait any longer, and with `lifetime`. */
  readonly stop: AbortSignal;
}

/** What is done with an entry. */
export type ActionSteps<E extends ActivityEntry> = (
  tracked: TrackedEntry<E>,
  context: ActionContext,
) => Promise<void>;

/** Somebody working on an entry. */
export interface ActionRun {
  /** Nobody wants to wait any longer. */
  stop(): void;
  /** Resolves when the work is over and that is kept; never rejects. */
  readonly done: Promise<void>;
}

export interface ActionRunOptions {
  readonly context: Omit<ActionContext, 'lifetime' | 'stop'>;
  /** What tells this window from all others. */
  readonly window: string;
  readonly storage: ActivityStorage;
  readonly log: ActivityLog;
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
export function startRun<E extends ActivityEntry>(
  first: E,
  action: ActionSteps<E>,
  { context, window, storage, log, isLeftOff, signal, onMistake }: ActionRunOptions,
): ActionRun {
  const { clock } = context;
  const lifetime = new AbortController();
  const stop = new AbortController();
  const end = (): void => {
    lifetime.abort();
    stop.abort();
  };
  signal.addEventListener('abort', end);

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
    void read().then((kept) => {
      if (lifetime.signal.aborted) return;
      if (kept !== undefined && isHeldElsewhere(kept, window, clock)) giveUp();
      else void save(entry);
    });
  }

  /**
   * Says that this window goes on with it. If a person is to be asked, waits until others that say
   * so too are heard of: the last of them has it. One that cannot be heard asks nobody.
   */
  async function takeOver(): Promise<void> {
    await save(entry);
    if (!isAskedAbout(entry)) return;
    await delay(clock, settleTime, lifetime.signal);
    if ((await read())?.lease?.window !== window) giveUp();
    lifetime.signal.throwIfAborted();
  }

  async function run(): Promise<void> {
    try {
      if (isLeftOff) await takeOver();
      await action(tracked, { ...context, lifetime: lifetime.signal, stop: stop.signal });
    } catch (error) {
      if (!lifetime.signal.aborted) onMistake(error);
    }
    lifetime.abort();
    cancelRenewal();
    signal.removeEventListener('abort', end);
    if (!isTaken) await log.set({ ...entry, lease: undefined });
  }

  // Begins in the next turn, so that whoever hears of its first step knows of the run.
  return { stop: () => stop.abort(), done: Promise.resolve().then(run) };
}

/** When an entry stopped being on its way or watched. */
function endOf(before: ActivityEntry, after: ActivityEntry, clock: Clock): number | undefined {
  if (isUnsettled(after)) return undefined;
  return isUnsettled(before) ? clock.now() : (before.endedAt ?? clock.now());
}
