import type { ControlPlaneClient, Wait } from '../../api/client';
import type { Clock } from '../../api/clock';
import type { Direction } from '../../api/cursors';
import { ApiError } from '../../api/errors';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogQueryFilters, LogQueryResponse, LogRecord } from '../../api/types';
import type { TailFailure, TailState } from '../follow/types';
import { queryFilters } from '../query/filter';
import { type SearchQuery, type Window, windowOf } from '../query/searchQuery';
import type { When } from '../query/timeExpression';

/** One end of the list. */
export type Edge =
  /** There is more. */
  | { readonly kind: 'more' }
  /** All of the range is there, as far as it goes. */
  | { readonly kind: 'reached' }
  /** Loading ended although there may be more: it goes on only if somebody wants to. */
  | {
      readonly kind: 'paused';
      readonly why: Exclude<FetchedPages['end'], 'end' | 'target' | 'enough'>;
    }
  /** There are as many records as there may be. */
  | { readonly kind: 'full' };

/** What is shown, and where it stands. Another object after each change. */
export interface ExplorerState {
  /** Counts up whenever everything that was shown is gone. */
  readonly life: number;
  /**
   * What the results are of that are shown, and the range that it meant then; undefined before the
   * first search. Of another search only once it has something to show.
   */
  readonly search: SearchQuery | undefined;
  readonly window: Window | undefined;
  /** Another search was asked for since, and has ended without anything to show. */
  readonly isFormer: boolean;
  /** The record whose surroundings are shown in place of the results. */
  readonly context: LogRecord | undefined;
  readonly canGoBack: boolean;
  readonly loading:
    | {
        readonly direction: 'first' | 'older' | 'newer';
        readonly records: number;
        readonly pages: number;
        /** What it waits for, where that takes a while. */
        readonly wait?: Wait;
      }
    | undefined;
  /** Why the last load failed; the records stay. */
  readonly failure: unknown;
  readonly count: number;
  readonly older: Edge;
  readonly newer: Edge;
  readonly following:
    | {
        readonly state: TailState;
        readonly failure: TailFailure | undefined;
        /** While it is paused: how many have come since. */
        readonly newRecords: number;
      }
    | undefined;
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

/** Told synchronously, in the order in which things happen; must not throw. */
export interface ExplorerListener {
  onDidChange(state: ExplorerState): void;
  /** The list is another one now, or empty. Oldest first. */
  onDidReplace(records: readonly LogRecord[]): void;
  /** Records came at an end, oldest first; while as many of the oldest as `dropped` gave way. */
  onDidAdd(change: 'older' | 'newer', records: readonly LogRecord[], dropped: number): void;
}

/** The Log Explorer without its page: one search at a time, its list, and what follows it live. */
export interface Explorer {
  readonly state: ExplorerState;
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** The record with this event id, if it is shown. */
  record(eventId: string): LogRecord | undefined;
  /** Ends what is running and searches anew; what was shown stays until the first page is there. */
  run(search: SearchQuery): void;
  loadOlder(): void;
  loadNewer(): void;
  /** Ends what is loading; what has come stays. */
  cancel(): void;
  /** Goes on live behind the newest record. Only where the range of the search has no end. */
  follow(): void;
  pause(): void;
  resume(): void;
  stopFollowing(): void;
  /** Shows the records around one of them in its container, in place of the results. */
  showContext(record: LogRecord): void;
  /** To the results that were shown before. */
  back(): void;
  /** The key may have changed. */
  keyChanged(): void;
  /** Forgets everything, as where the connection is another one or the access is gone. */
  clear(): void;
  dispose(): void;
}

/** Told synchronously, in the order in which things happen. */
export interface ResultsListener {
  didChange(): void;
  /** The list is another one now, or empty; that something has changed is told behind it. */
  didReplace(): void;
  /** As that of the explorer. */
  didAdd(direction: Direction, records: readonly LogRecord[], dropped: number): void;
}

/** What is to be known of results, besides their records. */
export type ResultsState = Pick<
  ExplorerState,
  | 'loading'
  | 'failure'
  | 'older'
  | 'newer'
  | 'following'
  | 'partial'
  | 'accessChanged'
  | 'restarted'
  | 'leftOut'
  | 'dropped'
  | 'localization'
>;

/** One search with its list and what follows it. Nothing of it rejects: failures are states. */
export interface Results {
  readonly query: SearchQuery;
  readonly scope: Scope;
  readonly state: ResultsState;
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** What may be seen, as the server names it; undefined before the first page. */
  readonly accessRevision: string | undefined;
  /** Loads more in a direction, unless that is being done; the newest there are, at first. */
  load(direction: Direction): Promise<boolean>;
  /** Ends what is loading; what has come stays. */
  cancel(): void;
  follow(): void;
  /** Answers whether it was following and is paused now. */
  pause(): boolean;
  resume(): void;
  stopFollowing(): void;
  /** What may be seen has changed: all is gone, and loaded anew. */
  renew(): void;
  /** Nothing may be seen any more. */
  lose(why: unknown): void;
  /** Goes on where nothing could be seen: it may be another key. */
  retry(): void;
  /** Ends all; nothing is told any more. */
  dispose(): void;
}

/** A connection, as far as logs are read from it. */
export interface LogSource {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  /** The key or a fingerprint of it, to tell whether it changed; undefined means signed out. */
  readonly readKey: () => Promise<string | undefined>;
}

export interface ExplorerServices {
  /** What a search begins on, and stays with; undefined where nobody is signed in. */
  readonly source: () => LogSource | undefined;
  readonly clock: Clock;
  /** As that of a tail. */
  readonly ahead?: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly when: () => When;
  /** How many records are held at most: 100,000. */
  readonly maxRecords?: number;
  /** How much memory they take at most, by an estimate: 128 MiB. */
  readonly maxBytes?: number;
  /** 500 at first, 1,000 from then on. */
  readonly pageTarget?: PageTarget;
}

/** Whether an error says that what was shown may be shown no longer. */
export function isAccessLost(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.kind === 'signedOut' || error.status === 401 || error.status === 403;
}

/** What a search asks for in its whole life. */
export interface Scope {
  /** As people read it: a range without an end ends now. */
  readonly window: Window;
  /** As it is sent. */
  readonly filters: LogQueryFilters;
  /** Whether newer records can come. */
  readonly isOpen: boolean;
}

/** What a search asks for where it begins now; undefined where its range ends before it begins. */
export function scopeOf({ filter, range }: SearchQuery, when: When): Scope | undefined {
  const window = windowOf(range, when);
  if (window === undefined) return undefined;
  return {
    window,
    filters: queryFilters(filter, window.from, window.to),
    isOpen: range.to === undefined,
  };
}

/** Whether a range is over, so that nothing can come any more. */
export function isPast({ isOpen, filters }: Scope, now: number): boolean {
  return !isOpen && Date.parse(filters.to) <= now;
}

/** How many records a load is to bring: at first, and from then on. */
export interface PageTarget {
  readonly first: number;
  readonly more: number;
}
