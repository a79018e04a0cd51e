import type { ControlPlaneClient } from '../api/client';
import { untilAborted } from '../base/clock';
import { ConnectionEndedError } from '../api/errors';
import { type ActionContext, type ActionRun, type ActionSteps, startRun } from './actionRun';
import {
  type ActivityChange,
  type ActivityConnection,
  type ActivityEntry,
  type CleanUpEntry,
  type EntryBase,
  isUnsettled,
} from './activityEntry';
import { type ActivityLog, createActivityLog } from './activityLog';
import type { ActivityStorage } from './activityStorage';
import { resumeCleanUp, sendCleanUpAgain } from './cleanUp';
import {
  canSendAgain,
  canWatchAgain,
  isHeldElsewhere,
  isResumable,
  isSignedOut,
  newLease,
  type ResendChoice,
} from './resumePolicy';
import { resumePreviewReporting } from './sendAction';
import { resumeSync } from './sync';

export interface ActivityServices extends Pick<
  ActionContext,
  'clock' | 'random' | 'store' | 'polling' | 'ask'
> {
  /** The time of the control plane, in milliseconds since 1970. */
  readonly serverNow: () => number;
  /** A new random UUID. */
  readonly newId: () => string;
  /** A unique id of this window. */
  readonly window: string;
  readonly storage: ActivityStorage;
  /** Called if a running action could not be saved. */
  readonly onError: (error: unknown) => void;
}

/** The members of a new entry that depend on its kind. */
type NewEntry<E extends ActivityEntry> = Omit<E, keyof EntryBase>;

/** The activity of one connection while it is open. */
export interface ActivitySession {
  readonly connection: ActivityConnection;
  readonly client: ControlPlaneClient;
  readonly log: ActivityLog;
  /** Whether the action of an entry runs in this window. */
  isHere(id: string): boolean;
  /**
   * Saves a new entry and then starts its action. Resolves with the id of the entry.
   *
   * @throws the error of the storage, or the reason of the closed connection or of `cancelled`. Then
   *   nothing was started or saved.
   */
  begin<E extends ActivityEntry>(
    entry: NewEntry<E>,
    action: ActionSteps<E>,
    cancelled?: AbortSignal,
  ): Promise<string>;
  /** Resumes the entries that no window works on. */
  resume(): Promise<void>;
  /** Reads the changes of other windows. */
  readChanges(): Promise<void>;
  /** Stops watching and retrying. The operation continues on the server. */
  stop(id: string): void;
  /** Watches an accepted operation, or the deployments of a sync, again. */
  watchAgain(id: string): void;
  /** Sends a clean-up of unknown outcome again with the same key, because the user decided so. */
  sendAgain(id: string): void;
  /** Removes an entry that no window works on. */
  remove(id: string): Promise<void>;
  /** Aborts everything. Resolves when all entries are saved. */
  close(): Promise<void>;
}

/** How often entries of other windows are read, in milliseconds. */
const readEvery = 5_000;

export function createActivitySession(
  connection: ActivityConnection,
  client: ControlPlaneClient,
  services: ActivityServices,
  onDidChange: (change: ActivityChange) => void,
): ActivitySession {
  const { clock, window, storage, onError } = services;
  const controller = new AbortController();
  const { signal } = controller;
  const log = createActivityLog({
    connection,
    storage,
    onError,
    // After the connection is closed, its changes are not reported.
    onDidChange(change) {
      if (!signal.aborted) onDidChange(change);
    },
  });
  const runs = new Map<string, ActionRun>();
  /** Entries that are being saved. Their action starts next, so they must not be resumed. */
  const beginning = new Set<string>();
  const operations = { isPollingOff: false };
  const context = { ...services, client, operations, ask };
  /** Resolves the open question about an entry. */
  const questions = new Map<string, (answer: ResendChoice) => void>();
  let cancelTimer: (() => void) | undefined;

  /** Runs the action of an entry, unless it is already running in this window. */
  function run<E extends ActivityEntry>(
    entry: E,
    action: ActionSteps<E>,
    isResumed: boolean,
  ): void {
    const { id } = entry;
    if (runs.has(id) || signal.aborted) return;
    const options = { context, window, storage, log, isResumed, signal, onError };
    const started = startRun(entry, action, options);
    runs.set(id, started);
    void started.done.then(() => {
      runs.delete(id);
      watchOthers();
    });
  }

  async function ask(entry: CleanUpEntry, lifetime: AbortSignal): Promise<ResendChoice> {
    const elsewhere = new Promise<ResendChoice>((resolve) => questions.set(entry.id, resolve));
    try {
      return await untilAborted(Promise.race([services.ask(entry, lifetime), elsewhere]), lifetime);
    } finally {
      questions.delete(entry.id);
    }
  }

  function resumeEntry(entry: ActivityEntry): void {
    switch (entry.kind) {
      case 'cleanUp':
        run(entry, resumeCleanUp, true);
        break;
      case 'sync':
        run(entry, resumeSync, true);
        break;
      case 'previewReporting':
        run(entry, resumePreviewReporting, true);
    }
  }

  function asFollowing(entry: ActivityEntry): ActivityEntry {
    return { ...entry, progress: { kind: 'following' }, endedAt: undefined };
  }

  function isOurs(id: string): boolean {
    return runs.has(id) || beginning.has(id);
  }

  function isFree(entry: ActivityEntry): boolean {
    return !isOurs(entry.id) && !isHeldElsewhere(entry, window, clock);
  }

  /** Resumes the matching entries that no window works on. */
  function resumeFree(wanted: (entry: ActivityEntry) => boolean): void {
    if (signal.aborted) return;
    for (const entry of log.all) {
      if (wanted(entry) && isFree(entry))
        resumeEntry(isSignedOut(entry) ? asFollowing(entry) : entry);
    }
  }

  async function readChanges(): Promise<void> {
    await log.merge(isOurs);
    watchOthers();
  }

  /** Reads the entries of other windows while these have running ones: they may finish or crash. */
  function watchOthers(): void {
    const hasOthers = log.all.some((entry) => isUnsettled(entry) && !isOurs(entry.id));
    if (!hasOthers || cancelTimer !== undefined || signal.aborted) return;
    cancelTimer = clock.setTimer(() => {
      cancelTimer = undefined;
      void readChanges().then(() => resumeFree(isUnsettled));
    }, readEvery);
  }

  /** Acts on an entry that no window works on. If it has just ended, waits until that is saved. */
  async function onFree(id: string, act: (entry: ActivityEntry) => unknown): Promise<void> {
    const ended = log.find(id);
    if (ended !== undefined && !isUnsettled(ended)) await runs.get(id)?.done;
    const entry = log.find(id);
    if (entry !== undefined && isFree(entry) && !signal.aborted) await act(entry);
  }

  /** Answers the open question about an entry. Returns false if there is none. */
  function answer(id: string, given: ResendChoice): boolean {
    const resolve = questions.get(id);
    resolve?.(given);
    return resolve !== undefined;
  }

  return {
    connection,
    client,
    log,
    isHere: (id) => runs.has(id),
    async begin<E extends ActivityEntry>(
      own: NewEntry<E>,
      action: ActionSteps<E>,
      cancelled?: AbortSignal,
    ) {
      const { name, baseUrl } = connection;
      const base: EntryBase = {
        id: services.newId(),
        connection: { name, baseUrl },
        at: clock.now(),
        lease: newLease(window, clock),
        progress: { kind: 'sending' },
      };
      const entry = { ...base, ...own } as E;
      const ends = cancelled === undefined ? signal : AbortSignal.any([signal, cancelled]);
      ends.throwIfAborted();
      beginning.add(entry.id);
      try {
        await log.add(entry);
        if (ends.aborted) {
          await log.remove(entry.id);
          ends.throwIfAborted();
        }
        run(entry, action, false);
        return entry.id;
      } finally {
        beginning.delete(entry.id);
      }
    },
    async resume() {
      await readChanges();
      resumeFree(isResumable);
    },
    readChanges,
    stop: (id) => runs.get(id)?.stop(),
    watchAgain(id) {
      void onFree(id, (entry) => {
        if (!canWatchAgain(entry)) return;
        operations.isPollingOff = false;
        resumeEntry(asFollowing(entry));
      });
    },
    sendAgain(id) {
      if (answer(id, 'send')) return;
      void onFree(id, (entry) => {
        if (entry.kind === 'cleanUp' && canSendAgain(entry)) run(entry, sendCleanUpAgain, false);
      });
    },
    async remove(id) {
      // After the removal, the question is obsolete.
      answer(id, 'leave');
      await onFree(id, () => log.remove(id));
    },
    async close() {
      cancelTimer?.();
      controller.abort(new ConnectionEndedError());
      await Promise.all([...runs.values()].map(({ done }) => done));
    },
  };
}
