import type { ControlPlaneClient } from '../api/client';
import { ConnectionEndedError } from '../api/errors';
import { onAbort, second, untilAborted } from '../base/clock';
import { type Disposable, Emitter } from '../base/event';
import { connectionId, makeConnection } from '../connection/connections';
import {
  type ActivityChange,
  type ActivityConnection,
  type ActivityEntry,
  type Heartbeat,
  isUnsettled,
} from './activityEntry';
import { ActivityLog } from './activityLog';
import type { ActivityStorage } from './activityStorage';
import { type EntryKind, type EntryKinds, isOfKind } from './entryKind';
import { cancelled } from './problems';
import type { Runner, RunnerTools, RunSignals } from './runner';

/** How often a window says that it works on an entry, in milliseconds. */
const beatEvery = 5 * second;
/** A window that said nothing for as long has crashed, in milliseconds. It may miss two beats. */
const longestSilence = 15 * second;
/** How often entries of other windows are read, in milliseconds. */
const readEvery = 5 * second;

/** The open connection. */
interface Opened {
  readonly connection: ActivityConnection;
  readonly client: ControlPlaneClient;
  /** By the names of their kinds. */
  readonly runners: ReadonlyMap<string, Runner<ActivityEntry>>;
  readonly log: ActivityLog;
  readonly end: AbortController;
  readonly subscription: Disposable;
  /** The entries that this window asked about: a question that was dismissed waits for the next start. */
  readonly asked: Set<string>;
}

/** What to do with a request of unknown outcome. Undefined if the question was dismissed. */
export type ResendChoice = 'send' | 'leave' | undefined;

/**
 * What was started or is watched on the open connection, and its progress. All windows share the entries, and
 * one of them works on each: its heartbeat in the entry tells the others a crash from a wait. Nothing depends
 * on that but comfort: the idempotency key prevents a second clean-up, and watching twice does no harm.
 */
export class Activity {
  private readonly changes = new Emitter<ActivityChange | undefined>();
  private readonly failures = new Emitter<unknown>();
  private readonly window: string;
  private opened: Opened | undefined;
  private readonly runs = new Map<string, Run>();
  /** Entries that are being saved. Their action starts next, so they must not be resumed. */
  private readonly beginning = new Set<string>();
  private isFocused = false;
  private cancelReading: (() => void) | undefined;
  /** Resolves when the entries of all closed connections are saved. */
  private saved: Promise<unknown> = Promise.resolve();

  /**
   * @param tools all but the client.
   * @param ask asks the user whether to send a request without a response again, until the signal is aborted.
   * @param newId returns a new random UUID.
   */
  constructor(
    readonly kinds: EntryKinds,
    private readonly storage: ActivityStorage,
    private readonly tools: Omit<RunnerTools, 'client'>,
    private readonly ask: (entry: ActivityEntry, until: AbortSignal) => Promise<ResendChoice>,
    private readonly newId: () => string,
  ) {
    this.window = newId();
  }

  /**
   * Fires when an entry is added, changed or removed, and without a change when all entries are replaced.
   */
  readonly onDidChange = this.changes.event;
  /** Fires with the error if an action failed unexpectedly or could not be saved. */
  readonly onDidFail = this.failures.event;

  /** Newest first; empty without a connection. */
  get entries(): readonly ActivityEntry[] {
    return this.opened?.log.all ?? [];
  }

  /** Those of one kind, newest first. */
  entriesOf<E extends ActivityEntry>(kind: EntryKind<E, never>): readonly E[] {
    return this.entries.filter((entry) => isOfKind(entry, kind));
  }

  find(id: string): ActivityEntry | undefined {
    return this.opened?.log.find(id);
  }

  /** How many are running, in any window. */
  get running(): number {
    return this.entries.filter((entry) => isUnsettled(entry) && !this.kinds.isSettling(entry))
      .length;
  }

  /** Whether this window works on an entry. */
  isHere(id: string): boolean {
    return this.runs.has(id) || this.beginning.has(id);
  }

  /** Opens a connection and resumes its entries that no window works on. */
  async open(connection: ActivityConnection, client: ControlPlaneClient): Promise<void> {
    if (!this.isOpen(connection, client)) {
      // The connection is available at once, but its entries are read only when those before it are saved.
      const closing = this.close();
      const log = new ActivityLog(connection, this.storage, this.kinds);
      const tools = { ...this.tools, client };
      log.onDidFail((error) => this.failures.fire(error));
      this.opened = {
        connection,
        client,
        log,
        runners: new Map(this.kinds.all.map((kind) => [kind.name, kind.runner(tools)])),
        end: new AbortController(),
        asked: new Set(),
        subscription: log.onDidChange((change) => this.changes.fire(change)),
      };
      this.changes.fire(undefined);
      await closing;
    }
    await this.read(true);
  }

  private isOpen({ name, baseUrl }: ActivityConnection, client: ControlPlaneClient): boolean {
    const { connection, client: own } = this.opened ?? {};
    return own === client && connection?.name === name && connection.baseUrl === baseUrl;
  }

  /** Aborts what is running. The entries stay with their connection. Resolves when they are saved. */
  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = undefined;
    if (opened !== undefined) {
      this.cancelReading?.();
      this.cancelReading = undefined;
      opened.subscription.dispose();
      this.changes.fire(undefined);
      opened.end.abort(new ConnectionEndedError());
      this.saved = Promise.all([this.saved, ...[...this.runs.values()].map(({ done }) => done)]);
    }
    await this.saved;
  }

  /**
   * Removes all entries of a connection that is closed, once they are saved. Never rejects.
   *
   * @param id as `connectionId` returns it.
   */
  async forget(id: string): Promise<void> {
    await this.saved;
    for (const value of await this.storage.readAll()) {
      const entry = this.kinds.read(value);
      if (entry === undefined) continue;
      // The path of the base URL may have changed since.
      const own = makeConnection(entry.connection.name, entry.connection.baseUrl);
      if (own && connectionId(own) === id) await this.storage.remove(entry.id);
    }
  }

  /** Whether the window has the focus: that window asks what is undecided. False at first. */
  setFocused(isFocused: boolean): void {
    this.isFocused = isFocused;
    if (isFocused) void this.refresh();
  }

  /** Reads the changes of other windows, and resumes what they left. */
  refresh(): Promise<void> {
    return this.read(false);
  }

  /**
   * Saves a new entry and then runs its action. Resolves with the id of the entry when it is saved.
   *
   * @param id a UUID that every window finds for the same thing: what one of them has started, or the user has
   *   removed, is not started again.
   * @throws the error of the storage, the reason of the closed connection, or if there is none. Then nothing
   *   was started or saved.
   */
  async start<T>(
    kind: EntryKind<ActivityEntry, T>,
    target: NoInfer<T>,
    id = this.newId(),
  ): Promise<string> {
    const opened = this.opened;
    if (opened === undefined) throw new Error('There is no connection.');
    const { connection, client } = opened;
    const { name, baseUrl } = connection;
    const known = this.isHere(id) ? this.find(id) : await opened.log.read(id);
    if (known !== undefined || opened.log.isRemoved(id)) return id;
    const at = client.serverNow();
    const entry: ActivityEntry = {
      id,
      connection: { name, baseUrl },
      at,
      heartbeat: this.beat(),
      ...kind.begin(target, at, this.newId),
    };
    this.beginning.add(entry.id);
    try {
      await opened.log.add(entry);
      if (opened.end.signal.aborted) await opened.log.remove(entry.id);
      opened.end.signal.throwIfAborted();
      this.run(opened, entry, entry);
      return entry.id;
    } finally {
      this.beginning.delete(entry.id);
    }
  }

  /** Stops watching and retrying. The operation continues on the server. */
  stop(id: string): void {
    this.runs.get(id)?.stop.abort();
  }

  /** Watches what the server accepted again. */
  watchAgain(id: string): void {
    void this.onFree(id, (entry, opened) => {
      if (this.kinds.canWatchAgain(entry)) this.run(opened, entry, resumed(entry));
    });
  }

  /** Sends the request of an unknown outcome again, because the user decided so. */
  sendAgain(id: string): void {
    if (this.answer(id, 'send')) return;
    void this.onFree(id, (entry, opened) => {
      if (this.kinds.canSendAgain(entry)) this.run(opened, entry, asSentAgain(entry));
    });
  }

  /** Removes an entry that no window works on. */
  async remove(id: string): Promise<void> {
    // After the removal, the question is obsolete.
    this.answer(id, 'leave');
    await this.onFree(id, (_, { log }) => log.remove(id));
  }

  private beat(): Heartbeat {
    return { window: this.window, at: this.tools.clock.now() };
  }

  /** Whether another window works on the entry. */
  private isHeldElsewhere({ heartbeat }: ActivityEntry): boolean {
    if (heartbeat === undefined || heartbeat.window === this.window) return false;
    return Math.abs(this.tools.clock.now() - heartbeat.at) < longestSilence;
  }

  private isFree(entry: ActivityEntry): boolean {
    return !this.isHere(entry.id) && !this.isHeldElsewhere(entry);
  }

  /** Reads what other windows wrote, and resumes what no window works on. */
  private async read(isOpening: boolean): Promise<void> {
    const opened = this.opened;
    await opened?.log.merge((id) => this.isHere(id));
    if (opened === undefined || opened !== this.opened) return;
    for (const entry of opened.log.all) {
      const isWanted = this.isWanted(entry, opened) || (isOpening && this.kinds.isSignedOut(entry));
      if (isWanted && this.isFree(entry)) this.run(opened, entry, resumed(entry));
    }
    this.readLater(opened);
  }

  /** Whether this window resumes the entry if no window works on it. */
  private isWanted(entry: ActivityEntry, { asked }: Opened): boolean {
    if (!this.kinds.isUndecided(entry)) return isUnsettled(entry);
    return this.isFocused && (isUnsettled(entry) || !asked.has(entry.id));
  }

  /** Reads the entries of other windows while these have running ones: they may finish or crash. */
  private readLater(opened: Opened): void {
    const hasOthers = opened.log.all.some(
      (entry) => !this.isHere(entry.id) && (isUnsettled(entry) || this.isWanted(entry, opened)),
    );
    if (!hasOthers || this.cancelReading !== undefined || opened !== this.opened) return;
    this.cancelReading = this.tools.clock.setTimer(() => {
      this.cancelReading = undefined;
      void this.refresh();
    }, readEvery);
  }

  /** Acts on an entry that no window works on. If it has just ended, waits until that is saved. */
  private async onFree(
    id: string,
    act: (entry: ActivityEntry, opened: Opened) => unknown,
  ): Promise<void> {
    const opened = this.opened;
    const ended = opened?.log.find(id);
    if (ended !== undefined && !isUnsettled(ended)) await this.runs.get(id)?.done;
    const entry = opened?.log.find(id);
    if (opened === undefined || opened !== this.opened) return;
    if (entry !== undefined && this.isFree(entry)) await act(entry, opened);
  }

  /** Answers the open question about an entry. Returns false if there is none. */
  private answer(id: string, choice: ResendChoice): boolean {
    const answer = this.runs.get(id)?.answer;
    answer?.(choice);
    return answer !== undefined;
  }

  /**
   * Runs the action of an entry in this window.
   *
   * @param first the state to run it from, which differs from the entry if that is resumed.
   */
  private run(opened: Opened, entry: ActivityEntry, first: ActivityEntry): void {
    if (this.runs.has(entry.id)) return;
    const run = new Run(entry);
    this.runs.set(entry.id, run);
    run.done = this.work(opened, run, first).then(() => {
      this.runs.delete(entry.id);
      this.readLater(opened);
    });
  }

  /** Resolves when the action has ended and its end is saved. Never rejects. */
  private async work(opened: Opened, run: Run, first: ActivityEntry): Promise<void> {
    const { log } = opened;
    const release = onAbort(opened.end.signal, () => run.end(opened.end.signal.reason));
    const set = (entry: ActivityEntry): Promise<void> =>
      log.set((run.entry = { ...entry, heartbeat: this.beat() }));
    const report = (entry: ActivityEntry): Promise<void> =>
      set({ ...entry, endedAt: endOf(run.entry, entry, opened.client) });

    const beat = (): void => {
      cancelBeat = this.tools.clock.setTimer(beat, beatEvery);
      void log.read(run.entry.id).then((stored) => {
        if (run.lifetime.aborted) return;
        // Another window took it over while this machine slept, or at the same moment.
        if (stored !== undefined && this.isHeldElsewhere(stored)) run.giveUp();
        else void set(run.entry);
      });
    };
    let cancelBeat = this.tools.clock.setTimer(beat, beatEvery);

    try {
      let next: ActivityEntry | undefined = first;
      while (next !== undefined) {
        const isClaimed = next.heartbeat?.window === this.window;
        if (next !== run.entry || !isClaimed) await report(next);
        const runner = opened.runners.get(next.kind);
        if (runner !== undefined) await report(await runner.run(run.entry, run.signals, report));
        next = await this.askAbout(opened, run, report);
      }
    } catch (error) {
      if (!run.lifetime.aborted) this.failures.fire(error);
    }
    run.end();
    cancelBeat();
    release();
    if (!run.isTaken) await log.set({ ...run.entry, heartbeat: undefined });
  }

  /** Returns the entry to send again, if the user wants that. */
  private async askAbout(
    { asked }: Opened,
    run: Run,
    report: (entry: ActivityEntry) => Promise<void>,
  ): Promise<ActivityEntry | undefined> {
    const { entry } = run;
    if (!this.kinds.canSendAgain(entry)) return undefined;
    asked.add(entry.id);
    const elsewhere = new Promise<ResendChoice>((resolve) => (run.answer = resolve));
    const choice = await untilAborted(
      Promise.race([this.ask(entry, run.lifetime), elsewhere]),
      run.lifetime,
    ).finally(() => (run.answer = undefined));
    if (choice === 'send') {
      // The user may have stopped the try before, not this one.
      run.stop = new AbortController();
      return asSentAgain(entry);
    }
    if (choice === 'leave' && entry.progress.kind === 'unknown' && this.kinds.isUndecided(entry)) {
      await report({ ...entry, progress: { ...entry.progress, why: 'noAnswer' } });
    }
    return undefined;
  }
}

/** The work of this window on an entry. */
class Run {
  private readonly controller = new AbortController();
  stop = new AbortController();
  /** Answers the open question about the entry. */
  answer: ((choice: ResendChoice) => void) | undefined;
  /** Whether another window works on the entry now. */
  isTaken = false;
  done: Promise<void> = Promise.resolve();

  constructor(public entry: ActivityEntry) {}

  get lifetime(): AbortSignal {
    return this.controller.signal;
  }

  get signals(): RunSignals {
    return { lifetime: this.lifetime, stop: this.stop.signal };
  }

  end(reason?: unknown): void {
    this.controller.abort(reason);
    this.stop.abort(reason);
  }

  giveUp(): void {
    this.isTaken = true;
    this.end();
  }
}

/** An entry as it is run after its window or its connection was closed, or to watch it again. */
function resumed(entry: ActivityEntry): ActivityEntry {
  switch (entry.progress.kind) {
    case 'preparing':
      return { ...entry, progress: { kind: 'refused', problem: cancelled } };
    case 'sending':
      return { ...entry, progress: { kind: 'unknown', why: 'interrupted' } };
    case 'left':
      return { ...entry, progress: { kind: 'following' } };
    default:
      return entry;
  }
}

function asSentAgain(entry: ActivityEntry): ActivityEntry {
  return { ...entry, progress: { kind: 'sending', isAgain: true } };
}

/** When an entry ended. Undefined while it is running. */
function endOf(
  before: ActivityEntry,
  after: ActivityEntry,
  client: ControlPlaneClient,
): number | undefined {
  if (isUnsettled(after)) return undefined;
  return (isUnsettled(before) ? undefined : before.endedAt) ?? client.serverNow();
}
