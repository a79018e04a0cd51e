import { delay, type Clock } from '../api/clock';
import { ApiError } from '../api/errors';
import { nextTry, retryDelay } from '../api/retry';

export interface RequestQueueOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** How requests of one connection are sent: few at a time, and none while the server wants us to wait. */
export interface RequestQueue {
  /** Until when nothing is sent, on the monotonic clock. */
  readonly heldUntil: number | undefined;
  /** Waits for a place among the few that may ask at a time; to be given back with `leave`. */
  enter(): Promise<void>;
  leave(): void;
  /**
   * Sends a request that only reads, again where it may be. A 429 holds all others back too.
   *
   * @param onWait told why it waits before the next try.
   * @throws what the last try threw; at once, without a request, where the wait would be long.
   */
  run<T>(send: () => Promise<T>, onWait: (error: ApiError) => void): Promise<T>;
}

/** A server that answers slowly is not to be buried; a browser does not open more either. */
const maxAtOnce = 6;
/** Refusals for the rate, each waited out, after which a request has failed. */
const maxRateLimits = 5;
/** Nobody looks at a spinner for longer, in milliseconds: then the request fails for now. */
const longestHold = 60_000;

export function createRequestQueue({ clock, random, signal }: RequestQueueOptions): RequestQueue {
  let hold: { readonly until: number; readonly error: ApiError } | undefined;
  let running = 0;
  /** First come, first served; a list would be moved as a whole with each that leaves. */
  const waiting = new Set<() => void>();

  /** Waits until the server lets us ask again. */
  async function passHold(): Promise<void> {
    for (;;) {
      const left = hold === undefined ? 0 : hold.until - clock.monotonic();
      if (hold === undefined || left <= 0) return;
      if (left > longestHold) throw hold.error;
      await delay(clock, left, signal);
    }
  }

  return {
    get heldUntil() {
      return hold !== undefined && hold.until > clock.monotonic() ? hold.until : undefined;
    },
    async enter() {
      if (running < maxAtOnce) running++;
      else await new Promise<void>((resolve) => waiting.add(resolve));
    },
    leave() {
      const { value: next } = waiting.keys().next();
      // The place is handed on, so that nobody who comes later gets in between.
      if (next === undefined) running--;
      else {
        waiting.delete(next);
        next();
      }
    },
    async run(send, onWait) {
      let outages = 0;
      let rateLimits = 0;
      for (;;) {
        try {
          if (hold !== undefined) await passHold();
          signal.throwIfAborted();
          return await send();
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ApiError) || error === hold?.error) throw error;
          if (error.status === 429) {
            const wait = retryDelay(++rateLimits, error.retryAfter, random);
            const until = Math.max(hold?.until ?? 0, clock.monotonic() + wait);
            hold = { until, error };
            if (rateLimits >= maxRateLimits || wait > longestHold) throw error;
            onWait(error);
          } else {
            const wait = nextTry('read', error, { outages: ++outages, rateLimits }, random);
            if (wait === undefined) throw error;
            onWait(error);
            await delay(clock, wait, signal);
          }
        }
      }
    },
  };
}
