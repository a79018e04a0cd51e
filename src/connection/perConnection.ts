import * as v from 'valibot';
import { connectionId } from './connections';
import { listOf, readStored } from './readStored';
import type { ConnectionSession } from './session';

/** The part of the workspace storage that is used here. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A value that each connection has its own of, in the workspace storage. */
export interface PerConnection<T> {
  /** The value of the current connection; undefined if there is none. */
  readonly value: T | undefined;
  /** Stores nothing without a connection. Undefined removes the value. */
  set(value: T | undefined): void;
}

/** How many connections are remembered. Without a limit, renamed connections would pile up. */
export const mostConnections = 10;

const pairs = listOf(v.tuple([v.string(), v.unknown()]), mostConnections);

/** Identifies the connection of a session; undefined if there is none. */
export function currentConnection({ state }: Pick<ConnectionSession, 'state'>): string | undefined {
  return state.kind === 'none' ? undefined : connectionId(state.connection);
}

/**
 * Stores pairs of connection and value, the one that changed last first.
 *
 * @param read reads a stored value, which may be anything; undefined if it is invalid.
 */
export function createPerConnection<T>(
  session: Pick<ConnectionSession, 'state'>,
  storage: Storage,
  key: string,
  read: (stored: unknown) => T | undefined,
): PerConnection<T> {
  const all = (): (readonly [string, T])[] =>
    (readStored(pairs, storage.get(key)) ?? []).flatMap(([connection, stored]) => {
      const value = read(stored);
      return value === undefined ? [] : [[connection, value] as const];
    });
  return {
    get value() {
      const id = currentConnection(session);
      return all().find(([one]) => one === id)?.[1];
    },
    set(value) {
      const id = currentConnection(session);
      if (id === undefined) return;
      const own = value === undefined ? [] : [[id, value] as const];
      const others = all().filter(([one]) => one !== id);
      // The storage has the new value at once; only writing to disk is asynchronous.
      void storage.update(key, [...own, ...others].slice(0, mostConnections));
    },
  };
}
