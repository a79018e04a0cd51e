import type { LogQueryFilters, LogQueryResponse } from '../../api/types';
import type { Drained } from './drain';
import type { Direction } from './pageOrder';

/** A cursor together with the filters that it was issued for. */
export interface Anchor {
  readonly filters: LogQueryFilters;
  readonly cursor: string;
}

/** Where a search stands. */
export interface SearchState {
  readonly older: Anchor | undefined;
  readonly newer: Anchor | undefined;
  readonly followFrom: Anchor | undefined;
  readonly accessRevision: string;
  readonly localization: LogQueryResponse['localization'];
  readonly reachedStart: boolean;
  readonly partial: boolean;
}

/** What is known after a load, from what was known before it. */
export function nextState(
  before: SearchState | undefined,
  { nextCursor, followCursor, accessRevision, localization, end, partial }: Drained,
  direction: Direction,
  filters: LogQueryFilters,
): SearchState {
  const next = nextCursor === undefined ? undefined : { filters, cursor: nextCursor };
  const follow = { filters, cursor: followCursor };
  const state = { accessRevision, localization, partial: partial || before?.partial === true };
  if (before === undefined || direction === 'older') {
    return {
      ...state,
      older: next,
      newer: before === undefined ? follow : before.newer,
      followFrom: before === undefined ? follow : before.followFrom,
      reachedStart: end === 'end',
    };
  }
  const newest = end === 'end' ? follow : undefined;
  const { older, reachedStart } = before;
  return { ...state, older, newer: next ?? newest, followFrom: newest, reachedStart };
}
