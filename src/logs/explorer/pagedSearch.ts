import type { ControlPlaneClient } from '../../api/client';
import type { Direction, PageCursor } from '../../api/cursors';
import {
  type FetchedPages,
  fetchPages,
  type PagesRequest,
  type PagesStart,
} from '../../api/fetchPages';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { compareTimestamps, ordered, utcTime, utcTimeOf } from '../../api/utcTime';
import { second } from '../../base/clock';
import { Emitter } from '../../base/event';
import { recordSize } from '../record/recordSize';
import { rowKey } from './recordRows';

export interface SearchRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>;
  /** Includes the range. */
  readonly filters: LogQueryFilters;
  /** The current end of an open range, ISO UTC. */
  readonly until?: () => string;
  /** The maximum number of records in memory. Default: 100,000. */
  readonly maxRecords?: number;
  /** Their maximum estimated size in memory. Default: 128 MiB. */
  readonly maxBytes?: number;
}

/** Records came at an end of a list, and `dropped` were removed at the older end. Oldest first. */
export interface Added {
  readonly direction: Direction;
  readonly records: readonly LogRecord[];
  readonly dropped: readonly LogRecord[];
  /** The list as it is now. Changes in place: copy what is used later. */
  readonly all: readonly LogRecord[];
}

type LoadOptions = Pick<PagesRequest, 'target' | 'maxPages' | 'signal' | 'onProgress' | 'onWait'>;

/** The result of a load. */
export type Loaded =
  | {
      readonly kind: 'records';
      /** Why loading ended there. */
      readonly end: FetchedPages['end'];
      /** The cursor was lost and loading continued by timestamp: some records may be missing. */
      readonly restarted: boolean;
    }
  /** The permissions changed: all records are gone, and the next load starts over. */
  | { readonly kind: 'accessChanged' }
  /** The list has reached its maximum size. */
  | { readonly kind: 'full' };

/** The position of a search, after its first page. */
interface SearchState {
  /** The cursors of the next pages. Without one, records are requested by time. */
  readonly older: PageCursor | undefined;
  readonly newer: PageCursor | undefined;
  /**
   * Why the last load at each end ended: `end` means that everything in the range is loaded there, which
   * for newer records is what there was when that load began.
   */
  readonly ends: Readonly<Record<Direction, FetchedPages['end'] | undefined>>;
  /** When the last load of the newest records began: milliseconds since 1970, by the control plane's clock. */
  readonly newestAt: number;
  /** Identifies the permissions that the records were read with. */
  readonly accessRevision: string;
  /** Whether the server left out records. */
  readonly partial: boolean;
}

interface LoadRequest extends Omit<PagesRequest, 'start'> {
  /** When it began: milliseconds since 1970, by the control plane's clock. */
  readonly at: number;
  readonly clears: number;
  readonly cuts: number;
}

/** How late a record may arrive after its own timestamp, in milliseconds. */
const late = 10 * second;

/** A list of records that match filters, which grows at both ends. */
export class PagedSearch {
  private readonly list = new SearchRecords();
  private readonly client: SearchRequest['client'];
  private readonly filters: LogQueryFilters;
  private readonly until: () => string;
  private readonly maxRecords: number;
  private readonly maxBytes: number;
  private position: SearchState | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  /** How often everything was removed. */
  private clears = 0;
  /** How often the oldest records were removed. */
  private cuts = 0;
  private droppedCount = 0;
  private readonly added = new Emitter<Added>();

  /** Fires when a load or `follow` changes the list, for the first page before there is a state. */
  readonly onDidAdd = this.added.event;

  constructor({ client, filters, until, maxRecords, maxBytes }: SearchRequest) {
    this.client = client;
    this.filters = filters;
    this.until = until ?? (() => filters.to);
    this.maxRecords = maxRecords ?? 100_000;
    this.maxBytes = maxBytes ?? 128 * 1024 * 1024;
  }

  /** Oldest first, in the server's order. Changes in place: copy what is used later. */
  get records(): readonly LogRecord[] {
    return this.list.records;
  }

  /** The record of the list with a key, as `rowKey` returns it. */
  recordOf(key: string): LogRecord | undefined {
    return this.list.recordOf(key);
  }

  /** Undefined before the first page. */
  get state(): SearchState | undefined {
    return this.position;
  }

  /** Whether the list has reached its maximum number of records or size. */
  get isFull(): boolean {
    const { records, bytes } = this.list;
    // Dropped records would be loaded and dropped again.
    return this.dropped > 0 || records.length >= this.maxRecords || bytes >= this.maxBytes;
  }

  /** How many of the oldest records were removed to make room for newer ones. */
  get dropped(): number {
    return this.droppedCount;
  }

  /**
   * Loads older records, starting with the newest, or newer ones; the oldest are removed if there are too
   * many. Loads run one after the other.
   *
   * @throws what the client throws, and the signal's reason; the list stays as it was.
   */
  load(direction: Direction, options: LoadOptions): Promise<Loaded> {
    const result = this.queue.then(() => this.loadNow(direction, options));
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** Adds records of a stream at the newer end. */
  follow(records: readonly LogRecord[]): void {
    const { position } = this;
    if (position === undefined) return;
    // The cursor would bring these records again, so the next load continues by timestamp.
    this.position = { ...position, newer: undefined, ends: { ...position.ends, newer: 'end' } };
    this.addNewer(records);
  }

  /** Removes everything; the next load starts over. */
  clear(): void {
    this.list.clear();
    this.position = undefined;
    this.droppedCount = 0;
    this.clears++;
  }

  private async loadNow(wanted: Direction, options: LoadOptions): Promise<Loaded> {
    options.signal.throwIfAborted();
    const { position } = this;
    if (wanted === 'older' || position === undefined) {
      if (this.isFull) return { kind: 'full' };
      if (position?.ends.older === 'end') return nothing('end');
    }
    const { client, clears, cuts } = this;
    const at = client.serverNow();
    const asked = { ...options, client, priority: 'person', at, clears, cuts } as const;
    // An empty list starts with the newest records, whatever the direction.
    if (position === undefined || (wanted === 'newer' && this.records.length === 0)) {
      const newest: PagesStart = { filters: this.filtersNow(), direction: 'older' };
      return this.addPages(await fetchPages(this.bounded(asked, newest)), asked, 'older');
    }
    const isOlder = wanted === 'older';
    const cursor = position[wanted];
    const found =
      cursor &&
      (await fetchPages(isOlder ? this.bounded(asked, cursor) : { ...asked, start: cursor }));
    const pages = found === 'cursorRefused' ? undefined : found;
    const loaded = pages && this.addPages(pages, asked, wanted);
    if (loaded && (loaded.kind !== 'records' || !isCursorOver(loaded.end, wanted))) return loaded;
    // The permissions may have changed with the cursor; `addPages` then clears the list.
    const target = Math.max(1, asked.target - (pages?.records.length ?? 0));
    const since = { ...asked, target };
    const rest = isOlder
      ? this.addPages(await fetchPages(this.bounded(since, this.beforeOldest())), since, 'older')
      : await this.loadSince(since);
    if (rest.kind !== 'records') return rest;
    const isRefused = cursor !== undefined && loaded?.end !== 'end';
    return { ...rest, restarted: rest.restarted || isRefused };
  }

  /**
   * Loads newer records by the timestamp of the newest. The server decides where such a search starts:
   * there is no gap only if it starts at a loaded record. Otherwise it goes back from the newest records
   * to a loaded one.
   */
  private async loadSince(asked: LoadRequest): Promise<Loaded> {
    const { list } = this;
    const start = this.sinceNewest();
    const target = asked.target + this.knownSince(start);
    const found = await fetchPages({ ...asked, start, target });
    const [first] = found.records;
    if (first !== undefined && list.has(first.eventId)) return this.addPages(found, asked, 'newer');
    const back = await fetchPages({
      ...asked,
      start: { ...start, direction: 'older' },
      // More would be dropped at once.
      target: this.maxRecords,
      onPage: ({ records }) => records.some(({ eventId }) => list.has(eventId)),
    });
    // The records of a cancelled load would leave a gap.
    if (back.end === 'cancelled') {
      const { position } = this;
      if (position) this.position = { ...position, ends: { ...position.ends, newer: 'cancelled' } };
      return nothing('cancelled');
    }
    const isWhole = ['end', 'satisfied', 'target', 'accessChanged'].includes(back.end);
    const end = back.end === 'accessChanged' ? back.end : 'end';
    const loaded = this.addPages({ ...back, end, next: undefined }, asked, 'newer');
    return loaded.kind === 'records' ? { ...loaded, restarted: !isWhole } : loaded;
  }

  private addPages(found: FetchedPages, asked: LoadRequest, direction: Direction): Loaded {
    // The list was cleared in the meantime.
    if (asked.clears !== this.clears) return { kind: 'accessChanged' };
    const { position } = this;
    const isOther = position !== undefined && position.accessRevision !== found.accessRevision;
    if (found.end === 'accessChanged' || isOther) {
      this.clear();
      return { kind: 'accessChanged' };
    }
    // Old records were dropped in the meantime: there would be a gap.
    if (direction === 'older' && asked.cuts !== this.cuts) return { kind: 'full' };
    if (direction === 'newer') this.addNewer(found.records);
    else {
      const records = this.list.addOlder(found.records);
      this.added.fire({ direction, records, dropped: [], all: this.records });
    }
    this.position = nextState(this.position, found, direction, asked.at);
    return { kind: 'records', end: found.end, restarted: false };
  }

  private addNewer(records: readonly LogRecord[]): void {
    const { list, position } = this;
    const before = list.records.length;
    const added = list.addNewer(records);
    const gone = list.keepNewest(this.maxRecords, this.maxBytes);
    if (gone.length > 0) {
      this.droppedCount += gone.length;
      this.cuts++;
      // The cursor for older records is before the dropped ones.
      if (position) {
        this.position = {
          ...position,
          older: undefined,
          ends: { ...position.ends, older: undefined },
        };
      }
    }
    // Some of the added records may have been dropped at once.
    const skipped = Math.max(0, gone.length - before);
    this.added.fire({
      direction: 'newer',
      records: added.slice(skipped),
      dropped: gone.slice(0, before),
      all: list.records,
    });
  }

  private filtersNow(): LogQueryFilters {
    return ordered({ ...this.filters, to: this.until() });
  }

  /** The start of older records without a cursor: the time of the oldest record. */
  private beforeOldest(): PagesStart {
    const to = utcTime(this.records[0]?.timestamp ?? '') ?? this.until();
    return { filters: ordered({ ...this.filters, to }), direction: 'older' };
  }

  /** The start of newer records without a cursor: shortly before the newest, since records can be late. */
  private sinceNewest(): PagesStart {
    const { records } = this;
    const now = this.filtersNow();
    const [oldest] = records;
    // After a record in the future, the next ones may be earlier.
    let known = records.length - 1;
    while (known > 0 && timeOf(records[known]) > Date.parse(now.to)) known--;
    const last = records[known];
    // Other records with the timestamp of the oldest may not be loaded.
    const first = records.find(
      ({ timestamp }) => compareTimestamps(timestamp, oldest?.timestamp ?? '') > 0,
    );
    const earliest = first === undefined || timeOf(first) > timeOf(last) ? last : first;
    const isEarliest = !(timeOf(last) - late > timeOf(earliest));
    const from = isEarliest ? utcTime(earliest?.timestamp ?? '') : utcTimeOf(timeOf(last) - late);
    const newest = timeOf(records.at(-1));
    return {
      filters: ordered({
        ...now,
        from: from ?? this.filters.from,
        to: newest > Date.parse(now.to) ? (utcTimeOf(newest + 1) ?? now.to) : now.to,
      }),
      direction: 'newer',
    };
  }

  /** The number of loaded records in the range of the request. */
  private knownSince({ filters: { from } }: PagesStart): number {
    const { records } = this;
    const time = Date.parse(from);
    let first = records.length;
    while (first > 0 && !(timeOf(records[first - 1]) < time)) first--;
    return records.length - first;
  }

  /** A request for older pages that ends when the list is full. */
  private bounded<Start>(asked: LoadRequest, start: Start): PagesRequest<Start> {
    let { bytes } = this.list;
    const target = Math.min(asked.target, this.maxRecords - this.records.length);
    return {
      ...asked,
      start,
      target: Math.max(1, target),
      onPage: ({ records }) => {
        for (const record of records) bytes += recordSize(record);
        return bytes >= this.maxBytes;
      },
    };
  }
}

/** Records that are loaded from both ends: each once, in the server's order. */
class SearchRecords {
  /** Oldest first. Changes in place, since a copy for each event of a stream would be slow. */
  records: LogRecord[] = [];
  /** Their estimated size in memory. */
  bytes = 0;
  private readonly ids = new Set<string>();
  private readonly byKey = new Map<string, LogRecord>();

  recordOf(key: string): LogRecord | undefined {
    return this.byKey.get(key);
  }

  has(eventId: string): boolean {
    return this.ids.has(eventId);
  }

  /** Adds records, oldest first, before the oldest. Returns the new ones. */
  addOlder(added: readonly LogRecord[]): readonly LogRecord[] {
    const fresh = this.keepNew(added);
    if (fresh.length > 0) this.records = fresh.concat(this.records);
    return fresh;
  }

  /** Adds records, oldest first, after the newest. Returns the new ones. */
  addNewer(added: readonly LogRecord[]): readonly LogRecord[] {
    const fresh = this.keepNew(added);
    for (const record of fresh) this.records.push(record);
    return fresh;
  }

  /** Removes the oldest records beyond these limits, and returns them. The newest one stays, however large. */
  keepNewest(maxRecords: number, maxBytes: number): readonly LogRecord[] {
    const { records } = this;
    let left = 0;
    for (const record of records) {
      const isWithin = records.length - left <= maxRecords && this.bytes <= maxBytes;
      if (isWithin || left === records.length - 1) break;
      this.bytes -= recordSize(record);
      this.ids.delete(record.eventId);
      this.byKey.delete(rowKey(record));
      left++;
    }
    return left > 0 ? records.splice(0, left) : [];
  }

  clear(): void {
    this.records = [];
    this.bytes = 0;
    this.ids.clear();
    this.byKey.clear();
  }

  private keepNew(added: readonly LogRecord[]): LogRecord[] {
    return added.filter((record) => {
      const { eventId } = record;
      if (this.ids.has(eventId)) return false;
      this.ids.add(eventId);
      this.bytes += recordSize(record);
      this.byKey.set(rowKey(record), record);
      return true;
    });
  }
}

/** Milliseconds since 1970; NaN without a valid time. */
function timeOf(record: LogRecord | undefined): number {
  return Date.parse(record?.timestamp ?? '');
}

/**
 * Whether the next records are requested by time, after a load with a cursor. At the newer end, a cursor
 * leads no further than the range and the moment that it was issued for, and time has passed since.
 */
function isCursorOver(end: FetchedPages['end'], direction: Direction): boolean {
  return end === 'cursorRefused' || (end === 'end' && direction === 'newer');
}

/** The state after a load that began at this time. */
function nextState(
  before: SearchState | undefined,
  { next, accessRevision, end, partial }: FetchedPages,
  direction: Direction,
  at: number,
): SearchState {
  const isNewest = before === undefined || direction === 'newer';
  const state = {
    accessRevision,
    partial: partial || before?.partial === true,
    newestAt: isNewest ? at : before.newestAt,
  };
  if (before === undefined || direction === 'older') {
    const newerEnd = before === undefined ? 'end' : before.ends.newer;
    return {
      ...state,
      older: next,
      newer: before?.newer,
      ends: { older: end, newer: newerEnd },
    };
  }
  return { ...state, older: before.older, newer: next, ends: { ...before.ends, newer: end } };
}

function nothing(end: FetchedPages['end']): Loaded {
  return { kind: 'records', end, restarted: false };
}
