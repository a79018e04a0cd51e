/** Bounds how often something is done, whatever asks for it. */
export interface ConnectBudget {
  /** Milliseconds until it may be done again, 0 for now. */
  wait(now: number): number;
  /** It is done now. */
  spend(now: number): void;
}

/** @param times at most so often within any `ms` milliseconds of the axis that `now` is on. */
export function createConnectBudget(times: number, ms: number): ConnectBudget {
  let spent: number[] = [];
  return {
    wait(now) {
      const earliest = spent.length < times ? undefined : spent[0];
      return earliest === undefined ? 0 : Math.max(0, earliest + ms - now);
    },
    spend(now) {
      spent = [...spent, now].slice(-times);
    },
  };
}
