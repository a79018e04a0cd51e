import { membersOf } from '../api/jsonObject';
import { makeConnection, secretKeyOf, type Connection } from './connections';

/** Of which connections there may be a key: a secret storage does not list what it has. */
export interface KeptKeys {
  /** What was written last, by any version; undefined at first. */
  readonly read: () => unknown;
  readonly write: (value: readonly Pick<Connection, 'name' | 'baseUrl'>[]) => Promise<void>;
}

/**
 * Deletes the keys of connections that were known and are no longer, or not at that origin. One that
 * cannot be deleted is tried again the next time.
 *
 * @param known all connections of now.
 */
export async function forgetKeys(
  known: readonly Connection[],
  keys: { delete(connection: Connection): Promise<void> },
  kept: KeptKeys,
): Promise<void> {
  const before = readConnections(kept.read());
  const wanted = new Set(known.map(secretKeyOf));
  const gone = before.filter((connection) => !wanted.has(secretKeyOf(connection)));
  // At once: each takes a round trip, and a change of the connection waits for all.
  const deleted = await Promise.allSettled(gone.map((connection) => keys.delete(connection)));
  const stuck = gone.filter((_, index) => deleted[index]?.status === 'rejected');
  const next = [...known, ...stuck];
  const same =
    before.length === next.length && before.every((one, index) => isSame(one, next[index]));
  if (!same) await kept.write(next.map(({ name, baseUrl }) => ({ name, baseUrl })));
}

function isSame({ name, baseUrl }: Connection, other: Connection | undefined): boolean {
  return name === other?.name && baseUrl === other.baseUrl;
}

/** Other than those of the settings, two may have one name. */
function readConnections(value: unknown): Connection[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap((one) => {
    const { name, baseUrl } = membersOf(one);
    if (typeof name !== 'string' || typeof baseUrl !== 'string') return [];
    return makeConnection(name, baseUrl) ?? [];
  });
}
