import type { Clock } from '../base/clock';

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
  take(): void {
    this.spent.push(this.clock.monotonic());
    if (this.spent.length > this.times) this.spent.shift();
  }
}
