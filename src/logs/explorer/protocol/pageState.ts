import { currentConnection, type Storage } from '../../../connection/perConnection';
import type { ConnectionSession } from '../../../connection/session';
import { readPageState } from './messages';

interface SavedPageStateServices {
  readonly session: Pick<ConnectionSession, 'state' | 'ready'>;
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
  return {
    remember() {
      const id = now();
      if (id !== undefined) void workspaceState.update(stateKey, id);
    },
    async restore(saved) {
      const state = readPageState(saved);
      // Read first: a search may run before the connection is known.
      const id = workspaceState.get(stateKey);
      await session.ready;
      return state !== undefined && id !== undefined && id === now()
        ? { query: state.query, run: state.ran }
        : { query: '', run: false };
    },
  };
}
