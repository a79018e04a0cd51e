/** Time as the pure layers see it, so that tests can make a day pass in a millisecond. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970; may jump. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary start; stands still while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` (at most 2³¹ − 1) milliseconds; returns what cancels it. */
  setTimer(callback: () => void, ms: number): () => void;
}
