import type { ControlPlaneClient, OnWait } from '../../api/client';
import { second } from '../../api/clock';
import type { Direction, PageCursor } from '../../api/cursors';
import {
  type FetchedPages,
  fetchPages,
  type PagesRequest,
  type PagesStart,
  type FetchProgress,
} from '../../api/fetchPages';
import type { LogQueryFilters, LogQueryResponse, LogRecord } from '../../api/types';
import { compareTimestamps, utcTime, utcTimeOf } from '../../api/utcTime';
import { recordSize } from '../record/recordSize';
import { createRecordBuffer, nextState, type SearchState } from './recordBuffer';

interface SearchRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  /** What is asked for, with the range. */
  readonly filters: LogQueryFilters;
  /** Where the range ends by now, ISO UTC, where it has no end of its own. */
  readonly until?: () => string;
  /** How many records are held at most. */
  readonly maxRecords: number;
  /** How much memory they take at most, by an estimate: 128 MiB. */
  readonly maxBytes?: number;
  /**
   * Told right when the list has grown at an end, by any load or by `follow`: what came there, oldest
   * first, perhaps nothing, and how many of the oldest that were there before gave way.
   */
  readonly onDidAdd?: (direction: Direction, added: readonly LogRecord[], dropped: number) => void;
}

interface LoadOptions {
  /** How many records are wanted, at least 1. */
  readonly target: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
  /** As that of the client. */
  readonly onWait?: OnWait;
}

/** What a load brought. */
export type Loaded =
  | {
      readonly kind: 'records';
      /** Why loading ended there. */
      readonly end: FetchedPages['end'];
      /** The way on was lost, and the time of a record took its place: some may be missing there. */
      readonly restarted: boolean;
    }
  /** What may be seen has changed: all records are gone; the next load begins anew. */
  | { readonly kind: 'accessChanged' }
  /** There are as many records as there may be. */
  | { readonly kind: 'full' };

/** One search: a list of records that grows at either end. */
export interface Search {
  /** Oldest first, in the server's order. Another array after each change. */
  readonly records: readonly LogRecord[];
  /** Whether all of the range before the newest record is there. */
  readonly reachedStart: boolean;
  /** Whether there was nothing newer when it was asked for last. */
  readonly isAtNewest: boolean;
  /** Whether there are as many records as there may be, by their number or their size. */
  readonly isFull: boolean;
  /** How many of the oldest have given way to newer ones. */
  readonly dropped: number;
  /** What may be seen, as the server names it; undefined before the first page. */
  readonly accessRevision: string | undefined;
  /** Whether the server left out some of what was loaded. */
  readonly partial: boolean;
  readonly localization: LogQueryResponse['localization'] | undefined;
  /**
   * Loads older records; the newest there are, at first. Loads come one after the other.
   *
   * @throws what the client throws, and the signal's reason; the list is as it was then.
   */
  loadOlder(options: LoadOptions): Promise<Loaded>;
  /** Loads what came since, as `loadOlder`; the oldest give way where there would be too many. */
  loadNewer(options: LoadOptions): Promise<Loaded>;
  /** Adds what came on a stream, as `loadNewer`. */
  follow(records: readonly LogRecord[]): void;
  /** Forgets everything, as where access has changed; the next load begins anew. */
  clear(): void;
}

interface LoadRequest extends Omit<PagesRequest, 'start'> {
  readonly epoch: number;
  readonly cuts: number;
}

const defaultBytes = 128 * 1024 * 1024;
/** So much later than it says may a record come, in milliseconds. */
const late = 10 * second;

export function createSearch(request: SearchRequest): Search {
  const { client, filters, until = () => filters.to, maxRecords } = request;
  const { maxBytes = defaultBytes, onDidAdd } = request;
  const list = createRecordBuffer();
  let state: SearchState | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** Counts how often everything was forgotten. */
  let epoch = 0;
  /** Counts how often the oldest gave way. */
  let cuts = 0;
  let dropped = 0;

  /** What gave way would come again, and give way again. */
  const isFull = (): boolean =>
    dropped > 0 || list.records.length >= maxRecords || list.bytes >= maxBytes;

  const filtersNow = (): LogQueryFilters => ({ ...filters, to: until() });

  /** Where a search goes on for which there is no cursor: at the time of the oldest record. */
  function beforeOldest(): PagesStart {
    const to = utcTime(list.records[0]?.timestamp ?? '') ?? until();
    return { filters: { ...filters, to }, direction: 'older' };
  }

  /** As `beforeOldest`, behind the newest record, and before it as far as records come late. */
  function sinceNewest(): PagesStart {
    const now = filtersNow();
    const [oldest] = list.records;
    const newest = list.records.at(-1);
    const end = Date.parse(newest?.timestamp ?? '');
    // Of the instant of the oldest there may be others that were not loaded.
    const first =
      list.records.find(
        ({ timestamp }) => compareTimestamps(timestamp, oldest?.timestamp ?? '') > 0,
      ) ?? newest;
    const from = Math.max(end - late, Date.parse(first?.timestamp ?? ''));
    const isFirst = from === Date.parse(first?.timestamp ?? '');
    return {
      filters: {
        ...now,
        from: (isFirst ? utcTime(first?.timestamp ?? '') : utcTimeOf(from)) ?? filters.from,
        // A record may have a time that is still to come.
        to: end > Date.parse(now.to) ? (utcTimeOf(end + 1) ?? now.to) : now.to,
      },
      direction: 'newer',
    };
  }

  /** How many records are there that are as new as what is asked for. */
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
      if (state?.reachedStart === true) return nothing('end');
    }
    const asked = { ...options, client, epoch, cuts };
    // The newest there are come first, whichever way was asked for, and where there were none.
    if (state === undefined || (wanted === 'newer' && list.records.length === 0)) {
      return take(
        await fetchPages(bounded(asked, { filters: filtersNow(), direction: 'older' })),
        asked,
        'older',
      );
    }
    return wanted === 'older' ? loadOlder(asked, state.older) : loadNewer(asked, state.newer);
  }

  async function loadOlder(asked: LoadRequest, cursor: PageCursor | undefined): Promise<Loaded> {
    const found = cursor && (await fetchPages(bounded(asked, cursor)));
    const loaded = found && found !== 'cursorRefused' ? take(found, asked, 'older') : undefined;
    if (loaded && (loaded.kind !== 'records' || loaded.end !== 'cursorRefused')) return loaded;
    // What may be seen may have changed with the cursor, so that what was loaded must go.
    const rest = take(await fetchPages(bounded(asked, beforeOldest())), asked, 'older');
    return rest.kind === 'records' ? { ...rest, restarted: cursor !== undefined } : rest;
  }

  async function loadNewer(asked: LoadRequest, cursor: PageCursor | undefined): Promise<Loaded> {
    const found = cursor && (await fetchPages({ ...asked, start: cursor }));
    const loaded = found && found !== 'cursorRefused' ? take(found, asked, 'newer') : undefined;
    if (loaded && (loaded.kind !== 'records' || loaded.end !== 'cursorRefused')) return loaded;
    const rest = await loadSince(asked);
    if (rest.kind !== 'records') return rest;
    return { ...rest, restarted: rest.restarted || cursor !== undefined };
  }

  /**
   * Loads what is newer by the time of the newest record. Where a search for what is newer begins is the
   * server's to say: only one that begins at a record which is there leaves no gap. Else it goes back
   * from the newest there are, until it comes to one.
   */
  async function loadSince(asked: LoadRequest): Promise<Loaded> {
    const start = sinceNewest();
    const found = await fetchPages({ ...asked, start, target: asked.target + knownSince(start) });
    const [first] = found.records;
    if (first !== undefined && list.has(first.eventId)) return take(found, asked, 'newer');
    const back = await fetchPages({
      ...asked,
      start: { ...start, direction: 'older' },
      // The older ones of so many would give way at once.
      target: maxRecords,
      onPage: ({ records }) => records.some(({ eventId }) => list.has(eventId)),
    });
    // There is a gap behind what somebody did not wait for.
    if (back.end === 'cancelled') return nothing('cancelled');
    const isWhole = ['end', 'enough', 'target', 'accessChanged'].includes(back.end);
    const end = back.end === 'accessChanged' ? back.end : 'end';
    const loaded = take({ ...back, end, next: undefined }, asked, 'newer');
    return loaded.kind === 'records' ? { ...loaded, restarted: !isWhole } : loaded;
  }

  /** The request for a page at the older end, up to where the list is full. */
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
    // What was asked for before everything was forgotten must not come back.
    if (asked.epoch !== epoch) return { kind: 'accessChanged' };
    const isOther = state !== undefined && state.accessRevision !== found.accessRevision;
    if (found.end === 'accessChanged' || isOther) {
      clear();
      return { kind: 'accessChanged' };
    }
    // Between what was asked for and what is left, there would be a gap.
    if (direction === 'older' && asked.cuts !== cuts) return { kind: 'full' };
    const { records, end } = found;
    state = nextState(state, found, direction);
    if (direction === 'newer') addNewer(records);
    else {
      const added = list.addOlder(records);
      onDidAdd?.('older', added, 0);
    }
    return { kind: 'records', end, restarted: false };
  }

  /** Adds records behind the newest; the oldest give way to them. */
  function addNewer(records: readonly LogRecord[]): void {
    const before = list.records.length;
    const added = list.addNewer(records);
    const gone = list.keepNewest({ records: maxRecords, bytes: maxBytes });
    if (gone > 0) {
      dropped += gone;
      cuts++;
      // The cursor for older records stands before those that gave way.
      if (state !== undefined) state = { ...state, older: undefined, reachedStart: false };
    }
    // Of so many that came at once, the oldest may have given way to the newest.
    const passed = Math.max(0, gone - before);
    onDidAdd?.('newer', added.slice(passed), gone - passed);
  }

  function clear(): void {
    list.clear();
    state = undefined;
    dropped = 0;
    epoch++;
  }

  function inTurn(direction: Direction, options: LoadOptions): Promise<Loaded> {
    const result = queue.then(() => load(direction, options));
    queue = result.catch(() => undefined);
    return result;
  }

  return {
    get records() {
      return list.records;
    },
    get reachedStart() {
      return state?.reachedStart ?? false;
    },
    get isAtNewest() {
      return state?.isAtNewest ?? false;
    },
    get isFull() {
      return isFull();
    },
    get dropped() {
      return dropped;
    },
    get accessRevision() {
      return state?.accessRevision;
    },
    get partial() {
      return state?.partial ?? false;
    },
    get localization() {
      return state?.localization;
    },
    loadOlder: (options) => inTurn('older', options),
    loadNewer: (options) => inTurn('newer', options),
    follow(records) {
      if (state === undefined) return;
      // It goes on from the newest record by its time: a cursor from before it would bring these again.
      state = { ...state, newer: undefined, isAtNewest: true };
      addNewer(records);
    },
    clear,
  };
}

function nothing(end: FetchedPages['end']): Loaded {
  return { kind: 'records', end, restarted: false };
}
