/** Durations in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** In milliseconds. Two clocks that differ by less count as the same: it says nothing about what came first. */
export const clockTolerance = 5 * second;

/** The time source of the core, so that a test can let a day pass in a millisecond. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never decreases, and stops while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds (at most 2³¹ − 1). Returns a function that cancels it. */
  setTimer(callback: () => void, ms: number): () => void;
}

/** The longest time of a timer, in milliseconds. A longer one would end at once. */
export const longestTimer = 2 ** 31 - 1;

/**
 * Waits at least `ms` milliseconds, of any number. Changes of the wall clock have no effect.
 *
 * @throws the signal's reason as soon as it is aborted. Leaves no timer and no listener.
 */
export async function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const releases: (() => void)[] = [];
    const finish = (): void => {
      releases.forEach((release) => release());
      resolve();
    };
    releases.push(onAbort(signal, finish));
    releases.push(startTimer(clock, ms, finish));
  });
  signal.throwIfAborted();
}

/** Calls back once after `ms` milliseconds, of any number; at once for none. Returns a function that cancels it. */
function startTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const end = clock.monotonic() + ms;
  let cancelTimer: (() => void) | undefined;
  const waitForRest = (): void => {
    const left = end - clock.monotonic();
    if (left > 0) cancelTimer = clock.setTimer(waitForRest, Math.min(left, longestTimer));
    else callback();
  };
  waitForRest();
  return () => cancelTimer?.();
}

/** Acts when a signal is aborted, or at once if it already is. Returns the unsubscribe function. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  signal.addEventListener('abort', act);
  if (signal.aborted) act();
  return () => signal.removeEventListener('abort', act);
}

/**
 * Waits for work that continues for other callers.
 *
 * @throws the signal's reason as soon as it is aborted, and the error of the work.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let release: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    release = onAbort(signal, () => reject(signal.reason as Error));
  });
  return Promise.race([work, aborted]).finally(release);
}

/**
 * The same for at most `ms` milliseconds; then it resolves with undefined.
 *
 * @throws like `untilAborted`.
 */
export async function atMost<T>(
  ms: number,
  work: Promise<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  let cancelTimer: (() => void) | undefined;
  const timeOut = new Promise<undefined>((resolve) => {
    cancelTimer = startTimer(clock, ms, () => resolve(undefined));
  });
  try {
    return await untilAborted(Promise.race([work, timeOut]), signal);
  } finally {
    cancelTimer?.();
  }
}

/** How many items are visited between two pauses: each may take a tenth of a millisecond. */
const atOnce = 100;

/**
 * Visits items in order, and lets other tasks run in between.
 *
 * @param pause lets them run if it is time: called after every few items.
 * @param goesOn called after each pause.
 * @returns whether all were visited: `goesOn` never returned false.
 */
export async function inTurns<T>(
  items: readonly T[],
  pause: () => Promise<void>,
  visit: (item: T, index: number) => void,
  goesOn: () => boolean = () => true,
): Promise<boolean> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) {
      await pause();
      if (!goesOn()) return false;
    }
    visit(item, index);
  }
  return true;
}

/** Limits how often something is done. */
export class RateLimiter {
  /** When it was done in the last `ms` milliseconds, the oldest first. */
  private readonly spent: number[] = [];

  /** @param times the limit within any `ms` milliseconds. */
  constructor(
    private readonly clock: Clock,
    private readonly times: number,
    private readonly ms: number,
  ) {}

  /**
   * Milliseconds until it may be done again; 0: now.
   *
   * @param most a lower limit for this once.
   */
  freeIn(most = this.times): number {
    const now = this.clock.monotonic();
    while ((this.spent[0] ?? now) <= now - this.ms) this.spent.shift();
    const earliest = this.spent.at(-most);
    return earliest === undefined ? 0 : earliest + this.ms - now;
  }

  /** Counts that it is done now, even if it may not. */
  spend(): void {
    this.spent.push(this.clock.monotonic());
    if (this.spent.length > this.times) this.spent.shift();
  }
}
