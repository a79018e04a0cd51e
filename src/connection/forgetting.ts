import * as v from 'valibot';
import { membersOf } from '../base/json';
import { type ListedStorage, listOf, readStored, StoredValue } from '../base/storedValue';
import { mostConnections } from './connections';

/**
 * Removes everything that a storage has of a connection, whichever feature or version stored it: pairs of
 * `StoredPerConnection`, values that are the id of the connection or have it as their member `connection`, and keys
 * that end with it.
 *
 * @param id as `connectionId` returns it.
 */
export async function removeConnection(storage: ListedStorage, id: string): Promise<void> {
  const isOf = (value: unknown): boolean =>
    value === id ||
    (Array.isArray(value) && value[0] === id) ||
    membersOf(value)['connection'] === id;
  for (const key of storage.keys()) {
    const value = storage.get(key);
    if (isOf(value) || key.endsWith(` ${id}`)) await storage.update(key, undefined);
    else if (Array.isArray(value) && value.some(isOf)) {
      await storage.update(
        key,
        value.filter((one) => !isOf(one)),
      );
    }
  }
}

/** The ids of connections, each with the time in milliseconds since 1970. The latest comes first. */
type Times = readonly (readonly [id: string, at: number])[];
const times = listOf(v.tuple([v.string(), v.number()]), mostConnections);

/**
 * Forgets connections. Nothing can reach the storage of another window, so each removes what its own has: when the
 * user forgets a connection there, when it hears that one was forgotten elsewhere, or when it starts.
 */
export class Forgetting {
  private readonly wanted: StoredValue<Times>;
  private readonly done: StoredValue<Times>;

  constructor(
    private readonly window: ListedStorage,
    private readonly allWindows: ListedStorage,
  ) {
    const read = (stored: unknown): Times | undefined => readStored(times, stored);
    this.wanted = new StoredValue(allWindows, 'forgottenConnections', read);
    this.done = new StoredValue(window, 'forgottenConnections', read);
  }

  /** Removes what all windows share of a connection, and lets each remove its own. */
  async forget(id: string, now: number): Promise<void> {
    await removeConnection(this.allWindows, id);
    const others = this.wanted.value ?? [];
    await this.wanted.set([[id, now] as const, ...others].slice(0, mostConnections));
  }

  /** Removes what this window has of forgotten connections. Returns their ids, each once. */
  async catchUp(): Promise<readonly string[]> {
    const wanted = this.wanted.value ?? [];
    const done = new Map(this.done.value);
    const ids = wanted.filter(([id, at]) => done.get(id) !== at).map(([id]) => id);
    for (const id of ids) await removeConnection(this.window, id);
    if (ids.length > 0) await this.done.set(wanted);
    return ids;
  }
}
