import type { PageCursor } from '../../api/cursors';
import type { FetchedPages } from '../../api/fetchPages';
import type { Direction } from '../../api/pageOrder';
import type { LogQueryResponse } from '../../api/types';

/** Where a search stands. */
export interface SearchState {
  readonly older: PageCursor | undefined;
  /** Undefined where what is newer has to be asked for by time. */
  readonly newer: PageCursor | undefined;
  /** Whether there was nothing newer when it was asked for last. */
  readonly isAtNewest: boolean;
  readonly accessRevision: string;
  readonly localization: LogQueryResponse['localization'];
  readonly reachedStart: boolean;
  readonly partial: boolean;
}

/** What is known after a load, from what was known before it. */
export function nextState(
  before: SearchState | undefined,
  { next, accessRevision, localization, end, partial }: FetchedPages,
  direction: Direction,
): SearchState {
  const state = { accessRevision, localization, partial: partial || before?.partial === true };
  if (before === undefined || direction === 'older') {
    return {
      ...state,
      older: next,
      newer: before?.newer,
      isAtNewest: before?.isAtNewest ?? true,
      reachedStart: end === 'end',
    };
  }
  const { older, reachedStart } = before;
  return { ...state, older, newer: next, isAtNewest: end === 'end', reachedStart };
}
