import * as v from 'valibot';
import { listOf, readStored, type Storage, StoredValue } from '../base/storedValue';
import { detached } from '../base/untrustedText';
import { connectionId, type HasConnection, mostConnections } from './connections';

const pairs = listOf(v.tuple([v.string(), v.unknown()]), mostConnections);

/** Identifies the connection of a session; undefined if there is none. */
export function currentConnection({ state }: HasConnection): string | undefined {
  return state.kind === 'none' ? undefined : connectionId(state.connection);
}

/**
 * A value that each connection has its own of: stored as pairs with the connection, the one that changed last first.
 * *Sign Out and Forget* removes the pairs (`forgetting.ts`).
 */
export class StoredPerConnection<T> {
  private readonly pairs: StoredValue<readonly (readonly [string, T])[]>;

  /** @param read as that of `StoredValue`, for one connection. */
  constructor(
    private readonly session: HasConnection,
    storage: Storage,
    key: string,
    read: (stored: unknown) => T | undefined,
  ) {
    this.pairs = new StoredValue(storage, key, (all) =>
      readStored(pairs, all)?.flatMap(([connection, stored]) => {
        const value = read(stored);
        return value === undefined ? [] : [[connection, value] as const];
      }),
    );
  }

  /** The value of the current connection; undefined if there is none. */
  get value(): T | undefined {
    const id = currentConnection(this.session);
    return this.pairs.value?.find(([one]) => one === id)?.[1];
  }

  /** Stores nothing without a connection. Undefined removes the value. */
  set(value: T | undefined): void {
    const id = currentConnection(this.session);
    if (id === undefined) return;
    const own = value === undefined ? [] : [[id, value] as const];
    const others = (this.pairs.value ?? []).filter(([one]) => one !== id);
    void this.pairs.set([...own, ...others].slice(0, mostConnections));
  }
}

/** More than things change their state while someone looks. */
const mostThings = 500;
/** The longest id and state of a thing that is stored whole, in UTF-16 units. */
const longestStored = 500;
const states = listOf(v.tuple([v.string(), v.string()]), mostThings);

/**
 * The state of each thing that a window has last told of. The windows of a user share it, each connection has
 * its own: what one window has told is no news in another one.
 */
export class NotifiedStates {
  private readonly stored: StoredPerConnection<readonly (readonly [string, string])[]>;

  /**
   * @param storage that of all windows.
   * @param key of this kind of things.
   */
  constructor(session: HasConnection, storage: Storage, key: string) {
    this.stored = new StoredPerConnection(session, storage, key, (value) =>
      readStored(states, value),
    );
  }

  /** The things whose state no window has told yet. From now on they count as told. */
  claim<T>(things: readonly T[], idOf: (thing: T) => string, stateOf: (thing: T) => string): T[] {
    const notified = new Map(this.stored.value);
    const keyOf = (thing: T): string => shortened(idOf(thing));
    const valueOf = (thing: T): string => shortened(stateOf(thing));
    const news = things.filter((thing) => notified.get(keyOf(thing)) !== valueOf(thing));
    if (news.length > 0) {
      for (const thing of news) {
        // What was told last comes first.
        notified.delete(keyOf(thing));
      }
      const now = news.map((thing) => [keyOf(thing), valueOf(thing)] as const);
      this.stored.set([...now, ...notified].slice(0, mostThings));
    }
    return news;
  }
}

/** A text of the server of any length, by its length, its start and its end. */
function shortened(text: string): string {
  if (text.length <= longestStored) return text;
  const half = longestStored / 2;
  return detached(`${text.slice(0, half)}…${text.length}…${text.slice(-half)}`);
}
