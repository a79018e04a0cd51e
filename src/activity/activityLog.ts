import { Emitter } from '../base/event';
import { keepEqual } from '../base/json';
import {
  type ActivityChange,
  type ActivityConnection,
  type ActivityEntry,
  belongsTo,
  compareEntries,
  isUnsettled,
} from './activityEntry';
import type { ActivityStorage } from './activityStorage';
import type { EntryKinds } from './entryKind';

/** For each connection. If there are more, the oldest ended ones are removed. */
const maxEntries = 200;

/** The entries of one connection, in memory and in the storage. */
export class ActivityLog {
  private readonly entries = new Map<string, ActivityEntry>();
  /** The current write of each entry, and the state to write after it. */
  private readonly writes = new Map<
    string,
    { done: Promise<void>; next: ActivityEntry | undefined }
  >();
  /** Counts changes, so that a list that was read before a change cannot undo it. */
  private sequence = 0;
  private readonly changedAt = new Map<string, number>();
  private readonly removed = new Set<string>();
  private readonly changes = new Emitter<ActivityChange>();
  private readonly failures = new Emitter<unknown>();

  constructor(
    private readonly connection: ActivityConnection,
    private readonly storage: ActivityStorage,
    private readonly kinds: EntryKinds,
  ) {}

  /** Fires when an entry is added, removed or changed, but not for a heartbeat alone. */
  readonly onDidChange = this.changes.event;
  /** Fires with the error if a change of an entry could not be saved. */
  readonly onDidFail = this.failures.event;

  /** Newest first. */
  get all(): readonly ActivityEntry[] {
    return [...this.entries.values()].sort(compareEntries);
  }

  find(id: string): ActivityEntry | undefined {
    return this.entries.get(id);
  }

  /**
   * Saves a new entry and then lists it.
   *
   * @throws the error of the storage. Then the entry is not listed.
   */
  async add(entry: ActivityEntry): Promise<void> {
    await this.storage.write(entry.id, entry);
    this.remember(entry);
    await this.prune();
  }

  /** Updates the list and saves the entry. Resolves when it is saved, or when saving failed. */
  async set(entry: ActivityEntry): Promise<void> {
    if (this.removed.has(entry.id)) return;
    this.remember(entry);
    await this.write(entry);
    // An entry that was running when there were too many is removed only now.
    if (this.entries.size > maxEntries && !isUnsettled(entry)) await this.prune();
  }

  async remove(id: string): Promise<void> {
    this.removed.add(id);
    this.forget(id);
    await this.writes.get(id)?.done;
    await this.storage.remove(id);
  }

  /** Whether an entry was removed here, so that it is not added again. */
  isRemoved(id: string): boolean {
    return this.removed.has(id);
  }

  /** The entry as any window wrote it last; undefined if it cannot be read. */
  async read(id: string): Promise<ActivityEntry | undefined> {
    return this.kinds.read(await this.storage.read(id));
  }

  /** Reads the changes of other windows, except for entries that this window works on. */
  async merge(except: (id: string) => boolean): Promise<void> {
    const before = this.sequence;
    const found = new Map<string, ActivityEntry>();
    for (const value of await this.storage.readAll()) {
      const entry = this.kinds.read(value);
      if (entry !== undefined && belongsTo(entry, this.connection)) found.set(entry.id, entry);
    }
    const isOurs = (id: string): boolean =>
      except(id) ||
      this.writes.has(id) ||
      this.removed.has(id) ||
      (this.changedAt.get(id) ?? 0) > before;
    for (const id of this.entries.keys()) {
      if (!found.has(id) && !isOurs(id)) this.forget(id);
    }
    for (const entry of found.values()) {
      if (!isOurs(entry.id)) this.remember(entry);
    }
  }

  private remember(entry: ActivityEntry): void {
    const previous = this.entries.get(entry.id);
    const next = keepEqual(previous, entry);
    if (next === previous) return;
    this.entries.set(entry.id, next);
    this.changedAt.set(entry.id, ++this.sequence);
    if (previous === undefined || !isSameWork(previous, next)) {
      this.changes.fire({ entry: next, previous });
    }
  }

  private forget(id: string): void {
    const previous = this.entries.get(id);
    if (previous === undefined) return;
    this.entries.delete(id);
    this.changes.fire({ entry: undefined, previous });
  }

  /** Writes an entry once at a time, and its last state last. */
  private write(entry: ActivityEntry): Promise<void> {
    const busy = this.writes.get(entry.id);
    if (busy !== undefined) {
      busy.next = entry;
      return busy.done;
    }
    const job = { done: Promise.resolve(), next: undefined as ActivityEntry | undefined };
    const work = async (): Promise<void> => {
      for (let at: ActivityEntry | undefined = entry; at && !this.removed.has(at.id);) {
        job.next = undefined;
        await this.storage.write(at.id, at).catch((error: unknown) => this.failures.fire(error));
        at = job.next;
      }
      this.writes.delete(entry.id);
    };
    this.writes.set(entry.id, job);
    job.done = work();
    return job.done;
  }

  private async prune(): Promise<void> {
    const old = this.all.slice(maxEntries).filter((entry) => !isUnsettled(entry));
    await Promise.all(old.map(({ id }) => this.remove(id)));
  }
}

/** Whether two states of an entry differ at most in their heartbeats. */
function isSameWork(
  { heartbeat: _before, ...before }: ActivityEntry,
  { heartbeat: _after, ...after }: ActivityEntry,
): boolean {
  return keepEqual(before, after) === before;
}
