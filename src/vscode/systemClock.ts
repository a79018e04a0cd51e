import type { Clock } from '../base/clock';

/** The real time, in the Node.js host and in the web worker. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Lets other tasks run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** How long the host may do nothing else, in milliseconds: half of a frame. */
const longestTask = 8;

/** A pause that costs nothing if other tasks could run in the last `ms` milliseconds. */
export function pauseEvery(ms = longestTask): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < ms) return;
    await pause();
    last = performance.now();
  };
}

/** Does something once for all that asks for it until then. */
export class Soon {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly act: () => unknown) {}

  /** Does it in so many milliseconds, unless it is due already. */
  in(milliseconds: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.act();
    }, milliseconds);
  }

  /** Does it no more. */
  dispose(): void {
    clearTimeout(this.timer);
  }
}
