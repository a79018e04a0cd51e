import { cleanupText } from '../api/cleanupBody';
import type { ControlPlaneClient } from '../api/client';
import {
  type ActivityChange,
  type ActivityConnection,
  type ActivityEntry,
  type CleanUpEntry,
  isUnsettled,
  type PreviewReportingEntry,
  type SyncEntry,
} from './activityEntry';
import {
  type ActivityServices,
  type ActivitySession,
  createActivitySession,
} from './activitySession';
import { runCleanUp } from './cleanUp';
import { type EnvironmentTarget, lookBefore } from './environmentDeployments';
import { runPreviewReporting } from './sendAction';
import { runSync } from './sync';

export type NewCleanUp = Pick<CleanUpEntry, 'serverId' | 'serverName' | 'items'>;
export interface NewSync extends EnvironmentTarget {
  /** Asked for once the environment was looked at, which may have told its name. */
  readonly names: () => Pick<SyncEntry, 'sourceName' | 'environmentName'>;
}

/** What was started from here on the open connection, and what became of it. */
export interface Activity {
  /** Newest first; empty without a connection. */
  readonly entries: readonly ActivityEntry[];
  find(id: string): ActivityEntry | undefined;
  /** How many are on their way or watched, in any window. */
  readonly running: number;
  /** Whether this window works on an entry. */
  isHere(id: string): boolean;
  /** Makes a connection the one that things are started on, and goes on with what it left off. */
  open(connection: ActivityConnection, client: ControlPlaneClient): Promise<void>;
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
  const { clock, newId, store } = services;
  const listeners = new Set<(change: ActivityChange | undefined) => void>();
  let current: ActivitySession | undefined;

  function publish(change: ActivityChange | undefined): void {
    [...listeners].forEach((listener) => listener(change));
  }

  function opened(): ActivitySession {
    if (current === undefined) throw new Error('There is no connection.');
    return current;
  }

  /** Everything that was left is kept: who opens a connection again finds it as it stands. */
  let kept: Promise<unknown> = Promise.resolve();
  async function closeCurrent(): Promise<void> {
    const session = current;
    current = undefined;
    if (session !== undefined) {
      publish(undefined);
      kept = Promise.all([kept, session.close()]);
    }
    await kept;
  }

  return {
    get entries() {
      return current?.log.all ?? [];
    },
    find: (id) => current?.log.find(id),
    get running() {
      return (current?.log.all ?? []).filter(isUnsettled).length;
    },
    isHere: (id) => current?.isHere(id) ?? false,
    async open(connection, client) {
      let session = current;
      if (session === undefined || !isSame(session, connection, client)) {
        // What is new is there at once; what was there before is kept before the new one looks for it.
        const closing = closeCurrent();
        session = current = createActivitySession(connection, client, services, publish);
        publish(undefined);
        await closing;
      }
      await session.resume();
    },
    close: closeCurrent,
    async refresh() {
      await current?.look();
    },
    async cleanUp(request) {
      const body = cleanupText(request.items);
      return opened().begin<CleanUpEntry>(
        { kind: 'cleanUp', ...request, idempotencyKey: newId(), body },
        runCleanUp,
      );
    },
    async sync({ names, ...target }, signal) {
      const session = opened();
      try {
        const before = await lookBefore(store, target, clock, signal);
        const seen = before === undefined ? {} : { before };
        return await session.begin<SyncEntry>(
          { kind: 'sync', ...target, ...names(), ...seen, deployments: [] },
          runSync,
          signal,
        );
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    async retryPreviewReporting() {
      return opened().begin<PreviewReportingEntry>(
        { kind: 'previewReporting' },
        runPreviewReporting,
      );
    },
    stop: (id) => current?.stop(id),
    watchAgain: (id) => current?.watchAgain(id),
    sendAgain: (id) => current?.sendAgain(id),
    async remove(id) {
      await current?.remove(id);
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isSame(
  session: ActivitySession,
  { name, baseUrl }: ActivityConnection,
  client: ControlPlaneClient,
): boolean {
  const { connection } = session;
  return session.client === client && connection.name === name && connection.baseUrl === baseUrl;
}
