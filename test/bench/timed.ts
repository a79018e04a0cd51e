import { median } from './statistics';
import type { Figure } from './figures';

/** How long some work took, and the longest time in which a timer had to wait; in milliseconds. */
export interface Timed {
  readonly whole: number;
  readonly longestWait: number;
}

/** Measures work that lets other tasks run. */
export async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const start = performance.now();
  let longestWait = 0;
  let last = start;
  const tick = (): void => {
    const now = performance.now();
    longestWait = Math.max(longestWait, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await work();
  clearInterval(timer);
  tick();
  return { whole: performance.now() - start, longestWait };
}

/** The figure of times in milliseconds, of which the median counts. */
export function timeFigure(what: string, values: readonly number[], most: number): Figure {
  return {
    what,
    measure: 'ms',
    ours: median(values),
    result: median(values),
    unit: 'ms',
    goal: { is: '≤', value: most },
  };
}
