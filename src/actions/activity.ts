import { cleanupText } from '../api/cleanupBody';
import type { ControlPlaneClient } from '../api/client';
import { type EntryChange, newLease } from './activityLog';
import { type ActivityServices, createGeneration, type Generation } from './activitySession';
import { canSendAgain, runCleanUp } from './cleanUp';
import {
  type CleanUpEntry,
  type Entry,
  type EntryConnection,
  isUnsettled,
  type PreviewReportingEntry,
  type SyncEntry,
} from './entries';
import { type EnvironmentTarget, lookBefore } from './environment';
import { canWatchAgain } from './run';
import { runPreviewReporting } from './sendAction';
import { runSync } from './sync';

export interface ActivityChange extends EntryChange {
  /** Whether this window works on it. */
  readonly isHere: boolean;
}

export type NewCleanUp = Pick<CleanUpEntry, 'serverId' | 'serverName' | 'items'>;
export interface NewSync extends EnvironmentTarget {
  /** Asked for once the environment was looked at, which may have told its name. */
  readonly names: () => Pick<SyncEntry, 'sourceName' | 'environmentName'>;
}

/** What was started from here on the open connection, and what became of it. */
export interface Activity {
  /** Newest first; empty without a connection. */
  readonly entries: readonly Entry[];
  find(id: string): Entry | undefined;
  /** How many are on their way or watched, in any window. */
  readonly running: number;
  /** Whether this window works on an entry. */
  isHere(id: string): boolean;
  /** Makes a connection the one that things are started on, and goes on with what it left off. */
  open(connection: EntryConnection, client: ControlPlaneClient): Promise<void>;
  /** Aborts what is under way; its entries stay with their connection. Resolves when that is kept. */
  close(): Promise<void>;
  /** Looks at what other windows have done. */
  refresh(): Promise<void>;
  /**
   * Keeps a clean-up and then sends it. Resolves with the id of its entry once it is kept.
   *
   * @throws where it cannot be kept, or there is no connection: nothing is sent then.
   */
  cleanUp(request: NewCleanUp): Promise<string>;
  /**
   * Looks at what is deployed, keeps the sync and then sends it. Resolves with the id of its entry once
   * it is kept, and with undefined where `signal` was aborted before: nothing is sent then.
   *
   * @throws as `cleanUp`.
   */
  sync(request: NewSync, signal: AbortSignal): Promise<string | undefined>;
  /** @throws as `cleanUp`. */
  retryPreviewReporting(): Promise<string>;
  /** Stops watching, and sending again; the server goes on. */
  stop(id: string): void;
  /** Watches an accepted operation, or what a sync deployed, again. */
  watchAgain(id: string): void;
  /** Sends a clean-up of unknown outcome again, with the same key: a person has said so. */
  sendAgain(id: string): void;
  /** Takes an entry that nobody works on off the list. */
  remove(id: string): Promise<void>;
  /**
   * Told of each entry that is new, other or gone, and without a change where all are others. Returns
   * what ends the subscription. Listeners do not throw.
   */
  onDidChange(listener: (change: ActivityChange | undefined) => void): () => void;
}

export function createActivity(services: ActivityServices): Activity {
  const { clock, newId, window, workspace } = services;
  const listeners = new Set<(change: ActivityChange | undefined) => void>();
  let current: Generation | undefined;

  function publish(change: ActivityChange | undefined): void {
    [...listeners].forEach((listener) => listener(change));
  }

  function generationOf(connection: EntryConnection, client: ControlPlaneClient): Generation {
    const made: Generation = createGeneration(connection, client, services, (change) => {
      if (made !== current) return;
      const id = (change.entry ?? change.previous)?.id ?? '';
      publish({ ...change, isHere: made.runs.has(id) });
    });
    return made;
  }

  function opened(): Generation {
    if (current === undefined) throw new Error('There is no connection.');
    return current;
  }

  /** Acts on an entry that nobody works on; on one that has just come to an end once that is kept. */
  async function onFree(id: string, act: (of: Generation, entry: Entry) => unknown): Promise<void> {
    const ended = current?.book.find(id);
    const run = current?.runs.get(id);
    if (run !== undefined && ended !== undefined && !isUnsettled(ended)) await run.done;
    const entry = current?.book.find(id);
    if (current === undefined || entry === undefined || !current.isFree(entry)) return;
    await act(current, entry);
  }

  function base({ connection: { name, baseUrl } }: Generation) {
    return {
      id: newId(),
      connection: { name, baseUrl },
      at: clock.now(),
      lease: newLease(window, clock),
      progress: { kind: 'sending' },
    } as const;
  }

  /** Keeps a new entry; the request may be sent only then, and only on the same connection. */
  async function keep({ book, signal }: Generation, entry: Entry): Promise<void> {
    signal.throwIfAborted();
    await book.add(entry);
    if (!isOver(signal)) return;
    await book.remove(entry.id);
    signal.throwIfAborted();
  }

  /** Everything that was left is kept: who opens a connection again finds it as it stands. */
  let kept: Promise<unknown> = Promise.resolve();
  async function closeCurrent(): Promise<void> {
    const of = current;
    current = undefined;
    if (of !== undefined) {
      publish(undefined);
      kept = Promise.all([kept, of.close()]);
    }
    await kept;
  }

  return {
    get entries() {
      return current?.book.all ?? [];
    },
    find: (id) => current?.book.find(id),
    get running() {
      return (current?.book.all ?? []).filter(isUnsettled).length;
    },
    isHere: (id) => current?.runs.has(id) ?? false,
    async open(connection, client) {
      let of = current;
      if (of === undefined || !isSame(of, connection, client)) {
        // What is new is there at once; what was there before is kept before the new one looks for it.
        const closing = closeCurrent();
        of = current = generationOf(connection, client);
        publish(undefined);
        await closing;
      }
      await of.goOn();
    },
    close: closeCurrent,
    async refresh() {
      await current?.look();
    },
    async cleanUp(request) {
      const of = opened();
      const body = cleanupText(request.items);
      const own = { kind: 'cleanUp', idempotencyKey: newId(), body } as const;
      const entry: CleanUpEntry = { ...base(of), ...request, ...own };
      await keep(of, entry);
      of.start(entry, (tracked, context) => runCleanUp(tracked, of.cleanUpContext(context)));
      return entry.id;
    },
    async sync({ names, ...target }, signal) {
      const of = opened();
      const before = await lookBefore(workspace.store, target, clock, signal).catch(
        (error: unknown) => {
          if (!signal.aborted) throw error;
        },
      );
      if (isOver(signal)) return undefined;
      const seen = before === undefined ? {} : { before };
      const own = { kind: 'sync', ...target, ...names(), ...seen, deployments: [] } as const;
      const entry: SyncEntry = { ...base(of), ...own };
      await keep(of, entry);
      if (isOver(signal)) {
        await of.book.remove(entry.id);
        return undefined;
      }
      of.start(entry, (tracked, context) => runSync(tracked, { ...context, ...workspace }));
      return entry.id;
    },
    async retryPreviewReporting() {
      const of = opened();
      const entry: PreviewReportingEntry = { ...base(of), kind: 'previewReporting' };
      await keep(of, entry);
      of.start(entry, runPreviewReporting);
      return entry.id;
    },
    stop: (id) => current?.runs.get(id)?.stop(),
    watchAgain(id) {
      void onFree(id, (of, entry) => {
        if (!canWatchAgain(entry)) return;
        of.pollAgain();
        of.resume(entry, { kind: 'following' });
      });
    },
    sendAgain(id) {
      if (current?.answer(id, 'send')) return;
      void onFree(id, (of, entry) => {
        if (entry.kind !== 'cleanUp' || !canSendAgain(entry)) return;
        of.start(entry, async (tracked, context) => {
          await tracked.set({ ...tracked.entry, progress: { kind: 'sending' } });
          await runCleanUp(tracked, of.cleanUpContext(context), true);
        });
      });
    },
    async remove(id) {
      // Whoever takes it off the list does not want to be asked about it any longer.
      current?.answer(id, 'leave');
      await onFree(id, (of) => of.book.remove(id));
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isSame(of: Generation, { name, baseUrl }: EntryConnection, client: unknown): boolean {
  return of.client === client && of.connection.name === name && of.connection.baseUrl === baseUrl;
}

/** Asked again after each wait, since it may have changed meanwhile. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}
