import type { Wait } from '../../api/client';
import type { Direction } from '../../api/cursors';
import { enough, type FetchedPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { worthTelling } from './progress';
import type { Loaded, Search } from './search';
import type { Edge, PageTarget, ResultsState } from './types';

export interface LoadsListener {
  /** One has begun, or is further. */
  didChange(): void;
  /** Answers whether it came through, which whoever asked for it is told. */
  didLoad(direction: Direction, loaded: Loaded): boolean;
  didFail(direction: Direction, error: unknown, wasCancelled: boolean): void;
}

/** The loads of a search that are under way: one at each end. */
export interface Loads {
  /** How far that is which began first. */
  readonly progress: ResultsState['loading'];
  /** The one at an end; undefined where there is none. */
  running(direction: Direction): Promise<boolean> | undefined;
  /** @param isFirst whether nothing is there yet. */
  begin(direction: Direction, isFirst: boolean): Promise<boolean>;
  /** Ends them; what has come stays. */
  cancel(): void;
  /** Ends them, and nothing more is told of them. */
  forget(): void;
}

interface Load {
  readonly controller: AbortController;
  readonly isFirst: boolean;
  done: Promise<boolean>;
  records: number;
  pages: number;
  wait: Wait | undefined;
}

export function createLoads(
  search: Search,
  pageTarget: PageTarget,
  listener: LoadsListener,
): Loads {
  const loads = new Map<Direction, Load>();

  async function run(direction: Direction, load: Load): Promise<boolean> {
    const { signal } = load.controller;
    const isOver = (): boolean => loads.get(direction) !== load;
    try {
      const loaded = await search[direction === 'older' ? 'loadOlder' : 'loadNewer']({
        target: load.isFirst ? pageTarget.first : pageTarget.more,
        signal,
        onProgress({ records, pages }) {
          if (isOver()) return;
          load.records = records;
          load.pages = pages;
          listener.didChange();
        },
        onWait(next) {
          const wait = worthTelling(next);
          if (isOver() || wait === load.wait) return;
          load.wait = wait;
          listener.didChange();
        },
      });
      if (isOver()) return false;
      loads.delete(direction);
      return listener.didLoad(direction, loaded);
    } catch (error) {
      if (isOver()) return false;
      loads.delete(direction);
      listener.didFail(direction, error, signal.reason === enough);
      return false;
    }
  }

  return {
    get progress(): ResultsState['loading'] {
      for (const [direction, { isFirst, records, pages, wait }] of loads) {
        const told = wait === undefined ? {} : { wait };
        return { direction: isFirst ? 'first' : direction, records, pages, ...told };
      }
      return undefined;
    },
    running: (direction) => loads.get(direction)?.done,
    begin(direction, isFirst) {
      const load: Load = {
        controller: new AbortController(),
        isFirst,
        done: Promise.resolve(false),
        records: 0,
        pages: 0,
        wait: undefined,
      };
      loads.set(direction, load);
      load.done = run(direction, load);
      listener.didChange();
      return load.done;
    },
    cancel() {
      for (const { controller } of loads.values()) controller.abort(enough);
    },
    forget() {
      const running = [...loads.values()];
      loads.clear();
      for (const { controller } of running) controller.abort();
    },
  };
}

/** What came at an end of a list. */
interface Growth {
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
type LastEnds = Readonly<Record<Direction, FetchedPages['end'] | undefined>>;

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
