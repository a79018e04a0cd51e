import {
  createSession,
  type ConnectionSession,
  type SessionChange,
} from '../../../src/connection/session';
import { secretKeyOf, type Connection } from '../../../src/connection/connections';
import { defaults } from '../api/cannedAnswers';
import type { FakeClock } from '../fakeClock';
import type { Planes } from './planes';

/**
 * A window with connections, and what it keeps; nothing of the editor. Nothing may be asked any more of a
 * control plane that it has left.
 */
export interface SessionWindow {
  readonly session: ConnectionSession;
  /** The keys that are kept, as the secret storage has them. */
  readonly secrets: Map<string, string>;
  /** The setting with the connections; `changeKnown` tells of a change. */
  known: readonly Connection[];
  changeKnown(known: readonly Connection[]): void;
  /** Keeps a key, or deletes it where it is left out, as this or another window does. */
  setKey(connection: Connection, key?: string): void;
  /** What the secret storage cannot delete. */
  stuck: (connection: Connection) => boolean;
  /** What is kept of which connections have keys. */
  kept: unknown;
  readonly changes: SessionChange[];
  /** What hears of changes. */
  readonly listeners: ((change: SessionChange) => void)[];
  readonly failures: unknown[];
}

export function openWindow(
  clock: FakeClock,
  planes: Planes,
  random: () => number = () => 0.5,
): SessionWindow {
  const secrets = new Map<string, string>();
  const knownListeners: (() => void)[] = [];
  const keyListeners: ((isFor: (connection: Connection) => boolean) => void)[] = [];
  let lastUsed: unknown;
  const tell = (changed: Connection): void =>
    keyListeners.forEach((listener) =>
      listener((connection) => secretKeyOf(connection) === secretKeyOf(changed)),
    );
  const made: Omit<SessionWindow, 'session'> = {
    secrets,
    known: planes.all.map(({ connection }) => connection),
    changeKnown(known) {
      made.known = known;
      knownListeners.forEach((listener) => listener());
    },
    setKey(connection, key) {
      if (key === undefined) secrets.delete(secretKeyOf(connection));
      else secrets.set(secretKeyOf(connection), key);
      // As the real one does.
      tell(connection);
      tell(connection);
    },
    stuck: () => false,
    kept: undefined,
    changes: [],
    listeners: [],
    failures: [],
  };
  for (const { connection } of planes.all) {
    secrets.set(secretKeyOf(connection), planes.keyOf(connection));
  }
  const session = createSession({
    keys: {
      get: (connection) => Promise.resolve(secrets.get(secretKeyOf(connection))),
      async delete(connection) {
        if (made.stuck(connection)) throw new Error('The storage is locked.');
        made.setKey(connection);
        await Promise.resolve();
      },
      onDidChange(listener) {
        keyListeners.push(listener);
        return { dispose: () => keyListeners.splice(keyListeners.indexOf(listener), 1) };
      },
    },
    known: {
      all: () => made.known,
      onDidChange(listener) {
        knownListeners.push(listener);
        return { dispose: () => knownListeners.splice(knownListeners.indexOf(listener), 1) };
      },
    },
    lastUsed: {
      read: () => lastUsed,
      write(connection) {
        lastUsed = connection?.name;
        return Promise.resolve();
      },
    },
    keptKeys: {
      read: () => made.kept,
      write(value) {
        made.kept = JSON.parse(JSON.stringify(value));
        return Promise.resolve();
      },
    },
    client: { fetch: planes.fetch, clock, random, settings: () => defaults },
    onDidChange(change) {
      planes.allowOnly(session.signedIn?.connection);
      made.changes.push(change);
      made.listeners.forEach((listener) => listener(change));
    },
    onFailure: (error) => made.failures.push(error),
  });
  return Object.assign(made, { session });
}
