import type { Wait } from '../../api/client';
import { enough } from '../../api/fetchPages';
import { worthTelling } from './progress';
import type { Direction } from '../../api/pageOrder';
import type { Loaded, Search } from './search';
import type { ResultsState } from './resultsTypes';

/** How many records a load is to bring: at first, and from then on. */
export interface PageTarget {
  readonly first: number;
  readonly more: number;
}

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
