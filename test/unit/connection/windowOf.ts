import { Session, type SessionChange, SessionMemory } from '../../../src/connection/session';
import { secretKeyOf, type Connection } from '../../../src/connection/connections';
import type { ListedStorage } from '../../../src/base/storedValue';
import { defaults } from '../api/cannedAnswers';
import type { FakeClock } from '../fakeClock';
import type { Planes } from './planes';

/**
 * A window with connections and their stored state, without VS Code. A control plane that it has
 * left must not receive any more requests.
 */
export interface SessionWindow {
  readonly session: Session;
  /** The stored keys, as in the secret storage. */
  readonly secrets: Map<string, string>;
  /** The setting with the connections; `changeKnown` announces a change. */
  known: readonly Connection[];
  changeKnown(known: readonly Connection[]): void;
  /** Stores a key, or deletes it if it is omitted, in this or another window. */
  setKey(connection: Connection, key?: string): void;
  /** Whether the secret storage cannot delete a key. */
  stuck: (connection: Connection) => boolean;
  /** The stored list of connections that have keys. */
  kept: unknown;
  readonly changes: SessionChange[];
  /** Listeners for changes. */
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
  const ofWindow = new Map<string, unknown>();
  const ofAll = storageOf(new Map());
  const notify = (changed: Connection): void =>
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
      // As the real storage does.
      notify(connection);
      notify(connection);
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
  const session = new Session(
    {
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
    {
      all: () => made.known,
      onDidChange(listener) {
        knownListeners.push(listener);
        return { dispose: () => knownListeners.splice(knownListeners.indexOf(listener), 1) };
      },
    },
    new SessionMemory(storageOf(ofWindow), {
      ...ofAll,
      get: (key) => (key === 'keptKeys' ? made.kept : ofAll.get(key)),
      update(key, value) {
        if (key !== 'keptKeys') return ofAll.update(key, value);
        made.kept = JSON.parse(JSON.stringify(value));
        return Promise.resolve();
      },
    }),
    { fetch: planes.fetch, clock, random, settings: () => defaults },
    (error) => made.failures.push(error),
  );
  session.onDidChange((change) => {
    planes.allowOnly(session.signedIn?.connection);
    made.changes.push(change);
    made.listeners.forEach((listener) => listener(change));
  });
  return Object.assign(made, { session });
}

function storageOf(values: Map<string, unknown>): ListedStorage {
  return {
    keys: () => [...values.keys()],
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}
