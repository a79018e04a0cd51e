import type { Wait } from '../../api/client';
import type { Direction } from '../../api/cursors';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import type { SearchQuery, Window } from '../query/searchQuery';
import type { PagedSearch } from './pagedSearch';
import type { Following } from './searchFollower';

type End = FetchedPages['end'];

/** Whether there are more records at one end of the list. */
export type PagingState =
  /** There are more. */
  | { readonly kind: 'more' }
  /** Everything in the range is loaded at this end. */
  | { readonly kind: 'reached' }
  /** Loading ended early; it continues only on request. */
  | { readonly kind: 'paused'; readonly why: Exclude<End, 'end' | 'target' | 'satisfied'> }
  /** The list has reached its maximum size. */
  | { readonly kind: 'full' };

export interface LoadProgress {
  readonly direction: 'first' | 'older' | 'newer';
  readonly records: number;
  readonly pages: number;
  /** A long wait before the next try, if there is one. */
  readonly wait: Wait | undefined;
  /** Whether it loads the whole range. */
  readonly isWhole: boolean;
}

export interface SearchStatus {
  readonly loading: LoadProgress | undefined;
  /** Why the last load failed, of any type; the records stay. */
  readonly failure: unknown;
  readonly older: PagingState;
  readonly newer: PagingState;
  readonly following: Following | undefined;
  /** The server left out records. */
  readonly partial: boolean;
  /** The permissions changed: the earlier records were removed. */
  readonly accessChanged: boolean;
  /** A cursor was refused and loading continued by timestamp: some records may be missing. */
  readonly restarted: boolean;
  /** The exact number of records of the stream that came too fast to be shown. */
  readonly leftOut: number;
  /** How many of the oldest records were removed to make room for newer ones. */
  readonly dropped: number;
  /** Loading the whole range stopped at its bound; it goes on when asked again. */
  readonly isAtBound: boolean;
}

/** What is shown. A new object after each change. */
export interface ExplorerState extends SearchStatus {
  /** Incremented whenever the whole list is replaced: anything of another epoch is stale. */
  readonly epoch: number;
  /**
   * The search whose results are shown, and its range when it started; undefined before the first
   * search. A new search takes its place with its first page.
   */
  readonly search: SearchQuery | undefined;
  readonly window: Window | undefined;
  /** A newer search ended before its first page. */
  readonly isPrevious: boolean;
  /** The record whose context is shown in place of the results. */
  readonly context: LogRecord | undefined;
  readonly count: number;
}

/** The status before the first search. */
export const noStatus: SearchStatus = {
  loading: undefined,
  failure: undefined,
  older: { kind: 'reached' },
  newer: { kind: 'reached' },
  following: undefined,
  partial: false,
  accessChanged: false,
  restarted: false,
  leftOut: 0,
  dropped: 0,
  isAtBound: false,
};

/** The text that was searched for in what is shown; undefined if there is none. */
export function searchedText({
  search,
  context,
}: Pick<ExplorerState, 'search' | 'context'>): string | undefined {
  const text = context === undefined ? search?.filter.search : undefined;
  return text === '' ? undefined : text;
}

/** The ends of the list where records of the range can be loaded. A range without an end has none after the newest. */
export function restOf({
  search,
  older,
  newer,
}: Pick<ExplorerState, 'search' | 'older' | 'newer'>): readonly Direction[] {
  const canLoad = ({ kind }: PagingState): boolean => kind === 'more' || kind === 'paused';
  return [
    ...(canLoad(older) ? (['older'] as const) : []),
    ...(search?.range.to !== undefined && canLoad(newer) ? (['newer'] as const) : []),
  ];
}

export function olderPaging({ state, isFull }: PagedSearch): PagingState {
  const why = state?.ends.older;
  if (why === 'end') return { kind: 'reached' };
  return isFull ? { kind: 'full' } : pausedBy(why);
}

/**
 * The newer end of a search. An open range reaches its end only while it is followed.
 *
 * @param isClosed whether there can be no records to load at this end.
 */
export function newerPaging({ state }: PagedSearch, isClosed: boolean): PagingState {
  const why = state?.ends.newer;
  return why === 'end' && isClosed ? { kind: 'reached' } : pausedBy(why);
}

function pausedBy(why: End | undefined): PagingState {
  return why === undefined || why === 'end' || why === 'target' || why === 'satisfied'
    ? { kind: 'more' }
    : { kind: 'paused', why };
}
