import type { ControlPlaneClient, OnWait } from '../../api/client';
import { second } from '../../base/clock';
import type { Direction } from '../../api/cursors';
import {
  type FetchedPages,
  fetchPages,
  type PagesRequest,
  type PagesStart,
  type FetchProgress,
} from '../../api/fetchPages';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { compareTimestamps, ordered, utcTime, utcTimeOf } from '../../api/utcTime';
import { recordSize } from '../record/recordSize';
import { createRecordBuffer, nextState, type SearchState } from './recordBuffer';

export interface SearchRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  /** Includes the range. */
  readonly filters: LogQueryFilters;
  /** The current end of an open range, ISO UTC. */
  readonly until?: () => string;
  /** The maximum number of records in memory. Default: 100,000. */
  readonly maxRecords?: number;
  /** Their maximum estimated size in memory. Default: 128 MiB. */
  readonly maxBytes?: number;
  /**
   * Called when a load or `follow` changes the list, for the first page before there is a state:
   * `added` came at that end, and `dropped` were removed at the older end to make room. Oldest first.
   */
  readonly onDidAdd?: (
    direction: Direction,
    added: readonly LogRecord[],
    dropped: readonly LogRecord[],
  ) => void;
}

interface LoadOptions {
  /** The number of records to load, at least 1. */
  readonly target: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
  readonly onWait?: OnWait;
}

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

/** One search: a list of records that grows at both ends. */
export interface Search {
  /** Oldest first, in the server's order. Changes in place: copy what is used later. */
  readonly records: readonly LogRecord[];
  /** Undefined before the first page. */
  readonly state: SearchState | undefined;
  /** Whether the list has reached its maximum number of records or size. */
  readonly isFull: boolean;
  /** How many of the oldest records were removed to make room for newer ones. */
  readonly dropped: number;
  /**
   * Loads older records, starting with the newest. Loads run one after the other.
   *
   * @throws what the client throws, and the signal's reason; the list stays as it was.
   */
  loadOlder(options: LoadOptions): Promise<Loaded>;
  /** Loads newer records; the oldest are removed if there are too many. Throws like `loadOlder`. */
  loadNewer(options: LoadOptions): Promise<Loaded>;
  /** Adds records of a stream at the newer end. */
  follow(records: readonly LogRecord[]): void;
  /** Removes everything; the next load starts over. */
  clear(): void;
}

interface LoadRequest extends Omit<PagesRequest, 'start'> {
  readonly epoch: number;
  readonly cuts: number;
}

/** How late a record may arrive after its own timestamp, in milliseconds. */
const late = 10 * second;

export function createSearch(request: SearchRequest): Search {
  const { client, filters, until = () => filters.to, onDidAdd } = request;
  const { maxRecords = 100_000, maxBytes = 128 * 1024 * 1024 } = request;
  const list = createRecordBuffer();
  let state: SearchState | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** How often everything was removed. */
  let epoch = 0;
  /** How often the oldest records were removed. */
  let cuts = 0;
  let dropped = 0;

  /** Dropped records would be loaded and dropped again. */
  const isFull = (): boolean =>
    dropped > 0 || list.records.length >= maxRecords || list.bytes >= maxBytes;

  const filtersNow = (): LogQueryFilters => ordered({ ...filters, to: until() });

  /** The start of older records without a cursor: the time of the oldest record. */
  function beforeOldest(): PagesStart {
    const to = utcTime(list.records[0]?.timestamp ?? '') ?? until();
    return { filters: ordered({ ...filters, to }), direction: 'older' };
  }

  /** The start of newer records without a cursor: shortly before the newest, since records can be late. */
  function sinceNewest(): PagesStart {
    const now = filtersNow();
    const [oldest] = list.records;
    const timeOf = (record: LogRecord | undefined): number => Date.parse(record?.timestamp ?? '');
    // After a record in the future, the next ones may be earlier.
    let known = list.records.length - 1;
    while (known > 0 && timeOf(list.records[known]) > Date.parse(now.to)) known--;
    const last = list.records[known];
    // Other records with the timestamp of the oldest may not be loaded.
    const first = list.records.find(
      ({ timestamp }) => compareTimestamps(timestamp, oldest?.timestamp ?? '') > 0,
    );
    const earliest = first === undefined || timeOf(first) > timeOf(last) ? last : first;
    const isEarliest = !(timeOf(last) - late > timeOf(earliest));
    const from = isEarliest ? utcTime(earliest?.timestamp ?? '') : utcTimeOf(timeOf(last) - late);
    const newest = timeOf(list.records.at(-1));
    return {
      filters: ordered({
        ...now,
        from: from ?? filters.from,
        to: newest > Date.parse(now.to) ? (utcTimeOf(newest + 1) ?? now.to) : now.to,
      }),
      direction: 'newer',
    };
  }

  /** The number of loaded records in the range of the request. */
  function knownSince({ filters: { from } }: PagesStart): number {
    const time = Date.parse(from);
    const { records } = list;
    let first = records.length;
    while (first > 0 && !(Date.parse(records[first - 1]?.timestamp ?? '') < time)) first--;
    return records.length - first;
  }

  async function load(wanted: Direction, options: LoadOptions): Promise<Loaded> {
    options.signal.throwIfAborted();
    if (wanted === 'older' || state === undefined) {
      if (isFull()) return { kind: 'full' };
      if (state?.ends.older === 'end') return nothing('end');
    }
    const asked = { ...options, client, priority: 'person', epoch, cuts } as const;
    // An empty list starts with the newest records, whatever the direction.
    if (state === undefined || (wanted === 'newer' && list.records.length === 0)) {
      const newest: PagesStart = { filters: filtersNow(), direction: 'older' };
      return take(await fetchPages(bounded(asked, newest)), asked, 'older');
    }
    const isOlder = wanted === 'older';
    const cursor = state[wanted];
    const found =
      cursor && (await fetchPages(isOlder ? bounded(asked, cursor) : { ...asked, start: cursor }));
    const loaded = found && found !== 'cursorRefused' ? take(found, asked, wanted) : undefined;
    if (loaded && (loaded.kind !== 'records' || loaded.end !== 'cursorRefused')) return loaded;
    // The permissions may have changed with the cursor; `take` then clears the list.
    const rest = isOlder
      ? take(await fetchPages(bounded(asked, beforeOldest())), asked, 'older')
      : await loadSince(asked);
    if (rest.kind !== 'records') return rest;
    return { ...rest, restarted: rest.restarted || cursor !== undefined };
  }

  /**
   * Loads newer records by the timestamp of the newest. The server decides where such a search starts:
   * there is no gap only if it starts at a loaded record. Otherwise it goes back from the newest records
   * to a loaded one.
   */
  async function loadSince(asked: LoadRequest): Promise<Loaded> {
    const start = sinceNewest();
    const found = await fetchPages({ ...asked, start, target: asked.target + knownSince(start) });
    const [first] = found.records;
    if (first !== undefined && list.has(first.eventId)) return take(found, asked, 'newer');
    const back = await fetchPages({
      ...asked,
      start: { ...start, direction: 'older' },
      // More would be dropped at once.
      target: maxRecords,
      onPage: ({ records }) => records.some(({ eventId }) => list.has(eventId)),
    });
    // The records of a cancelled load would leave a gap.
    if (back.end === 'cancelled') {
      if (state !== undefined) state = { ...state, ends: { ...state.ends, newer: 'cancelled' } };
      return nothing('cancelled');
    }
    const isWhole = ['end', 'enough', 'target', 'accessChanged'].includes(back.end);
    const end = back.end === 'accessChanged' ? back.end : 'end';
    const loaded = take({ ...back, end, next: undefined }, asked, 'newer');
    return loaded.kind === 'records' ? { ...loaded, restarted: !isWhole } : loaded;
  }

  /** A request for older pages that ends when the list is full. */
  function bounded<Start>(asked: LoadRequest, start: Start): PagesRequest<Start> {
    let bytes = list.bytes;
    const target = Math.min(asked.target, maxRecords - list.records.length);
    return {
      ...asked,
      start,
      target: Math.max(1, target),
      onPage({ records }) {
        for (const record of records) bytes += recordSize(record);
        return bytes >= maxBytes;
      },
    };
  }

  function take(found: FetchedPages, asked: LoadRequest, direction: Direction): Loaded {
    // The list was cleared in the meantime.
    if (asked.epoch !== epoch) return { kind: 'accessChanged' };
    const isOther = state !== undefined && state.accessRevision !== found.accessRevision;
    if (found.end === 'accessChanged' || isOther) {
      clear();
      return { kind: 'accessChanged' };
    }
    // Old records were dropped in the meantime: there would be a gap.
    if (direction === 'older' && asked.cuts !== cuts) return { kind: 'full' };
    if (direction === 'newer') addNewer(found.records);
    else {
      const added = list.addOlder(found.records);
      onDidAdd?.('older', added, []);
    }
    state = nextState(state, found, direction);
    return { kind: 'records', end: found.end, restarted: false };
  }

  function addNewer(records: readonly LogRecord[]): void {
    const before = list.records.length;
    const added = list.addNewer(records);
    const gone = list.keepNewest({ records: maxRecords, bytes: maxBytes });
    if (gone.length > 0) {
      dropped += gone.length;
      cuts++;
      // The cursor for older records is before the dropped ones.
      if (state) state = { ...state, older: undefined, ends: { ...state.ends, older: undefined } };
    }
    // Some of the added records may have been dropped at once.
    const passed = Math.max(0, gone.length - before);
    onDidAdd?.('newer', added.slice(passed), gone.slice(0, before));
  }

  function clear(): void {
    list.clear();
    state = undefined;
    dropped = 0;
    epoch++;
  }

  function enqueue(direction: Direction, options: LoadOptions): Promise<Loaded> {
    const result = queue.then(() => load(direction, options));
    queue = result.catch(() => undefined);
    return result;
  }

  return {
    get records() {
      return list.records;
    },
    get state() {
      return state;
    },
    get isFull() {
      return isFull();
    },
    get dropped() {
      return dropped;
    },
    loadOlder: (options) => enqueue('older', options),
    loadNewer: (options) => enqueue('newer', options),
    follow(records) {
      if (state === undefined) return;
      // The cursor would bring these records again, so the next load continues by timestamp.
      state = { ...state, newer: undefined, ends: { ...state.ends, newer: 'end' } };
      addNewer(records);
    },
    clear,
  };
}

function nothing(end: FetchedPages['end']): Loaded {
  return { kind: 'records', end, restarted: false };
}
