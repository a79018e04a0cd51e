import type { Direction } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { containerKeyOf, farthestPart, joinRecords, entryRecords } from '../record/joinRecords';
import { keepKey } from './recordRows';

/** How a list of entries changed with its records. */
export interface EntryChange {
  /** Those that came at an end of the list, and those that went at the older one. Oldest first. */
  readonly added: readonly LogRecord[];
  readonly dropped: readonly LogRecord[];
  /** Those that have more records now, with what they were before. They stay where they are. */
  readonly grown: readonly GrownEntry[];
}

export interface GrownEntry {
  readonly before: LogRecord;
  readonly now: LogRecord;
}

/** How many entries at an end of the list are looked at for those that go on with what came there. */
const mostOpen = 1000;

/** The records of a list that grows at both ends, as entries. */
export class EntryList {
  private list: LogRecord[] = [];
  private isJoined = false;
  /** The records whose places in the list the entries of several have. */
  private places = new WeakMap<LogRecord, LogRecord>();
  /** The entries of the records that have several. */
  private owners = new WeakMap<LogRecord, LogRecord>();

  /** @param joinLines see `joinRecords`; read whenever the list is made anew. */
  constructor(private readonly joinLines: () => boolean) {}

  /** Oldest first. Changes in place: copy what is used later. */
  get entries(): readonly LogRecord[] {
    return this.list;
  }

  /** The entry that a record of the list is in. */
  entryOf(record: LogRecord): LogRecord {
    return this.owners.get(record) ?? record;
  }

  /** The whole list changed. @param records oldest first. */
  replaced(records: readonly LogRecord[]): void {
    this.isJoined = this.joinLines();
    this.places = new WeakMap();
    this.owners = new WeakMap();
    this.list = [...joinRecords(records, this.isJoined)];
    for (const entry of this.list) this.own(entry, entry);
  }

  /**
   * Records came at an end of the list, whose records are now `all`, and `dropped` were removed at the older end.
   *
   * @returns undefined if entries became one, so that the list is another one.
   */
  added(
    direction: Direction,
    records: readonly LogRecord[],
    dropped: readonly LogRecord[],
    all: readonly LogRecord[],
  ): EntryChange | undefined {
    const gone = this.drop(dropped);
    const change = this.isJoined ? this.join(direction, records) : { added: records, grown: [] };
    if (change === undefined) {
      this.replaced(all);
      return undefined;
    }
    const { added } = change;
    if (direction === 'older') this.list = added.concat(this.list);
    else for (const entry of added) this.list.push(entry);
    return { ...change, dropped: gone };
  }

  /** An entry goes with the record whose place it has: the rest of it is about to go. */
  private drop(dropped: readonly LogRecord[]): readonly LogRecord[] {
    const left = new Set(dropped);
    let count = 0;
    for (let entry = this.list[count]; entry !== undefined; entry = this.list[count]) {
      if (!left.has(this.places.get(entry) ?? entry)) break;
      count++;
    }
    return this.list.splice(0, count);
  }

  /** The entries of records at an end, and those there that they are a part of. Undefined: some became one. */
  private join(
    direction: Direction,
    records: readonly LogRecord[],
  ): Omit<EntryChange, 'dropped'> | undefined {
    const known = this.beside(direction, records);
    const before = known.flatMap(entryRecords);
    const added: LogRecord[] = [];
    const grown: GrownEntry[] = [];
    const owners = new Map(
      known.flatMap((entry) => entryRecords(entry).map((part) => [part, entry])),
    );
    for (const entry of joinRecords(
      direction === 'older' ? [...records, ...before] : [...before, ...records],
    )) {
      const parts = entryRecords(entry);
      const olds = [...new Set(parts.flatMap((part) => owners.get(part) ?? []))];
      const [old] = olds;
      if (old === undefined) added.push(entry);
      else if (olds.length > 1 || !entryRecords(old).every((part) => parts.includes(part))) {
        return undefined;
      } else if (parts.length > entryRecords(old).length) grown.push({ before: old, now: entry });
    }
    for (const entry of added) this.own(entry, entry);
    for (const { before: old, now } of grown) {
      this.own(now, this.places.get(old) ?? old);
      this.list[this.list.indexOf(old)] = now;
      keepKey(old, now);
    }
    return { added, grown };
  }

  /**
   * The entries beside what came, oldest first: the last one of each of its containers, or all that may belong to what
   * is older.
   */
  private beside(direction: Direction, records: readonly LogRecord[]): readonly LogRecord[] {
    const wanted = new Set(records.map(containerKeyOf));
    const found: LogRecord[] = [];
    const { list } = this;
    const isOlder = direction === 'older';
    const edge = Date.parse((isOlder ? records.at(-1) : records[0])?.timestamp ?? '');
    for (let count = 0; count < Math.min(mostOpen, list.length); count++) {
      const entry = list[isOlder ? count : list.length - 1 - count];
      if (entry === undefined || Math.abs(Date.parse(entry.timestamp) - edge) > farthestPart) break;
      const key = containerKeyOf(entry);
      if (!wanted.has(key)) continue;
      found.push(entry);
      if (!isOlder) wanted.delete(key);
    }
    return isOlder ? found : found.reverse();
  }

  /** @param place the record or entry whose place in the list it has. */
  private own(entry: LogRecord, place: LogRecord): void {
    const parts = entryRecords(entry);
    if (parts.length === 1) return;
    this.places.set(entry, entryRecords(place)[0] ?? place);
    for (const part of parts) this.owners.set(part, entry);
  }
}
