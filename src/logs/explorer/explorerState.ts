import type { Wait } from '../../api/client';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogQueryResponse, LogRecord } from '../../api/types';
import type { SearchQuery, Window } from '../query/searchQuery';
import type { Following } from './follow';
import type { Search } from './search';

type End = FetchedPages['end'];

/** Whether there is more at one end of the list. */
export type PagingState =
  /** There is more. */
  | { readonly kind: 'more' }
  /** All of the range is there, as far as it goes. */
  | { readonly kind: 'reached' }
  /** Loading ended although there may be more: it goes on only if somebody wants to. */
  | { readonly kind: 'paused'; readonly why: Exclude<End, 'end' | 'target' | 'enough'> }
  /** There are as many records as there may be. */
  | { readonly kind: 'full' };

export interface LoadProgress {
  readonly direction: 'first' | 'older' | 'newer';
  readonly records: number;
  readonly pages: number;
  /** What it waits for, where that takes a while. */
  readonly wait?: Wait;
}

/** Where a search stands, besides its records. */
export interface SearchStatus {
  readonly loading: LoadProgress | undefined;
  /** Why the last load failed; the records stay. */
  readonly failure: unknown;
  readonly older: PagingState;
  readonly newer: PagingState;
  readonly following: Following | undefined;
  /** The server left out some of what is shown. */
  readonly partial: boolean;
  /** What may be seen has changed since: what was shown before is gone. */
  readonly accessChanged: boolean;
  /** A cursor was refused, and the time of a record took its place: some may be missing there. */
  readonly restarted: boolean;
  /** Records of the stream that were left out, exactly. */
  readonly leftOut: number;
  /** How many of the oldest gave way to newer ones, since there is no room for more. */
  readonly dropped: number;
  readonly localization: LogQueryResponse['localization'] | undefined;
}

/** What is shown, and where it stands. Another object after each change. */
export interface ExplorerState extends SearchStatus {
  /** Counts up whenever everything that was shown is gone: what is of another epoch is stale. */
  readonly epoch: number;
  /**
   * What the results are of that are shown, and the range that it meant then; undefined before the
   * first search. Of another search only once it has something to show.
   */
  readonly search: SearchQuery | undefined;
  readonly window: Window | undefined;
  /** Another search was asked for since, and has ended without anything to show. */
  readonly isPrevious: boolean;
  /** The record whose surroundings are shown in place of the results. */
  readonly context: LogRecord | undefined;
  readonly canGoBack: boolean;
  readonly count: number;
}

/** Where there is not even a search. */
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
  localization: undefined,
};

/** The older end of a search, where the last load there ended like that; undefined: there was none. */
export function olderPaging(search: Search, last: End | undefined): PagingState {
  if (search.reachedStart) return { kind: 'reached' };
  if (search.isFull) return { kind: 'full' };
  return pausedBy(last) ?? { kind: 'more' };
}

/**
 * The newer end of a search: where newer records can come, it is reached only while it is followed.
 *
 * @param isClosed whether nothing can come any more behind what is there.
 */
export function newerPaging(search: Search, last: End | undefined, isClosed: boolean): PagingState {
  const { isAtNewest } = search;
  if (isAtNewest && isClosed) return { kind: 'reached' };
  return (isAtNewest ? undefined : pausedBy(last)) ?? { kind: 'more' };
}

function pausedBy(why: End | undefined): PagingState | undefined {
  return why === undefined || why === 'end' || why === 'target' || why === 'enough'
    ? undefined
    : { kind: 'paused', why };
}
