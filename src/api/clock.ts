/** Durations in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

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
  const end = clock.monotonic() + ms;
  await new Promise<void>((resolve) => {
    let cancelTimer: (() => void) | undefined;
    const finish = (): void => {
      cancelTimer?.();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const waitForRest = (): void => {
      const left = end - clock.monotonic();
      if (left > 0) cancelTimer = clock.setTimer(waitForRest, Math.min(left, longestTimer));
      else finish();
    };
    signal.addEventListener('abort', finish);
    waitForRest();
  });
  signal.throwIfAborted();
}
