import { type Clock, minute } from '../../../src/base/clock';

interface Window {
  /** Monotonic time. */
  readonly until: number;
  count: number;
}

/** Counts requests in windows of a minute, each of which begins with its first request. */
export class RequestWindows {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  /** Counts a request of somebody; returns how many there are in this window with it. */
  count(who: string): number {
    const known = this.windows.get(who);
    if (known === undefined || known.until <= this.clock.monotonic()) {
      this.windows.set(who, { until: this.clock.monotonic() + minute, count: 1 });
      return 1;
    }
    known.count++;
    return known.count;
  }

  /** What is left of the window of somebody. */
  leftOf(who: string, most: number): { readonly requests: number; readonly ms: number } {
    const { count = 0, until = this.clock.monotonic() } = this.windows.get(who) ?? {};
    return {
      requests: Math.max(0, most - count),
      ms: Math.max(0, until - this.clock.monotonic()),
    };
  }
}
