import type { Clock } from '../api/clock';
import { keepEqual } from '../inventory/structuralSharing';
import {
  belongsTo,
  compareEntries,
  type Entry,
  type EntryConnection,
  isUnsettled,
  type Lease,
} from './entries';
import { readEntry } from './readEntry';

/**
 * Who looks after an entry. What is sent again is carried out once, by its idempotency key, and what is
 * watched twice does no harm; a lease is there so that a person is asked and told in one window.
 */

/** For how long a window that says nothing more is believed to be there, in milliseconds. */
const leaseTime = 15_000;
/** How often a lease is renewed: a window may miss that twice. */
export const renewEvery = 5_000;
/** How long the lease of another window that comes up at the same time may take to be written. */
export const settleTime = 1_000;

export function newLease(window: string, clock: Clock): Lease {
  return { window, until: clock.now() + leaseTime };
}

/** Whether another window looks after an entry. One that claims to for longer than any may is wrong. */
export function isHeldElsewhere({ lease }: Entry, window: string, clock: Clock): boolean {
  if (lease === undefined || lease.window === window) return false;
  const left = lease.until - clock.now();
  return left > 0 && left <= leaseTime;
}

export interface EntryChange {
  /** Undefined where it was removed. */
  readonly entry: Entry | undefined;
  /** Undefined where it is new. */
  readonly previous: Entry | undefined;
}

export interface EntryBookOptions {
  readonly connection: EntryConnection;
  readonly store: EntryStore;
  readonly onDidChange: (change: EntryChange) => void;
  /** Told of what could not be kept, after the start. */
  readonly onStoreFailure: (error: unknown) => void;
}

/** The entries of one connection: in memory, and as they are kept. */
export interface EntryBook {
  /** Newest first. */
  readonly all: readonly Entry[];
  find(id: string): Entry | undefined;
  /**
   * Keeps a new entry, and lists it only then.
   *
   * @throws what the store says: then it is neither kept nor listed.
   */
  add(entry: Entry): Promise<void>;
  /** Lists what is known now, and keeps it; resolves when that was tried. */
  set(entry: Entry): Promise<void>;
  remove(id: string): Promise<void>;
  /** Takes in what other windows have kept, but for these, of which this window knows best. */
  merge(except: (id: string) => boolean): Promise<void>;
}

/** Kept for each connection; beyond this those go that began first. */
const maxEntries = 200;

export function createEntryBook(options: EntryBookOptions): EntryBook {
  const { connection, store, onDidChange, onStoreFailure } = options;
  const entries = new Map<string, Entry>();
  /** The write under way of each entry, and what is to be written after it. */
  const writes = new Map<string, { done: Promise<void>; next: Entry | undefined }>();
  /** Counts what happens, so that a list that was read before a change cannot undo it. */
  let sequence = 0;
  const changedAt = new Map<string, number>();
  const removed = new Set<string>();

  function note(entry: Entry): void {
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

  /** One write of an entry at a time, and the last state last. */
  function write(entry: Entry): Promise<void> {
    const busy = writes.get(entry.id);
    if (busy !== undefined) {
      busy.next = entry;
      return busy.done;
    }
    const job = { done: Promise.resolve(), next: undefined as Entry | undefined };
    const work = async (): Promise<void> => {
      for (let at: Entry | undefined = entry; at !== undefined && !removed.has(at.id);) {
        job.next = undefined;
        await store.write(at).catch(onStoreFailure);
        at = job.next;
      }
      writes.delete(entry.id);
    };
    writes.set(entry.id, job);
    job.done = work();
    return job.done;
  }

  function sorted(): readonly Entry[] {
    return [...entries.values()].sort(compareEntries);
  }

  async function remove(id: string): Promise<void> {
    removed.add(id);
    forget(id);
    await writes.get(id)?.done;
    await store.remove(id);
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
      await store.write(entry);
      note(entry);
      await prune();
    },
    set(entry) {
      if (removed.has(entry.id)) return Promise.resolve();
      note(entry);
      const written = write(entry);
      // What was unsettled when there came to be too many could not go then.
      return entries.size > maxEntries && !isUnsettled(entry) ? written.then(prune) : written;
    },
    remove,
    async merge(except) {
      const before = sequence;
      const found = new Map<string, Entry>();
      for (const value of await store.list()) {
        const entry = readEntry(value);
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
        const kept = keepEqual(previous, entry);
        if (kept !== previous) note(kept);
      }
    },
  };
}

/**
 * Where entries are kept: one record each, so that two windows that write different ones do not
 * disturb each other, and shared by all windows.
 */
export interface EntryStore {
  /** Every record as it was found; what cannot be read is left out. Never rejects. */
  list(): Promise<readonly unknown[]>;
  /** Undefined where there is none, or it cannot be read. Never rejects. */
  read(id: string): Promise<unknown>;
  /**
   * Resolves once the entry would survive the end of this window.
   *
   * @throws where it cannot be kept.
   */
  write(entry: Entry): Promise<void>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}
