import * as v from 'valibot';
import { type Connection, makeConnection, secretKeyOf } from './connections';
import { listOf, readStored } from '../base/storedValue';
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
  /** Another connection, or none. */
  | 'connection'
  /** The key is gone. */
  | 'signedOut'
  /** There is a key now. */
  | 'signedIn'
  /** The key was replaced. Running work continues with the new one. */
  | 'key';

/** The API keys of all connections. */
export interface ConnectionKeys extends KeyReader {
  delete(connection: Connection): Promise<void>;
  /** Fires when the key of a connection may have changed, in this or another window. */
  onDidChange(listener: (isFor: (connection: Connection) => boolean) => void): Subscription;
}

interface Subscription {
  dispose(): unknown;
}

interface ConnectionSessionOptions {
  readonly keys: ConnectionKeys;
  /** The connections in the user's settings. */
  readonly known: {
    readonly all: () => readonly Connection[];
    readonly onDidChange: (listener: () => void) => Subscription;
  };
  /** The name of the connection that this window used last, otherwise of any window. */
  readonly lastUsed: {
    readonly read: () => unknown;
    readonly write: (connection: Connection | undefined) => Promise<void>;
  };
  readonly keptKeys: KeptKeys;
  readonly client: CommonClientOptions;
  /** Called synchronously and in order. Must not throw. */
  readonly onDidChange: (change: SessionChange) => void;
  /** Called with errors of storage operations that no caller awaits. */
  readonly onFailure: (error: unknown) => void;
}

/** The connection of a window and whether there is an API key for it. */
export interface ConnectionSession {
  readonly state: SessionState;
  /** The connection of `state` if it is signed in. */
  readonly signedIn: SignedInConnection | undefined;
  /** Resolves when the key was read; `state` is not final before. Never rejects. */
  readonly ready: Promise<void>;
  /** Uses a connection in this window and in new windows. */
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

  /** Runs one transition at a time, so that each starts from a settled state. */
  let ready = Promise.resolve();
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const done = ready.then(() => (isDisposed ? undefined : step()));
    ready = done.catch(() => undefined);
    return done;
  };
  const later = (step: () => Promise<void>): void => void inTurn(step).catch(services.onFailure);

  const keyOf = async (one: Connection | undefined): Promise<string | undefined> =>
    one === undefined ? undefined : keys.get(one);

  /** Changes everything at once, so that no listener sees parts of two connections. */
  const become = (
    next: Connection | undefined,
    nextKey: string | undefined,
    change: SessionChange,
  ): void => {
    if (isDisposed) return;
    const before = current;
    connection = next;
    key = nextKey;
    current =
      next === undefined || nextKey === undefined ? undefined : signInto(next, keys, client);
    before?.end();
    onDidChange(change);
  };

  const adopt = async (next: Connection | undefined): Promise<void> =>
    become(next, await keyOf(next), 'connection');

  /** Compares first, because the storage reports changes twice, and changes that are none. */
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
      current?.end();
    },
  };
}

/** The connections that may have a key, because a secret storage cannot list its content. */
interface KeptKeys {
  /** The value that any version wrote last; undefined at first. */
  readonly read: () => unknown;
  readonly write: (value: readonly Pick<Connection, 'name' | 'baseUrl'>[]) => Promise<void>;
}

/**
 * Deletes the keys of connections that were removed or have another origin now. A key that cannot be
 * deleted is tried again next time.
 *
 * @param known the current connections.
 */
async function forgetKeys(
  known: readonly Connection[],
  keys: { delete(connection: Connection): Promise<void> },
  kept: KeptKeys,
): Promise<void> {
  const before = readConnections(kept.read());
  const wanted = new Set(known.map(secretKeyOf));
  const gone = before.filter((connection) => !wanted.has(secretKeyOf(connection)));
  // In parallel, because each takes a round trip and a change of the connection waits for all.
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

/** Unlike in the settings, two may have the same name. */
const storedConnections = listOf(v.object({ name: v.string(), baseUrl: v.string() }));

function readConnections(stored: unknown): Connection[] {
  const all = readStored(storedConnections, stored) ?? [];
  return all.flatMap(({ name, baseUrl }) => makeConnection(name, baseUrl) ?? []);
}
