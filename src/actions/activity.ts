import { Emitter, type Event } from '../base/event';
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
import { type EnvironmentTarget, readLastDeployed } from './environmentDeployments';
import { runPreviewReporting } from './sendAction';
import { runSync } from './sync';

type NewCleanUp = Pick<CleanUpEntry, 'serverId' | 'serverName' | 'items'>;
interface NewSync extends EnvironmentTarget {
  /** Called after the resources of the environment were loaded, which may contain its name. */
  readonly names: () => Pick<SyncEntry, 'sourceName' | 'environmentName'>;
}

/** The actions that were started on the open connection, and their progress. */
export interface Activity extends Pick<
  ActivitySession,
  'isHere' | 'stop' | 'watchAgain' | 'sendAgain' | 'remove'
> {
  /** Newest first; empty without a connection. */
  readonly entries: readonly ActivityEntry[];
  find(id: string): ActivityEntry | undefined;
  /** How many are running, in any window. */
  readonly running: number;
  /** Opens a connection and resumes its entries. */
  open(connection: ActivityConnection, client: ControlPlaneClient): Promise<void>;
  /** Aborts what is running. The entries stay with their connection. Resolves when they are saved. */
  close(): Promise<void>;
  /** Reads the changes of other windows. */
  refresh(): Promise<void>;
  /**
   * Saves a clean-up and then sends it. Resolves with the id of its entry when it is saved.
   *
   * @throws if it cannot be saved or there is no connection. Then nothing is sent.
   */
  cleanUp(request: NewCleanUp): Promise<string>;
  /**
   * Reads what is deployed, saves the sync and then sends it. Resolves with the id of its entry when it
   * is saved, or with undefined if `signal` was aborted before. Then nothing is sent.
   *
   * @throws like `cleanUp`.
   */
  sync(request: NewSync, signal: AbortSignal): Promise<string | undefined>;
  /** @throws like `cleanUp`. */
  retryPreviewReporting(): Promise<string>;
  /**
   * Fires when an entry is added, changed or removed, and without a change when all entries are replaced.
   */
  readonly onDidChange: Event<ActivityChange | undefined>;
}

export function createActivity(services: ActivityServices): Activity {
  const { clock, newId, store } = services;
  const changes = new Emitter<ActivityChange | undefined>();
  let current: ActivitySession | undefined;

  function opened(): ActivitySession {
    if (current === undefined) throw new Error('There is no connection.');
    return current;
  }

  /** Resolves when the entries of all closed sessions are saved. */
  let saved: Promise<unknown> = Promise.resolve();
  async function closeCurrent(): Promise<void> {
    const session = current;
    current = undefined;
    if (session !== undefined) {
      changes.fire(undefined);
      saved = Promise.all([saved, session.close()]);
    }
    await saved;
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
        // The new session is available at once, but reads its entries only when the old one is saved.
        const closing = closeCurrent();
        session = current = createActivitySession(connection, client, services, (change) =>
          changes.fire(change),
        );
        changes.fire(undefined);
        await closing;
      }
      await session.resume();
    },
    close: closeCurrent,
    async refresh() {
      await current?.readChanges();
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
        const before = await readLastDeployed(store, target, clock, signal);
        const sentAt = services.serverNow();
        return await session.begin<SyncEntry>(
          { kind: 'sync', ...target, ...names(), sentAt, before, deployments: [] },
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
    onDidChange: changes.event,
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
