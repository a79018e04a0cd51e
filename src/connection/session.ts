import * as v from 'valibot';
import type { ClientOptions, ControlPlaneClient } from '../api/client';
import { createClient } from '../api/createClient';
import { ConnectionEndedError } from '../api/errors';
import { RequestScheduler } from '../api/requestScheduler';
import { BoundedMap } from '../base/boundedMap';
import type { Clock } from '../base/clock';
import { type Disposable, Emitter } from '../base/event';
import { type ListedStorage, listOf, readStored, StoredValue } from '../base/storedValue';
import {
  type Connection,
  connectionId,
  makeConnection,
  mostConnections,
  secretKeyOf,
  type SessionState,
} from './connections';
import { DescribedServer } from './describedServer';
import { Forgetting } from './forgetting';

export type SessionChange =
  /** Another connection, or none. */
  | 'connection'
  /** The key is gone. */
  | 'signedOut'
  /** There is a key now. */
  | 'signedIn'
  /** The key was replaced. Running work continues with the new one. */
  | 'key'
  /** The key is gone, and so is what was stored of the connection: features drop what they still have of it. */
  | 'forgotten';

interface ConnectionKeys extends KeyReader {
  delete(connection: Connection): Promise<void>;
  /** Fires when the key of a connection may have changed, in this or another window. */
  onDidChange(listener: (isFor: (connection: Connection) => boolean) => void): Disposable;
}

/** The connections in the user's settings. */
interface KnownConnections {
  readonly all: () => readonly Connection[];
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** The connection of a window and whether there is an API key for it. It remembers it after a reload. */
export class Session {
  private readonly changes = new Emitter<SessionChange>();
  private readonly descriptions = new Emitter<void>();
  private connection: Connection | undefined;
  private key: string | undefined;
  private current: (ReturnType<typeof signInto> & { server: DescribedServer }) | undefined;
  /**
   * By the id of their connections. They outlive a sign-out and a switch: what a server allows a minute, and a
   * Retry-After, do not end with them.
   */
  private readonly schedulers = new BoundedMap<string, RequestScheduler>(mostConnections);
  private isDisposed = false;
  private last = Promise.resolve();
  private readonly endings: readonly Disposable[];

  /**
   * @param client the options that the clients of all connections share.
   * @param onFailure called with errors of the storage that no caller hears of.
   */
  constructor(
    private readonly keys: ConnectionKeys,
    private readonly known: KnownConnections,
    private readonly memory: SessionMemory,
    private readonly client: CommonClientOptions,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.endings = [
      keys.onDidChange((isFor) =>
        this.later(async () => {
          if (this.connection === undefined || !isFor(this.connection)) return;
          await this.checkKey();
          if (this.key === undefined) await this.dropForgotten();
        }),
      ),
      known.onDidChange(() => this.later(() => this.checkKnown())),
    ];
    const first = this.choose();
    this.later(async () => {
      // Before anything is read of what is stored; features with files look only then.
      const ids = await this.memory.forgetting.catchUp().catch((error: unknown) => {
        this.onFailure(error);
        return [];
      });
      if (first === undefined) return;
      await this.adopt(first);
      this.reportForgotten(ids);
    });
    this.later(() => this.forgetKeys());
  }

  /** Fires in the order of the changes, when all members have changed. */
  readonly onDidChange = this.changes.event;
  /** Fires when the server of the connection says something else of itself than before. */
  readonly onDidDescribe = this.descriptions.event;

  get state(): SessionState {
    const { connection } = this;
    if (connection === undefined) return { kind: 'none' };
    return { kind: this.current === undefined ? 'signedOut' : 'signedIn', connection };
  }

  /** The connection of `state` if it is signed in. */
  get signedIn(): SignedInConnection | undefined {
    return this.current?.signedIn;
  }

  /** What the server of the signed-in connection says of itself. */
  get server(): DescribedServer | undefined {
    return this.current?.server;
  }

  /** Resolves when the key was read; `state` is not final before. Never rejects. */
  get ready(): Promise<void> {
    return this.last;
  }

  /** The time zone of the control plane's workspace; undefined until an answer gives it. */
  get timeZone(): string | undefined {
    return this.signedIn?.timeZone;
  }

  /**
   * The time by the control plane's clock, which dates everything that is shown, in milliseconds since 1970. Without a
   * connection, and until its first answer, that of this machine.
   */
  serverNow(): number {
    return this.signedIn?.client.serverNow() ?? this.client.clock.now();
  }

  /**
   * The same moment by the control plane's clock.
   *
   * @param at in milliseconds since 1970 by the clock of this machine, such as what Git has logged.
   */
  serverTimeOf(at: number): number {
    return this.serverNow() - (this.client.clock.now() - at);
  }

  /** Uses a connection in this window and in new windows. */
  async use(next: Connection | undefined): Promise<void> {
    await this.memory.use(next);
    await this.inTurn(() => (isSame(next, this.connection) ? this.checkKey() : this.adopt(next)));
  }

  /** @param forgets whether everything that was stored of the connection goes with the key. */
  signOut({ forgets = false } = {}): Promise<void> {
    return this.inTurn(async () => {
      const { connection } = this;
      if (connection === undefined) return;
      // Before the key: its end makes other windows look what is to be forgotten.
      if (forgets) {
        await this.memory.forgetting.forget(connectionId(connection), this.client.clock.now());
      }
      await this.keys.delete(connection);
      await this.checkKey();
      if (forgets) await this.dropForgotten();
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.endings.forEach((one) => void one.dispose());
    this.current?.end();
    this.changes.dispose();
    this.descriptions.dispose();
  }

  /** Runs one transition at a time, so that each starts from a settled state. */
  private inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.last.then(() => (this.isDisposed ? undefined : step()));
    this.last = done.catch(() => undefined);
    return done;
  }

  private later(step: () => Promise<void>): void {
    this.inTurn(step).catch(this.onFailure);
  }

  /** Changes everything at once, so that no listener sees parts of two connections. */
  private become(
    next: Connection | undefined,
    key: string | undefined,
    change: SessionChange,
  ): void {
    if (this.isDisposed) return;
    const before = this.current;
    this.connection = next;
    this.key = key;
    this.current = next === undefined || key === undefined ? undefined : this.open(next);
    before?.end();
    this.changes.fire(change);
  }

  private open(connection: Connection) {
    const { clock, random } = this.client;
    const server = this.memory.serverOf(connection, clock);
    const id = connectionId(connection);
    const scheduler = this.schedulers.get(id) ?? new RequestScheduler(clock, random);
    this.schedulers.set(id, scheduler);
    const options = { ...this.client, scheduler };
    const { signedIn, end } = signInto(connection, this.keys, options, server);
    server.onDidChange(() => {
      if (this.current?.server === server) this.descriptions.fire();
    });
    return { signedIn, end, server };
  }

  private async adopt(next: Connection | undefined): Promise<void> {
    this.become(next, await this.keyOf(next), 'connection');
  }

  private async keyOf(one: Connection | undefined): Promise<string | undefined> {
    return one === undefined ? undefined : this.keys.get(one);
  }

  /** Compares first, because the storage reports changes twice, and changes that are none. */
  private async checkKey(): Promise<void> {
    const found = await this.keyOf(this.connection);
    if (found === this.key) return;
    if (found === undefined) this.become(this.connection, undefined, 'signedOut');
    else if (this.key === undefined) this.become(this.connection, found, 'signedIn');
    else {
      this.key = found;
      this.changes.fire('key');
    }
  }

  private async dropForgotten(): Promise<void> {
    this.reportForgotten(await this.memory.forgetting.catchUp());
  }

  private reportForgotten(ids: readonly string[]): void {
    const { connection } = this;
    const isForgotten = connection !== undefined && ids.includes(connectionId(connection));
    if (isForgotten && !this.isDisposed) this.changes.fire('forgotten');
  }

  private choose(): Connection | undefined {
    const all = this.known.all();
    const name = this.memory.lastUsed;
    return all.find((one) => one.name === name) ?? all[0];
  }

  private async checkKnown(): Promise<void> {
    const { connection } = this;
    const now = this.known.all().find(({ name }) => name === connection?.name);
    if (connection === undefined || now?.baseUrl !== connection.baseUrl) {
      await this.adopt(now ?? this.choose());
    }
    await this.forgetKeys();
  }

  /**
   * Deletes the keys of connections that were removed or have another origin now. A key that cannot be
   * deleted is tried again next time.
   */
  private async forgetKeys(): Promise<void> {
    const known = this.known.all();
    const wanted = new Set(known.map(secretKeyOf));
    const gone = this.memory.withKeys.filter((one) => !wanted.has(secretKeyOf(one)));
    // In parallel, because each takes a round trip and a change of the connection waits for all.
    const deleted = await Promise.allSettled(gone.map((one) => this.keys.delete(one)));
    const stuck = gone.filter((_, index) => deleted[index]?.status === 'rejected');
    await this.memory.keep([...known, ...stuck]);
  }
}

/** Unlike in the settings, two may have the same name. */
const storedConnections = listOf(v.object({ name: v.string(), baseUrl: v.string() }));

function readName(stored: unknown): string | undefined {
  return readStored(v.string(), stored);
}

/** What windows remember of their connections. */
export class SessionMemory {
  private readonly ofWindow: StoredValue<string>;
  private readonly ofAny: StoredValue<string>;
  private readonly kept: StoredValue<readonly Pick<Connection, 'name' | 'baseUrl'>[]>;
  readonly forgetting: Forgetting;

  constructor(
    window: ListedStorage,
    private readonly allWindows: ListedStorage,
  ) {
    this.forgetting = new Forgetting(window, allWindows);
    this.ofWindow = new StoredValue(window, 'connection', readName);
    this.ofAny = new StoredValue(allWindows, 'connection', readName);
    this.kept = new StoredValue(allWindows, 'keptKeys', (all) =>
      readStored(storedConnections, all),
    );
  }

  /** The server of a connection, with what any window has read of it. */
  serverOf(connection: Connection, clock: Clock): DescribedServer {
    return new DescribedServer(connection, this.allWindows, clock);
  }

  /** The name of the connection that this window used last, otherwise any window. */
  get lastUsed(): string | undefined {
    return this.ofWindow.value ?? this.ofAny.value;
  }

  async use(connection: Connection | undefined): Promise<void> {
    await this.ofWindow.set(connection?.name);
    if (connection !== undefined) await this.ofAny.set(connection.name);
  }

  /** The connections that may have a key, because a secret storage cannot list its content. */
  get withKeys(): readonly Connection[] {
    return (this.kept.value ?? []).flatMap(
      ({ name, baseUrl }) => makeConnection(name, baseUrl) ?? [],
    );
  }

  async keep(connections: readonly Connection[]): Promise<void> {
    const before = this.withKeys;
    const isKept =
      before.length === connections.length &&
      before.every((one, index) => isSame(one, connections[index]));
    if (!isKept) {
      await this.kept.set(connections.map(({ name, baseUrl }) => ({ name, baseUrl })));
    }
  }
}

function isSame(a: Connection | undefined, b: Connection | undefined): boolean {
  return a?.name === b?.name && a?.baseUrl === b?.baseUrl;
}

/** Reads the API key of a given connection. */
interface KeyReader {
  /** Undefined if there is none or the storage fails: the user is signed out then. */
  get(connection: Connection): Promise<string | undefined>;
}

/** The client options that all connections share. */
export type CommonClientOptions = Omit<ClientOptions, 'baseUrl' | 'token' | 'lifetime'>;

/**
 * A connection with its client, from sign-in until sign-out, switch, removal or a change of the URL.
 * Everything that runs for a connection uses this object only, so that it ends with the connection and
 * never gets the key of another one.
 */
export interface SignedInConnection {
  readonly connection: Connection;
  /** Sends the key of this connection to its base URL. All its requests end with `signal`. */
  readonly client: ControlPlaneClient;
  /** The key of this connection; undefined after its end. */
  readonly readKey: () => Promise<string | undefined>;
  /** Aborted with a `ConnectionEndedError` when the connection ends. */
  readonly signal: AbortSignal;
  /** The time zone of the control plane's workspace; undefined until an answer gives it. */
  readonly timeZone: string | undefined;
  /** Resolves when it is known what the server says of itself, as far as it can be known now. Never rejects. */
  readonly whenDescribed: () => Promise<void>;
  /** Reads what the server says of itself if that is due. */
  readonly describeIfDue: () => void;
}

/** A client that can only use the key of its own connection. */
export function clientOf(
  connection: Connection,
  keys: KeyReader,
  options: CommonClientOptions,
  lifetime?: AbortSignal,
): ControlPlaneClient {
  return createClient({
    ...options,
    baseUrl: connection.baseUrl,
    token: () => keys.get(connection),
    ...(lifetime === undefined ? {} : { lifetime }),
  });
}

/** Reads a key that was typed for a connection and is not saved yet. */
export function typedKey(connection: Connection, apiKey: string): KeyReader {
  return { get: (asked) => Promise.resolve(asked === connection ? apiKey : undefined) };
}

/**
 * Signs in to a connection; `end` ends everything that runs for it.
 *
 * @param server what it says of itself decides what is requested. It is read when it is due.
 */
export function signInto(
  connection: Connection,
  keys: KeyReader,
  options: CommonClientOptions,
  server?: DescribedServer,
): { readonly signedIn: SignedInConnection; readonly end: () => void } {
  const life = new AbortController();
  const { signal } = life;
  let timeZone: string | undefined;
  const own: CommonClientOptions = {
    ...options,
    facts: () => server?.facts,
    onDidRequest(entry) {
      options.onDidRequest?.(entry);
      if (server?.isDueAfter(entry) === true) void describe(server);
    },
  };
  // Without any description, what a person asks for may be asked in the wrong way.
  const describe = (of: DescribedServer): Promise<void> =>
    of.read(client, { signal, priority: of.readAt === undefined ? 'person' : 'automatic' });
  const client = clientOf(connection, keys, own, signal);
  const signedIn: SignedInConnection = {
    connection,
    client: {
      ...client,
      async queryLogs(request, callOptions) {
        const answer = await client.queryLogs(request, callOptions);
        timeZone = answer.localization.timeZone ?? timeZone;
        return answer;
      },
    },
    async readKey() {
      const key = signal.aborted ? undefined : await keys.get(connection);
      return signal.aborted ? undefined : key;
    },
    signal,
    get timeZone() {
      return timeZone;
    },
    async whenDescribed() {
      if (server !== undefined && server.readAt === undefined) await describe(server);
    },
    describeIfDue() {
      if (server?.isDue === true) void describe(server);
    },
  };
  return { signedIn, end: () => life.abort(new ConnectionEndedError()) };
}
