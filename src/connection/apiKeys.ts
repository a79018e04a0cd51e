import * as v from 'valibot';
import { isLoopback } from '../api/baseUrl';
import { type Disposable, Emitter } from '../base/event';
import { listOf, readStored } from '../base/storedValue';
import { type Connection, secretKeyOf, secretKeyStart } from './connections';

/** The part of a secret storage that is used here. That of VS Code is where its window is. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  /** Newer versions of VS Code have it. */
  keys?(): PromiseLike<readonly string[]>;
  onDidChange(listener: (change: { readonly key: string }) => unknown): Disposable;
}

/** A file on the machine that sends the requests, which is another one than the window's in a remote. */
export interface MachineFile {
  /** What it contains; undefined if there is none. Never rejects. */
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
}

const listOfKeys = listOf(v.string());

/**
 * The API keys: one for each connection and origin, in the secret storage and nowhere else. The key of a
 * loopback connection is used only on machines where the user agreed to it: the same URL leads to another
 * server on each, and all remotes share the storage.
 */
export class ApiKeys {
  private readonly machineChanges = new Emitter<Connection>();
  /** The loopback connections that are used on this machine, as far as this window knows. */
  private readonly known = new Set<string>();

  /** @param onFailure called with errors of the storage that no caller hears of. */
  constructor(
    private readonly secrets: Secrets,
    private readonly machine: MachineFile,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Undefined if there is none that may be used on this machine, or if the storage fails. */
  async get(connection: Connection): Promise<string | undefined> {
    return (await this.isOfMachine(connection)) ? this.read(connection) : undefined;
  }

  /** Whether there is a key, which the user has not agreed to use on this machine. */
  async isElsewhere(connection: Connection): Promise<boolean> {
    return !(await this.isOfMachine(connection)) && (await this.read(connection)) !== undefined;
  }

  /**
   * Whether saving a key would replace another one, also one of another machine.
   *
   * @throws what the storage throws.
   */
  async replacesAnother(connection: Connection, apiKey: string): Promise<boolean> {
    const stored = (await this.secrets.get(secretKeyOf(connection))) ?? apiKey;
    return stored !== apiKey;
  }

  /** Uses the key of a connection on this machine from now on. */
  async useHere(connection: Connection): Promise<void> {
    if (await this.isOfMachine(connection)) return;
    const id = secretKeyOf(connection);
    await this.machine.write([...(await this.onMachine()), id]);
    this.known.add(id);
    this.machineChanges.fire(connection);
  }

  /**
   * Saves a key and then its connection, because a connection without a key is shown as signed out. If one
   * of them cannot be saved, the key is the one before, or there is none.
   *
   * @throws what the storage or `saveConnection` throws.
   */
  async save(
    connection: Connection,
    apiKey: string,
    saveConnection: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    const id = secretKeyOf(connection);
    const before = await this.secrets.get(id);
    const wasHere = await this.isOfMachine(connection);
    await this.secrets.store(id, apiKey);
    try {
      await this.useHere(connection);
      await saveConnection(connection);
    } catch (error) {
      if (!wasHere) await this.leaveMachine(connection).catch(this.onFailure);
      await (before === undefined ? this.secrets.delete(id) : this.secrets.store(id, before));
      throw error;
    }
  }

  async delete(connection: Connection): Promise<void> {
    await this.secrets.delete(secretKeyOf(connection));
    await this.leaveMachine(connection).catch(this.onFailure);
  }

  /**
   * Deletes the keys of connections that are not known any more, as far as the storage can say which keys it has: one
   * may be left of a connection that was removed while no window was open.
   */
  async deleteOrphans(known: readonly Connection[]): Promise<void> {
    const wanted = new Set(known.map(secretKeyOf));
    const stored = (await this.secrets.keys?.()) ?? [];
    const orphans = stored.filter((key) => key.startsWith(secretKeyStart) && !wanted.has(key));
    await Promise.all(orphans.map((key) => this.secrets.delete(key)));
  }

  /** Calls the listener when the key of a connection may have changed, in this or another window. */
  onDidChange(listener: (isFor: (connection: Connection) => boolean) => void): Disposable {
    const notify = (id: string): void => listener((connection) => secretKeyOf(connection) === id);
    const subscriptions = [
      this.secrets.onDidChange(({ key }) => notify(key)),
      this.machineChanges.event((connection) => notify(secretKeyOf(connection))),
    ];
    return { dispose: () => subscriptions.forEach((one) => one.dispose()) };
  }

  private async read(connection: Connection): Promise<string | undefined> {
    try {
      return (await this.secrets.get(secretKeyOf(connection))) ?? undefined;
    } catch (error) {
      this.onFailure(error);
      return undefined;
    }
  }

  private async isOfMachine(connection: Connection): Promise<boolean> {
    if (!isLoopback(new URL(connection.origin).hostname)) return true;
    const id = secretKeyOf(connection);
    if (this.known.has(id)) return true;
    // Another window on this machine may have asked. Before each request, so only until it is found.
    if ((await this.onMachine()).includes(id)) this.known.add(id);
    return this.known.has(id);
  }

  private async leaveMachine(connection: Connection): Promise<void> {
    const id = secretKeyOf(connection);
    this.known.delete(id);
    const all = await this.onMachine();
    if (all.includes(id)) await this.machine.write(all.filter((one) => one !== id));
  }

  private async onMachine(): Promise<readonly string[]> {
    return readStored(listOfKeys, await this.machine.read()) ?? [];
  }
}
