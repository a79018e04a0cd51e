import type { Clock } from '../base/clock';

/** When a tree tells VS Code what changed. All times are in milliseconds. */
interface DrawPace {
  /**
   * Draws at once after a quiet time, otherwise together with the next changes.
   *
   * @param least how long to wait in any case.
   */
  soon(least?: number): void;
  /** Draws as soon as possible; resolves after it, or when it is disposed. */
  drawn(): Promise<void>;
  /**
   * VS Code gets the children of a row (undefined: the roots). It requests the children of `open`, which
   * are among them, next.
   */
  answered(id: string | undefined, open: readonly string[]): void;
  dispose(): void;
}

/** The shortest time between two draws: VS Code gathers changes for 200 ms anyway. */
const shortestPause = 250;
/** How long rows are on their way to the window. */
const arrival = 100;
/** How long to wait for a request that does not come, because VS Code knows the row as closed. */
const longestWait = 1000;

/**
 * Limits how often a tree is drawn, and draws only what VS Code can take: a change of a row whose children
 * are on their way makes VS Code forget them in the extension host, but not in the window. The window
 * then requests the children of rows that are unknown and shows them open and empty.
 */
export function createDrawPace(clock: Clock, draw: () => void): DrawPace {
  /** When to draw at the earliest; undefined: there is nothing to draw. */
  let due: number | undefined;
  let afterLast = -Infinity;
  let afterRows = -Infinity;
  let cancelTimer: (() => void) | undefined;
  let whenDrawn: (() => void)[] = [];
  /** The open rows whose children VS Code has not requested yet. */
  const awaited = new Set<string>();

  function plan(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (due === undefined) return;
    const left = Math.max(due, afterLast, afterRows) - clock.monotonic();
    cancelTimer = clock.setTimer(run, Math.max(left, 0));
  }

  function run(): void {
    due = undefined;
    const start = clock.monotonic();
    try {
      draw();
    } finally {
      const end = clock.monotonic();
      // A tree that is slow to draw is drawn less often.
      afterLast = end + Math.max(shortestPause, 3 * (end - start));
      release();
    }
  }

  function release(): void {
    const all = whenDrawn;
    whenDrawn = [];
    for (const resolve of all) resolve();
  }

  function soon(least = 0): void {
    const wanted = clock.monotonic() + least;
    if (due !== undefined && due <= wanted) return;
    due = wanted;
    plan();
  }

  return {
    soon,
    drawn() {
      const drawn = new Promise<void>((resolve) => whenDrawn.push(resolve));
      soon();
      return drawn;
    },
    answered(id, open) {
      const now = clock.monotonic();
      if (now >= afterRows) awaited.clear();
      if (id !== undefined) awaited.delete(id);
      for (const one of open) awaited.add(one);
      afterRows = now + (awaited.size > 0 ? longestWait : arrival);
      plan();
    },
    dispose() {
      due = undefined;
      plan();
      release();
    },
  };
}
