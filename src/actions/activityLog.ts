import { keepEqual } from '../data/structuralSharing';
import {
  type ActivityChange,
  type ActivityConnection,
  type ActivityEntry,
  belongsTo,
  compareEntries,
  isUnsettled,
} from './activityEntry';
import { type ActivityStorage, readActivityEntry } from './activityStorage';

interface ActivityLogOptions {
  readonly connection: ActivityConnection;
  readonly storage: ActivityStorage;
  readonly onDidChange: (change: ActivityChange) => void;
  /** Called if a change of an entry could not be saved. */
  readonly onError: (error: unknown) => void;
}

/** The entries of one connection, in memory and in the storage. */
export interface ActivityLog {
  /** Newest first. */
  readonly all: readonly ActivityEntry[];
  find(id: string): ActivityEntry | undefined;
  /**
   * Saves a new entry and then lists it.
   *
   * @throws the error of the storage. Then the entry is not listed.
   */
  add(entry: ActivityEntry): Promise<void>;
  /** Updates the list and saves the entry. Resolves when it is saved, or when saving failed. */
  set(entry: ActivityEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** Reads the changes of other windows, except for entries that this window works on. */
  merge(except: (id: string) => boolean): Promise<void>;
}

/** For each connection. If there are more, the oldest ended ones are removed. */
const maxEntries = 200;

export function createActivityLog(options: ActivityLogOptions): ActivityLog {
  const { connection, storage, onDidChange, onError } = options;
  const entries = new Map<string, ActivityEntry>();
  /** The current write of each entry, and the state to write after it. */
  const writes = new Map<string, { done: Promise<void>; next: ActivityEntry | undefined }>();
  /** Counts changes, so that a list that was read before a change cannot undo it. */
  let sequence = 0;
  const changedAt = new Map<string, number>();
  const removed = new Set<string>();

  function note(entry: ActivityEntry): void {
    const previous = entries.get(entry.id);
    entries.set(entry.id, entry);
    changedAt.set(entry.id, ++sequence);
    onDidChange({ entry, previous });
  }

  function forget(id: string): void {
    const previous = entries.get(id);
    if (previous === undefined) return;
    entries.delete(id);
    onDidChange({ entry: undefined, previous });
  }

  /** Writes an entry once at a time, and its last state last. */
  function write(entry: ActivityEntry): Promise<void> {
    const busy = writes.get(entry.id);
    if (busy !== undefined) {
      busy.next = entry;
      return busy.done;
    }
    const job = { done: Promise.resolve(), next: undefined as ActivityEntry | undefined };
    const work = async (): Promise<void> => {
      for (let at: ActivityEntry | undefined = entry; at !== undefined && !removed.has(at.id);) {
        job.next = undefined;
        await storage.write(at).catch(onError);
        at = job.next;
      }
      writes.delete(entry.id);
    };
    writes.set(entry.id, job);
    job.done = work();
    return job.done;
  }

  function sorted(): readonly ActivityEntry[] {
    return [...entries.values()].sort(compareEntries);
  }

  async function remove(id: string): Promise<void> {
    removed.add(id);
    forget(id);
    await writes.get(id)?.done;
    await storage.remove(id);
  }

  async function prune(): Promise<void> {
    const old = sorted()
      .slice(maxEntries)
      .filter((entry) => !isUnsettled(entry));
    await Promise.all(old.map(({ id }) => remove(id)));
  }

  return {
    get all() {
      return sorted();
    },
    find: (id) => entries.get(id),
    async add(entry) {
      await storage.write(entry);
      note(entry);
      await prune();
    },
    set(entry) {
      if (removed.has(entry.id)) return Promise.resolve();
      note(entry);
      const written = write(entry);
      // An entry that was running when there were too many is removed only now.
      return entries.size > maxEntries && !isUnsettled(entry) ? written.then(prune) : written;
    },
    remove,
    async merge(except) {
      const before = sequence;
      const found = new Map<string, ActivityEntry>();
      for (const value of await storage.list()) {
        const entry = readActivityEntry(value);
        if (entry !== undefined && belongsTo(entry, connection)) found.set(entry.id, entry);
      }
      const isOurs = (id: string): boolean =>
        except(id) || writes.has(id) || removed.has(id) || (changedAt.get(id) ?? 0) > before;
      for (const id of entries.keys()) {
        if (!found.has(id) && !isOurs(id)) forget(id);
      }
      for (const entry of found.values()) {
        if (isOurs(entry.id)) continue;
        const previous = entries.get(entry.id);
        const shared = keepEqual(previous, entry);
        if (shared !== previous) note(shared);
      }
    },
  };
}
