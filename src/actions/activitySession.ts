import type { ControlPlaneClient } from '../api/client';
import { ConnectionLeftError } from '../api/errors';
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
  type UnknownAnswer,
} from './resumePolicy';
import { resumePreviewReporting } from './sendAction';
import { resumeSync } from './sync';

export interface ActivityServices extends Pick<
  ActionContext,
  'clock' | 'random' | 'store' | 'polling' | 'ask'
> {
  /** A new random UUID. */
  readonly newId: () => string;
  /** What tells this window from all others that ever were. */
  readonly window: string;
  readonly storage: ActivityStorage;
  /** Told of what could not be kept while something was under way. */
  readonly onStorageFailure: (error: unknown) => void;
}

/** What is known of an entry when it is begun, besides what all have. */
export type NewEntry<E extends ActivityEntry> = Omit<E, keyof EntryBase>;

/** What was started on one connection, as long as it is open, and who works on it. */
export interface ActivitySession {
  readonly connection: ActivityConnection;
  readonly client: ControlPlaneClient;
  readonly log: ActivityLog;
  /** Whether this window works on an entry. */
  isHere(id: string): boolean;
  /**
   * Keeps a new entry and then works on it. Resolves with its id.
   *
   * @throws what the storage says, and the reason of a connection that was left or of `cancelled`:
   *   then nothing was begun, and nothing is kept.
   */
  begin<E extends ActivityEntry>(
    entry: NewEntry<E>,
    action: ActionSteps<E>,
    cancelled?: AbortSignal,
  ): Promise<string>;
  /** Goes on with what other windows, or this one before its end, left off. */
  resume(): Promise<void>;
  /** Looks at what other windows have done. */
  look(): Promise<void>;
  stop(id: string): void;
  watchAgain(id: string): void;
  sendAgain(id: string): void;
  remove(id: string): Promise<void>;
  /** Aborts everything; resolves when that is kept. */
  close(): Promise<void>;
}

/** How often entries that other windows work on are looked at. */
const lookEvery = 5_000;

export function createActivitySession(
  connection: ActivityConnection,
  client: ControlPlaneClient,
  services: ActivityServices,
  onDidChange: (change: ActivityChange) => void,
): ActivitySession {
  const { clock, window, storage, onStorageFailure } = services;
  const controller = new AbortController();
  const { signal } = controller;
  const log = createActivityLog({
    connection,
    storage,
    onStorageFailure,
    // What is left is told to nobody.
    onDidChange(change) {
      if (!signal.aborted) onDidChange(change);
    },
  });
  const runs = new Map<string, ActionRun>();
  /** Entries that are being kept: they are worked on next, and nothing that was left off. */
  const beginning = new Set<string>();
  const operations = { isPollingOff: false };
  const context = { ...services, client, operations, ask };
  /** Who waits for a person's answer about an entry. */
  const questions = new Map<string, (answer: UnknownAnswer) => void>();
  let cancelTimer: (() => void) | undefined;

  /** Works on an entry, unless somebody does so here. */
  function run<E extends ActivityEntry>(
    entry: E,
    action: ActionSteps<E>,
    isLeftOff: boolean,
  ): void {
    const { id } = entry;
    if (runs.has(id) || signal.aborted) return;
    const onMistake = onStorageFailure;
    const options = { context, window, storage, log, isLeftOff, signal, onMistake };
    const started = startRun(entry, action, options);
    runs.set(id, started);
    void started.done.then(() => {
      runs.delete(id);
      watchOthers();
    });
  }

  async function ask(entry: CleanUpEntry, lifetime: AbortSignal): Promise<UnknownAnswer> {
    const elsewhere = new Promise<UnknownAnswer>((resolve) => questions.set(entry.id, resolve));
    try {
      return await Promise.race([services.ask(entry, lifetime), elsewhere, endOf(lifetime)]);
    } finally {
      questions.delete(entry.id);
    }
  }

  function takeUp(entry: ActivityEntry): void {
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

  function watched(entry: ActivityEntry): ActivityEntry {
    return { ...entry, progress: { kind: 'following' }, endedAt: undefined };
  }

  function isOurs(id: string): boolean {
    return runs.has(id) || beginning.has(id);
  }

  function isFree(entry: ActivityEntry): boolean {
    return !isOurs(entry.id) && !isHeldElsewhere(entry, window, clock);
  }

  /** Goes on with what nobody works on. */
  function takeOver(wanted: (entry: ActivityEntry) => boolean): void {
    if (signal.aborted) return;
    for (const entry of log.all) {
      if (wanted(entry) && isFree(entry)) takeUp(isSignedOut(entry) ? watched(entry) : entry);
    }
  }

  async function look(): Promise<void> {
    await log.merge(isOurs);
    watchOthers();
  }

  /** As long as other windows work on something: they may end, or tell of its end. */
  function watchOthers(): void {
    const hasOthers = log.all.some((entry) => isUnsettled(entry) && !isOurs(entry.id));
    if (!hasOthers || cancelTimer !== undefined || signal.aborted) return;
    cancelTimer = clock.setTimer(() => {
      cancelTimer = undefined;
      void look().then(() => takeOver(isUnsettled));
    }, lookEvery);
  }

  /** Acts on an entry that nobody works on; on one that has just come to an end once that is kept. */
  async function onFree(id: string, act: (entry: ActivityEntry) => unknown): Promise<void> {
    const ended = log.find(id);
    if (ended !== undefined && !isUnsettled(ended)) await runs.get(id)?.done;
    const entry = log.find(id);
    if (entry !== undefined && isFree(entry) && !signal.aborted) await act(entry);
  }

  /** Answers the question about an entry, wherever else it is still asked; false where none is. */
  function answer(id: string, given: UnknownAnswer): boolean {
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
      await look();
      takeOver(isResumable);
    },
    look,
    stop: (id) => runs.get(id)?.stop(),
    watchAgain(id) {
      void onFree(id, (entry) => {
        if (!canWatchAgain(entry)) return;
        operations.isPollingOff = false;
        takeUp(watched(entry));
      });
    },
    sendAgain(id) {
      if (answer(id, 'send')) return;
      void onFree(id, (entry) => {
        if (entry.kind === 'cleanUp' && canSendAgain(entry)) run(entry, sendCleanUpAgain, false);
      });
    },
    async remove(id) {
      // Whoever takes it off the list does not want to be asked about it any longer.
      answer(id, 'leave');
      await onFree(id, () => log.remove(id));
    },
    async close() {
      cancelTimer?.();
      controller.abort(new ConnectionLeftError());
      await Promise.all([...runs.values()].map(({ done }) => done));
    },
  };
}

function endOf(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
