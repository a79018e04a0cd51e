import * as v from 'valibot';
import { readStored, type Storage, StoredValue } from '../../../base/storedValue';
import { currentConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/session';

/** Remembers which connection the saved state of a page belongs to. */
export class SavedPageState<State> {
  /** The id of the connection. */
  private readonly owner: StoredValue<string>;

  /**
   * @param page the name of the page.
   * @param read reads the state of the page; undefined if it is invalid.
   */
  constructor(
    private readonly session: Pick<Session, 'state' | 'ready'>,
    workspaceState: Storage,
    page: 'logExplorer' | 'logComparison',
    private readonly read: (saved: unknown) => State | undefined,
  ) {
    const key = `${page}.connection`;
    this.owner = new StoredValue(workspaceState, key, (id) => readStored(v.string(), id));
  }

  /** Notes the current connection, before a search. */
  remember(): void {
    const id = currentConnection(this.session);
    if (id !== undefined) void this.owner.set(id);
  }

  /**
   * Reads the saved state of a page once the connection is known. Undefined if it is invalid, or that of another
   * connection: its queries may contain names of that control plane.
   *
   * @param saved untrusted.
   */
  async restore(saved: unknown): Promise<State | undefined> {
    const state = this.read(saved);
    // Read first: a search may run before the connection is known.
    const id = this.owner.value;
    await this.session.ready;
    return id !== undefined && id === currentConnection(this.session) ? state : undefined;
  }
}
