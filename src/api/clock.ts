/** Lengths of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Time as the pure layers see it, so that tests can make a day pass in a millisecond. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970; may jump. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary start; stands still while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` (at most 2³¹ − 1) milliseconds; returns what cancels it. */
  setTimer(callback: () => void, ms: number): () => void;
}

/** The longest time of a timer in milliseconds: a longer one would end at once. */
export const longestTimer = 2 ** 31 - 1;

/**
 * Waits at least `ms` milliseconds, however long, unaffected by changes of the wall clock.
 *
 * @throws the signal's reason as soon as it is aborted; neither timer nor listener stays behind.
 */
export async function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const end = clock.monotonic() + ms;
  await new Promise<void>((resolve) => {
    let cancelTimer: (() => void) | undefined;
    const finish = (): void => {
      cancelTimer?.();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const waitOn = (): void => {
      const left = end - clock.monotonic();
      if (left > 0) cancelTimer = clock.setTimer(waitOn, Math.min(left, longestTimer));
      else finish();
    };
    signal.addEventListener('abort', finish);
    waitOn();
  });
  signal.throwIfAborted();
}
