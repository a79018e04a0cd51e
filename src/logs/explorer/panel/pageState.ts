import { connectionId } from '../../../connection/connections';
import type { ConnectionSession } from '../../../connection/session';
import { readPageState } from './messages';

/** The storage of the workspace, as far as it is needed here. */
interface Storage {
  get(key: string): unknown;
  update(key: string, value: string): PromiseLike<void>;
}

interface SavedPageStateServices {
  readonly session: Pick<ConnectionSession, 'state' | 'ready'>;
  readonly workspaceState: Storage;
}

/** What comes back after a reload of the window. */
interface Restored {
  readonly query: string;
  /** Whether it is searched for again. */
  readonly run: boolean;
}

/** Whose search it is that the page keeps over a reload, without knowing of connections. */
export interface SavedPageState {
  /** What is searched for from now on is of the connection of now. */
  remember(): void;
  /**
   * What comes back of what a page has kept: nothing of another connection, since no query may ask
   * one control plane for what it is called at another. Answers once the connection is known.
   *
   * @param kept came from the storage of the editor: it may be anything.
   */
  restore(kept: unknown): Promise<Restored>;
}

const stateKey = 'logExplorer.connection';

export function createSavedPageState({
  session,
  workspaceState,
}: SavedPageStateServices): SavedPageState {
  const now = (): string | undefined =>
    session.state.kind === 'none' ? undefined : connectionId(session.state.connection);
  return {
    remember() {
      const id = now();
      if (id !== undefined) void workspaceState.update(stateKey, id);
    },
    async restore(kept) {
      const state = readPageState(kept);
      // Whose it was counts, whatever is searched for until the connection is known.
      const id = workspaceState.get(stateKey);
      await session.ready;
      return state !== undefined && id !== undefined && id === now()
        ? { query: state.query, run: state.ran }
        : { query: '', run: false };
    },
  };
}
