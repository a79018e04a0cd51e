import type { ControlPlaneClient } from '../api/client';
import type { Clock } from '../api/clock';
import { ConnectionLeftError } from '../api/errors';
import type { Polling } from '../inventory/polling';
import type { Store } from '../inventory/store';
import {
  createEntryBook,
  type EntryBook,
  type EntryChange,
  type EntryStore,
  isHeldElsewhere,
} from './activityLog';
import { type CleanUpContext, resumeCleanUp, type UnknownAnswer } from './cleanUp';
import {
  type CleanUpEntry,
  type Entry,
  type EntryConnection,
  isUnsettled,
  type Progress,
} from './entries';
import { isResumable, isSignedOut, type Run, type RunContext, startRun, type Tracked } from './run';
import { resumeSync } from './sync';

export interface ActivityServices {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** A new random UUID. */
  readonly newId: () => string;
  /** What tells this window from all others that ever were. */
  readonly window: string;
  readonly entries: EntryStore;
  /** What is known of the workspace of the open connection, and how it is kept fresh. */
  readonly workspace: { readonly store: Store; readonly polling: Pick<Polling, 'hurry' | 'turn'> };
  /** Asks a person whether a clean-up of which no answer came is to be sent again, with its key. */
  readonly ask: (entry: CleanUpEntry, signal: AbortSignal) => Promise<UnknownAnswer>;
  /** Told of what could not be kept while something was under way. */
  readonly onStoreFailure: (error: unknown) => void;
}

/** What is done with an entry. */
type Work<E extends Entry> = (tracked: Tracked<E>, context: RunContext) => Promise<void>;

/** The entries of one connection, as long as it is open, and who works on them. */
export interface Generation {
  readonly connection: EntryConnection;
  readonly client: ControlPlaneClient;
  readonly book: EntryBook;
  /** Aborted by `close`. */
  readonly signal: AbortSignal;
  readonly runs: ReadonlyMap<string, Run>;
  /** Whether nobody works on it, here or elsewhere. */
  isFree(entry: Entry): boolean;
  /** Works on an entry, unless somebody does so here. */
  start<E extends Entry>(entry: E, work: Work<E>): void;
  cleanUpContext(context: RunContext): CleanUpContext;
  /** Answers the question about an entry, wherever else it is still asked; false where none is. */
  answer(id: string, answer: UnknownAnswer): boolean;
  /** @param progress what it is to go on from; what it is at, if that is left out. */
  resume(entry: Entry, progress?: Progress): void;
  /** Goes on with what other windows, or this one before its end, left off. */
  goOn(): Promise<void>;
  /** Looks at what other windows have done. */
  look(): Promise<void>;
  /** Forgets that the server has no endpoint for polling. */
  pollAgain(): void;
  /** Aborts everything; resolves when that is kept. */
  close(): Promise<void>;
}

/** How often entries that other windows work on are looked at. */
const lookEvery = 5_000;

export function createGeneration(
  connection: EntryConnection,
  client: ControlPlaneClient,
  services: ActivityServices,
  onDidChange: (change: EntryChange) => void,
): Generation {
  const { clock, random, window, entries: store, workspace, onStoreFailure } = services;
  const controller = new AbortController();
  const { signal } = controller;
  const book = createEntryBook({ connection, store, onStoreFailure, onDidChange });
  const runs = new Map<string, Run>();
  const polling = { isOff: false };
  /** Who waits for a person's answer about an entry. */
  const questions = new Map<string, (answer: UnknownAnswer) => void>();
  let cancelTimer: (() => void) | undefined;

  function run<E extends Entry>(entry: E, work: Work<E>, isLeftOff: boolean): void {
    const { id } = entry;
    if (runs.has(id) || signal.aborted) return;
    const onMistake = onStoreFailure;
    const given = { client, clock, random, window, store, book, isLeftOff, signal, onMistake };
    const started = startRun(entry, given, work);
    runs.set(id, started);
    void started.done.then(() => {
      runs.delete(id);
      watchOthers();
    });
  }

  function start<E extends Entry>(entry: E, work: Work<E>): void {
    run(entry, work, false);
  }

  function takeUp<E extends Entry>(entry: E, work: Work<E>): void {
    run(entry, work, true);
  }

  function cleanUpContext(context: RunContext): CleanUpContext {
    const { lifetime } = context;
    async function ask(entry: CleanUpEntry): Promise<UnknownAnswer> {
      const elsewhere = new Promise<UnknownAnswer>((resolve) => questions.set(entry.id, resolve));
      try {
        return await Promise.race([services.ask(entry, lifetime), elsewhere, endOf(lifetime)]);
      } finally {
        questions.delete(entry.id);
      }
    }
    return { ...context, polling, ask, turn: (until) => workspace.polling.turn(until) };
  }

  function resume(entry: Entry, progress = entry.progress): void {
    async function from<E extends Entry>(tracked: Tracked<E>): Promise<void> {
      if (progress !== entry.progress) await tracked.set({ ...tracked.entry, progress });
    }
    switch (entry.kind) {
      case 'cleanUp':
        takeUp(entry, async (tracked, context) => {
          await from(tracked);
          await resumeCleanUp(tracked, cleanUpContext(context));
        });
        break;
      case 'sync':
        takeUp(entry, async (tracked, context) => {
          await from(tracked);
          await resumeSync(tracked, { ...context, ...workspace });
        });
        break;
      case 'previewReporting':
        // Never sent again by itself, and there is nothing to ask for.
        takeUp(entry, (tracked) =>
          tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } }),
        );
    }
  }

  function isFree(entry: Entry): boolean {
    const { id } = entry;
    return !runs.has(id) && !isHeldElsewhere(entry, window, clock);
  }

  /** Goes on with what nobody works on. */
  function takeOver(wanted: (entry: Entry) => boolean): void {
    if (signal.aborted) return;
    for (const entry of book.all) {
      if (!wanted(entry) || !isFree(entry)) continue;
      resume(entry, isSignedOut(entry) ? { kind: 'following' } : undefined);
    }
  }

  async function look(): Promise<void> {
    await book.merge((id) => runs.has(id));
    watchOthers();
  }

  /** As long as other windows work on something: they may end, or tell of its end. */
  function watchOthers(): void {
    const hasOthers = book.all.some((entry) => isUnsettled(entry) && !runs.has(entry.id));
    if (!hasOthers || cancelTimer !== undefined || signal.aborted) return;
    cancelTimer = clock.setTimer(() => {
      cancelTimer = undefined;
      void look().then(() => takeOver(isUnsettled));
    }, lookEvery);
  }

  return {
    connection,
    client,
    book,
    signal,
    runs,
    isFree,
    start,
    cleanUpContext,
    answer(id, answer) {
      const resolve = questions.get(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
    resume,
    look,
    async goOn() {
      await look();
      takeOver(isResumable);
    },
    pollAgain() {
      polling.isOff = false;
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
