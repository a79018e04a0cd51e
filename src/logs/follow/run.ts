/** One run of a tail, from its start to its end: what is under way in it can be given up. */
export interface TailRun {
  hasEnded(): boolean;
  /**
   * A signal for the next step, which replaces the last one: thousands of steps on a signal of the
   * whole run would leave their listeners there.
   */
  nextSignal(): AbortSignal;
  /** Gives up the step that is under way; the run goes on. */
  disturb(): void;
  end(): void;
}

export function createTailRun(): TailRun {
  let step = new AbortController();
  let hasEnded = false;
  return {
    hasEnded: () => hasEnded,
    nextSignal() {
      step = new AbortController();
      if (hasEnded) step.abort();
      return step.signal;
    },
    disturb: () => step.abort(),
    end() {
      hasEnded = true;
      step.abort();
    },
  };
}
