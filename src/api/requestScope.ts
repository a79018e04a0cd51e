import { longestTimer, type Clock } from './clock';
import { ApiError } from './errors';
import { networkError } from './failure';

/**
 * The way of one request: a signal of its own, since thousands of requests on one long-lived signal
 * would leave their listeners there, and waits that end when the signal is aborted even where what
 * they wait for does not heed it.
 */
export interface RequestScope {
  /** Aborted by the call's signal, by a time-out and by `close`. */
  readonly signal: AbortSignal;
  /**
   * Starts something and waits for it; one at a time.
   *
   * @param timeoutMs how long at most; for ever where it is left out.
   * @throws the reason of the call's signal, or an `ApiError` of the kind `timeout` or `network`.
   */
  wait<T>(start: () => Promise<T>, timeoutMs?: number): Promise<T>;
  /** Lets go of the call's signal and ends whatever is still on the way. */
  close(): void;
}

/** @param asked the URL that is asked for: an error tells a server from a proxy by it. */
export function openRequestScope(
  clock: Clock,
  callSignal: AbortSignal,
  asked: string,
): RequestScope {
  const controller = new AbortController();
  let interrupt: ((reason: unknown) => void) | undefined;

  function abort(reason: unknown): void {
    controller.abort(reason);
    interrupt?.(reason);
  }
  const onAbort = (): void => abort(callSignal.reason);
  callSignal.addEventListener('abort', onAbort);

  return {
    signal: controller.signal,
    async wait(start, timeoutMs) {
      callSignal.throwIfAborted();
      const cancelTimer =
        timeoutMs === undefined
          ? undefined
          : clock.setTimer(() => abort(timeout(timeoutMs)), Math.min(timeoutMs, longestTimer));
      try {
        const started = start();
        return await new Promise((resolve, reject) => {
          interrupt = reject;
          started.then(resolve, reject);
        });
      } catch (error) {
        // Whatever comes out of an abort, its reason is what the caller wants to know.
        callSignal.throwIfAborted();
        controller.signal.throwIfAborted();
        throw networkError(error, asked);
      } finally {
        interrupt = undefined;
        cancelTimer?.();
      }
    },
    close() {
      callSignal.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}

function timeout(ms: number): ApiError {
  const message = `The server was silent for ${ms / 1000} s.`;
  return new ApiError({ kind: 'timeout', code: 'timeout', message });
}
