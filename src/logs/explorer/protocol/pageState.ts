import * as v from 'valibot';
import { readStored, type Storage, StoredValue } from '../../../base/storedValue';
import { currentConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/session';

/** Remembers which connection the saved state of a page belongs to. */
export interface SavedPageState<State> {
  /** Notes the current connection, before a search. */
  remember(): void;
  /**
   * Reads the saved state of a page once the connection is known. Undefined if it is invalid, or that of another
   * connection: its queries may contain names of that control plane.
   *
   * @param saved untrusted.
   */
  restore(saved: unknown): Promise<State | undefined>;
}

/**
 * @param page the name of the page.
 * @param read reads the state of the page; undefined if it is invalid.
 */
export function createSavedPageState<State>(
  session: Pick<Session, 'state' | 'ready'>,
  workspaceState: Storage,
  page: 'logExplorer' | 'logComparison',
  read: (saved: unknown) => State | undefined,
): SavedPageState<State> {
  const now = (): string | undefined => currentConnection(session);
  const key = `${page}.connection`;
  const owner = new StoredValue(workspaceState, key, (id) => readStored(v.string(), id));
  return {
    remember() {
      const id = now();
      if (id !== undefined) void owner.set(id);
    },
    async restore(saved) {
      const state = read(saved);
      // Read first: a search may run before the connection is known.
      const id = owner.value;
      await session.ready;
      return id !== undefined && id === now() ? state : undefined;
    },
  };
}
