import type { FetchedPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import type { Direction } from '../../api/pageOrder';
import type { Search } from './search';
import type { Edge } from './types';

/** What came at an end of a list. */
export interface Growth {
  /** Oldest first. */
  readonly added: readonly LogRecord[];
  /** How many of the oldest gave way. */
  readonly dropped: number;
}

/** What came since, by the list as it was and as it is. */
export function growthOf(
  before: readonly LogRecord[],
  now: readonly LogRecord[],
  direction: Direction,
): Growth {
  const [first] = before;
  const last = before.at(-1);
  if (first === undefined || last === undefined) return { added: now, dropped: 0 };
  if (direction === 'older') return { added: now.slice(0, now.indexOf(first)), dropped: 0 };
  // From the end, since what came is near it; all of it is new where even the newest gave way.
  const added = now.slice(now.lastIndexOf(last) + 1);
  return { added, dropped: before.length + added.length - now.length };
}

/** Why the last load ended at an end of the list; undefined where there was none. */
export type LastEnds = Readonly<Record<Direction, FetchedPages['end'] | undefined>>;

function pausedBy(why: FetchedPages['end'] | undefined): Edge | undefined {
  return why === undefined || why === 'end' || why === 'target' || why === 'enough'
    ? undefined
    : { kind: 'paused', why };
}

/** The older end of a search. */
export function olderEdge(search: Search, last: LastEnds): Edge {
  if (search.reachedStart) return { kind: 'reached' };
  if (search.isFull) return { kind: 'full' };
  return pausedBy(last.older) ?? { kind: 'more' };
}

/**
 * The newer end of a search: where newer records can come, it is reached only while it is followed.
 *
 * @param isClosed whether nothing can come any more behind what is there.
 */
export function newerEdge(search: Search, last: LastEnds, isClosed: boolean): Edge {
  const { isAtNewest } = search;
  if (isAtNewest && isClosed) return { kind: 'reached' };
  return (isAtNewest ? undefined : pausedBy(last.newer)) ?? { kind: 'more' };
}
