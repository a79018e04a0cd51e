import { membersOf } from '../api/lenient';
import { type Connection, makeConnection, secretKeyOf } from './connections';
import {
  type CommonClientOptions,
  type KeyReader,
  type SignedInConnection,
  signInto,
} from './signedIn';

export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'signedOut'; readonly connection: Connection }
  | { readonly kind: 'signedIn'; readonly connection: Connection };

export type SessionChange =
  /** Another connection, or none: whatever was shown of the old one is gone. */
  | 'connection'
  /** The key is gone, and with it whatever was shown. */
  | 'signedOut'
  /** A key came where there was none. */
  | 'signedIn'
  /** The key was replaced; what runs goes on with the new one. */
  | 'key';

/** The keys of all connections. */
export interface ConnectionKeys extends KeyReader {
  delete(connection: Connection): Promise<void>;
  /** Calls back when the key of some connection may have changed, here or in another window. */
  onDidChange(listener: (isFor: (connection: Connection) => boolean) => void): LeftConnection;
}

/** Ends a subscription. */
export interface LeftConnection {
  dispose(): unknown;
}

export interface ConnectionSessionOptions {
  readonly keys: ConnectionKeys;
  /** The connections that the user knows. */
  readonly known: {
    readonly all: () => readonly Connection[];
    readonly onDidChange: (listener: () => void) => LeftConnection;
  };
  /** The name of the connection that this window had, or that was used last anywhere. */
  readonly lastUsed: {
    readonly read: () => unknown;
    readonly write: (connection: Connection | undefined) => Promise<void>;
  };
  readonly keptKeys: KeptKeys;
  readonly client: CommonClientOptions;
  /** Told at once and in order; does not throw. */
  readonly onDidChange: (change: SessionChange) => void;
  /** Told of what could not be kept, or forgotten, where nobody waits for it. */
  readonly onFailure: (error: unknown) => void;
}

/** The connection of a window and whether there is a key for it. */
export interface ConnectionSession {
  readonly state: SessionState;
  /** The connection of `state`, where it is signed in. */
  readonly signedIn: SignedInConnection | undefined;
  /** Settled once the key was looked up; before that `state` is not final. Never rejects. */
  readonly ready: Promise<void>;
  /** Makes a connection the one of this window, and of windows to come. */
  use(connection: Connection | undefined): Promise<void>;
  signOut(): Promise<void>;
  dispose(): void;
}

export function createSession(services: ConnectionSessionOptions): ConnectionSession {
  const { keys, known, lastUsed, keptKeys, client, onDidChange } = services;
  let connection: Connection | undefined;
  let key: string | undefined;
  let current: ReturnType<typeof signInto> | undefined;
  let isDisposed = false;

  /** One transition at a time: each sees what the one before it has settled. */
  let ready = Promise.resolve();
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const done = ready.then(() => (isDisposed ? undefined : step()));
    ready = done.catch(() => undefined);
    return done;
  };
  const later = (step: () => Promise<void>): void => void inTurn(step).catch(services.onFailure);

  const keyOf = async (one: Connection | undefined): Promise<string | undefined> =>
    one === undefined ? undefined : keys.get(one);

  /** All at once: nothing sees one connection together with what is of another. */
  const become = (
    next: Connection | undefined,
    nextKey: string | undefined,
    change: SessionChange,
  ): void => {
    if (isDisposed) return;
    const left = current;
    connection = next;
    key = nextKey;
    current =
      next === undefined || nextKey === undefined ? undefined : signInto(next, keys, client);
    left?.leave();
    onDidChange(change);
  };

  const adopt = async (next: Connection | undefined): Promise<void> =>
    become(next, await keyOf(next), 'connection');

  /** Compares before it tells: the storage tells of changes twice, and of changes that are none. */
  const keyMayHaveChanged = async (): Promise<void> => {
    const found = await keyOf(connection);
    if (found === key) return;
    if (found === undefined) become(connection, undefined, 'signedOut');
    else if (key === undefined) become(connection, found, 'signedIn');
    else {
      key = found;
      onDidChange('key');
    }
  };

  const choose = (): Connection | undefined => {
    const all = known.all();
    const name = lastUsed.read();
    return all.find((one) => one.name === name) ?? all[0];
  };

  const forgetGone = (): Promise<void> => forgetKeys(known.all(), keys, keptKeys);

  const knownMayHaveChanged = async (): Promise<void> => {
    const now = known.all().find(({ name }) => name === connection?.name);
    if (connection === undefined || now?.baseUrl !== connection.baseUrl) {
      await adopt(now ?? choose());
    }
    await forgetGone();
  };

  const endings = [
    keys.onDidChange((isFor) =>
      later(async () => {
        if (connection !== undefined && isFor(connection)) await keyMayHaveChanged();
      }),
    ),
    known.onDidChange(() => later(knownMayHaveChanged)),
  ];
  const first = choose();
  // Without a connection there is nothing to tell.
  if (first !== undefined) later(() => adopt(first));
  later(forgetGone);

  return {
    get state(): SessionState {
      if (connection === undefined) return { kind: 'none' };
      return { kind: current === undefined ? 'signedOut' : 'signedIn', connection };
    },
    get signedIn() {
      return current?.signedIn;
    },
    get ready() {
      return ready;
    },
    async use(next) {
      await lastUsed.write(next);
      await inTurn(() =>
        next?.name === connection?.name && next?.baseUrl === connection?.baseUrl
          ? keyMayHaveChanged()
          : adopt(next),
      );
    },
    signOut: () =>
      inTurn(async () => {
        if (connection === undefined) return;
        await keys.delete(connection);
        await keyMayHaveChanged();
      }),
    dispose() {
      isDisposed = true;
      endings.forEach((one) => void one.dispose());
      current?.leave();
    },
  };
}

/** Of which connections there may be a key: a secret storage does not list what it has. */
interface KeptKeys {
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
async function forgetKeys(
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
