import type { Clock } from '../../src/base/clock';

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  /** How many timers are waiting: zero after everything is cleaned up. */
  readonly liveTimers: number;
  /** Lets `ms` milliseconds pass: runs due timers in order, and all promises in between. */
  advance(ms: number): Promise<void>;
  /** Lets as much time pass as `promise` needs; throws if it waits for anything else. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** Moves only the wall clock, as a person or the sleep of the machine does. */
  jump(ms: number): void;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** Runs every promise that can continue without time or network. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** @param start the first time of the wall clock, in milliseconds since 1970. */
export function fakeClock(start = Date.UTC(2026, 10, 20, 12)): FakeClock {
  let wall = start;
  let monotonic = 1000;
  const timers = new Set<Timer>();

  function moveTo(time: number): void {
    wall += time - monotonic;
    monotonic = time;
  }

  /** Runs the next timer unless it is due after `end`; returns whether it did. */
  function runNext(end: number): boolean {
    let next: Timer | undefined;
    for (const timer of timers) if (next === undefined || timer.due < next.due) next = timer;
    if (next === undefined || next.due > end) return false;
    timers.delete(next);
    moveTo(Math.max(next.due, monotonic));
    next.callback();
    return true;
  }

  return {
    now: () => wall,
    monotonic: () => monotonic,
    setTimer(callback, ms) {
      // As real timers do: a delay of more than 31 bits fires at once.
      const wait = ms >= 0 && ms < 2 ** 31 ? ms : 1;
      const timer = { due: monotonic + wait, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    get liveTimers() {
      return timers.size;
    },
    async advance(ms) {
      const end = monotonic + ms;
      do await settle();
      while (runNext(end));
      moveTo(end);
    },
    async run(promise) {
      const settled = new Set<unknown>();
      const add = (): void => void settled.add(promise);
      promise.then(add, add);
      await settle();
      while (!settled.has(promise)) {
        if (!runNext(Infinity)) throw new Error('It waits for something other than time.');
        await settle();
      }
      return promise;
    },
    jump(ms) {
      wall += ms;
    },
  };
}
