import * as v from 'valibot';
import { readStored, type Storage, StoredValue } from '../../../base/storedValue';
import { currentConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/session';
import { readPageState } from './messages';

interface SavedPageStateServices {
  readonly session: Pick<Session, 'state' | 'ready'>;
  readonly workspaceState: Storage;
}

/** The query to restore after a reload of the window. */
interface Restored {
  readonly query: string;
  /** Whether to run it. */
  readonly run: boolean;
}

/** Remembers which connection the saved state of the page belongs to. */
export interface SavedPageState {
  /** Notes the current connection, before a search. */
  remember(): void;
  /**
   * Reads the saved state of a page once the connection is known. The state of another connection is
   * ignored: its query may contain names of that control plane.
   *
   * @param saved untrusted.
   */
  restore(saved: unknown): Promise<Restored>;
}

const stateKey = 'logExplorer.connection';

export function createSavedPageState({
  session,
  workspaceState,
}: SavedPageStateServices): SavedPageState {
  const now = (): string | undefined => currentConnection(session);
  const owner = new StoredValue(workspaceState, stateKey, (id) => readStored(v.string(), id));
  return {
    remember() {
      const id = now();
      if (id !== undefined) void owner.set(id);
    },
    async restore(saved) {
      const state = readPageState(saved);
      // Read first: a search may run before the connection is known.
      const id = owner.value;
      await session.ready;
      return state !== undefined && id !== undefined && id === now()
        ? { query: state.query, run: state.ran }
        : { query: '', run: false };
    },
  };
}
