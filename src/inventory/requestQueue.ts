import { type Clock, delay } from '../api/clock';
import { ApiError } from '../api/errors';
import { nextTry, retryDelay } from '../api/retryPolicy';

interface RequestQueueOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Sends the requests of one connection: few at a time, and none while a 429 holds them back. */
export interface RequestQueue {
  /** Until when nothing is sent, on the monotonic clock. */
  readonly heldUntil: number | undefined;
  /** Waits for one of the few places. Give it back with `leave`. */
  enter(): Promise<void>;
  leave(): void;
  /**
   * Sends a reading request and retries it. A 429 holds back all others too.
   *
   * @param onWait called with the reason before each wait.
   * @throws the last error; at once and without a request if the wait would be long.
   */
  run<T>(send: () => Promise<T>, onWait: (error: ApiError) => void): Promise<T>;
}

/** As many as a browser opens to one host. */
const maxAtOnce = 6;
/** How many 429 answers in a row are waited for before a request fails. */
const maxRateLimits = 5;
/** The longest wait, in milliseconds. If it would take longer, the request fails for now. */
const longestHold = 60_000;

export function createRequestQueue({ clock, random, signal }: RequestQueueOptions): RequestQueue {
  let hold: { readonly until: number; readonly error: ApiError } | undefined;
  let running = 0;
  /** First come, first served. A set, because removing the first item of a list is slow. */
  const waiting = new Set<() => void>();

  /** Waits until requests may be sent again. */
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
      // The place is handed on, so that no later request takes it in between.
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
          if (error.meaning === 'rateLimited') {
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
