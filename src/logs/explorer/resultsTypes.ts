import type { LogRecord } from '../../api/types';
import type { SearchQuery } from '../query/searchQuery';
import type { Direction } from '../../api/pageOrder';
import type { Scope } from './scope';
import type { ExplorerState } from './types';

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
