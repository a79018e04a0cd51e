import type { ControlPlaneClient, OnWait } from '../../api/client';
import type { LogQueryFilters, LogQueryResponse, LogRecord } from '../../api/types';
import { drain, type Drained, type DrainRequest, type Progress } from './drain';
import type { Direction } from './pageOrder';
import { createRecordList } from './recordList';
import { nextState, type Anchor, type SearchState } from './searchState';

export interface SearchRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  /** What is asked for, with the range; the same as long as the search lives, as its cursors are. */
  readonly filters: LogQueryFilters;
  /** How many records are loaded at most. */
  readonly maxRecords: number;
}

export interface LoadOptions {
  /** How many records are wanted, at least 1. */
  readonly target: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** As that of the client. */
  readonly onWait?: OnWait;
  /** Whether the oldest give way where newer ones would be more than the most. */
  readonly makesRoom?: boolean;
}

/** What a load brought. */
export type Loaded =
  | {
      readonly kind: 'records';
      /** Oldest first, without those that were there already. */
      readonly added: readonly LogRecord[];
      /** Why loading ended there. */
      readonly end: Drained['end'];
      /** The cursor was refused and the time of a record took its place: some may be missing there. */
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
  /** What may be seen, as the server names it; undefined before the first page. */
  readonly accessRevision: string | undefined;
  /** Whether the server left out some of what was loaded. */
  readonly partial: boolean;
  readonly localization: LogQueryResponse['localization'] | undefined;
  /**
   * Where a stream goes on from the newest record; undefined while there are newer ones to load. Its
   * cursor is good for a stream that takes all of these filters.
   */
  readonly followFrom: Anchor | undefined;
  /**
   * Loads older records; the newest there are, at first. Loads come one after the other.
   *
   * @throws what the client throws, and the signal's reason; the list is as it was then.
   */
  loadOlder(options: LoadOptions): Promise<Loaded>;
  /** Loads what came since, as `loadOlder`. */
  loadNewer(options: LoadOptions): Promise<Loaded>;
  /**
   * Adds what came on the stream up to a cursor of the filters that the stream takes; answers with what
   * was new. The oldest give way where there would be more than the most.
   */
  follow(records: readonly LogRecord[], from: Anchor): readonly LogRecord[];
  /** Forgets everything, as where access has changed; the next load begins anew. */
  clear(): void;
}

interface LoadRequest extends Omit<DrainRequest, 'filters'> {
  readonly life: number;
  readonly cuts: number;
}

export function createSearch({ client, filters, maxRecords }: SearchRequest): Search {
  const list = createRecordList();
  let state: SearchState | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** Counts how often everything was forgotten. */
  let life = 0;
  /** Counts how often the oldest gave way. */
  let cuts = 0;

  /** What stands in for a cursor that there is none of: the time of a record. */
  function edgeFilters(direction: Direction): LogQueryFilters {
    const edge = direction === 'older' ? list.records[0] : list.records.at(-1);
    if (edge === undefined) return filters;
    const { timestamp } = edge;
    return direction === 'older' ? { ...filters, to: timestamp } : { ...filters, from: timestamp };
  }

  async function load(wanted: Direction, options: LoadOptions): Promise<Loaded> {
    options.signal.throwIfAborted();
    const makesRoom = options.makesRoom === true && wanted === 'newer' && state !== undefined;
    const room = makesRoom ? Infinity : maxRecords - list.records.length;
    if (room <= 0) return { kind: 'full' };
    if (wanted === 'older' && state?.reachedStart === true) {
      return { kind: 'records', added: [], end: 'end', restarted: false };
    }
    // The newest there are come first, whichever way was asked for.
    const direction = state === undefined ? 'older' : wanted;
    const target = Math.min(options.target, room);
    const request = { ...options, client, direction, target, life, cuts };
    const anchor = state?.[direction];
    if (state !== undefined && anchor === undefined) return restart(request, []);
    const asked = anchor?.filters ?? filters;
    const found = await drain({ ...request, filters: asked, cursor: anchor?.cursor });
    if (found === 'cursorRefused') return restart(request, []);
    const loaded = take(found, request, asked);
    // What may be seen may have changed with it, so that what was loaded must go.
    if (loaded.kind === 'records' && loaded.end === 'cursorRefused') {
      return restart(request, loaded.added);
    }
    return loaded;
  }

  async function restart(request: LoadRequest, before: readonly LogRecord[]): Promise<Loaded> {
    const { direction } = request;
    const asked = edgeFilters(direction);
    const found = await drain({ ...request, filters: asked });
    if (found === 'cursorRefused') throw new Error('There was no cursor to refuse.');
    const loaded = take(found, request, asked);
    if (loaded.kind !== 'records') return loaded;
    const { added, end } = loaded;
    const all = direction === 'older' ? [...added, ...before] : [...before, ...added];
    return { kind: 'records', added: all, end, restarted: true };
  }

  function take(found: Drained, request: LoadRequest, asked: LogQueryFilters): Loaded {
    const { direction } = request;
    // What was asked for before everything was forgotten must not come back.
    if (request.life !== life) return { kind: 'accessChanged' };
    const isOther = state !== undefined && state.accessRevision !== found.accessRevision;
    if (found.end === 'accessChanged' || isOther) {
      clear();
      return { kind: 'accessChanged' };
    }
    // Between what was asked for and what is left, there would be a gap.
    if (direction === 'older' && request.cuts !== cuts) return { kind: 'full' };
    const { records, end } = found;
    const added = direction === 'older' ? list.addOlder(records) : list.addNewer(records);
    state = nextState(state, found, direction, asked);
    if (direction === 'newer') dropOldest();
    return { kind: 'records', added, end, restarted: false };
  }

  function dropOldest(): void {
    // The cursor for older records stands before those that gave way.
    if (list.keepNewest(maxRecords) === 0 || state === undefined) return;
    state = { ...state, older: undefined, reachedStart: false };
    cuts++;
  }

  function clear(): void {
    list.clear();
    state = undefined;
    life++;
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
    get accessRevision() {
      return state?.accessRevision;
    },
    get partial() {
      return state?.partial ?? false;
    },
    get localization() {
      return state?.localization;
    },
    get followFrom() {
      return state?.followFrom;
    },
    loadOlder: (options) => inTurn('older', options),
    loadNewer: (options) => inTurn('newer', options),
    follow(records, from) {
      if (state === undefined) return [];
      const added = list.addNewer(records);
      // The stream does not take these two: what its cursor was issued for is something else then, and
      // loading goes on from the newest record.
      const isOurs =
        from.filters.stream === filters.stream &&
        from.filters.conditionGroup === filters.conditionGroup;
      state = { ...state, newer: isOurs ? from : undefined, followFrom: from };
      dropOldest();
      return added;
    },
    clear,
  };
}
