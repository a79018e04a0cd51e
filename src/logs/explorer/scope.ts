import type { LogQueryFilters } from '../../api/types';
import { queryFilters } from '../query/filter';
import type { When } from '../query/moment';
import { windowOf, type SearchQuery, type Window } from '../query/searchQuery';
import { openEnd } from '../tail/start';

/** What a search asks for in its whole life. */
export interface Scope {
  /** As people read it: a range without an end ends now. */
  readonly window: Window;
  /** As it is sent: a range without an end goes on, so that the same cursors lead into the stream. */
  readonly filters: LogQueryFilters;
  /** Whether newer records can come. */
  readonly isOpen: boolean;
}

/** What a search asks for where it begins now; undefined where its range ends before it begins. */
export function scopeOf({ filter, range }: SearchQuery, when: When): Scope | undefined {
  const window = windowOf(range, when);
  if (window === undefined) return undefined;
  const isOpen = range.to === undefined;
  const to = isOpen ? openEnd(when.now) : window.to;
  return {
    window,
    filters: queryFilters(filter, window.from, to),
    isOpen,
  };
}

/** Whether a range is over, so that nothing can come any more. */
export function isPast({ isOpen, filters }: Scope, now: number): boolean {
  return !isOpen && Date.parse(filters.to) <= now;
}
