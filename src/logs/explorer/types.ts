import type { Wait } from '../../api/client';
import type { FetchedPages } from '../../api/fetchPages';
import type { LogQueryResponse, LogRecord } from '../../api/types';
import type { SearchQuery, Window } from '../query/searchQuery';
import type { TailFailure, TailState } from '../follow/types';

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
