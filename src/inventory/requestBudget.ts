import { delay, type Clock } from '../api/clock';
import { minute } from '../api/units';

/**
 * Requests a minute of everything that asks again and again by itself, in one window. Whoever has fifty
 * sources and thirty servers needs half of it; what a list of hundreds names is looked at less often.
 */
export const pollsPerMinute = 240;

/** What everything that polls takes its requests from, so that they are bounded together. */
export interface RequestBudget {
  /** Takes one if there is one left in the last minute. */
  take(): boolean;
  /** Counts a request that is made in any case: the first look at what somebody has opened. */
  note(): void;
  /** Milliseconds until there is one again; 0: now. */
  freeIn(): number;
  /**
   * Takes one, as soon as there is one.
   *
   * @throws the signal's reason.
   */
  turn(signal: AbortSignal): Promise<void>;
}

export function createRequestBudget(clock: Clock): RequestBudget {
  /** When those of the last minute were made, the oldest first. */
  const made: number[] = [];

  function freeIn(): number {
    const now = clock.monotonic();
    const kept = made.findIndex((at) => at > now - minute);
    made.splice(0, kept < 0 ? made.length : kept);
    const last = made[made.length - pollsPerMinute];
    return last === undefined ? 0 : last + minute - now;
  }

  function note(): void {
    made.push(clock.monotonic());
  }

  function take(): boolean {
    if (freeIn() > 0) return false;
    note();
    return true;
  }

  return {
    take,
    note,
    freeIn,
    async turn(signal) {
      while (!take()) await delay(clock, freeIn(), signal);
    },
  };
}
