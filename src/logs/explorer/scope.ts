import type { LogQueryFilters } from '../../api/types';
import { queryFilters } from '../query/filter';
import type { When } from '../query/timeExpression';
import { windowOf, type SearchQuery, type Window } from '../query/searchQuery';

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
