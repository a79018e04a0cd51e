import { type Clock, longestTimer } from '../base/clock';
import { ApiError } from './errors';
import { networkError } from './readError';

/**
 * The signal and the time-outs of one request. Each request has its own signal, because thousands of
 * requests would leave listeners on a long-lived one. A wait ends when the signal is aborted, even if
 * what it waits for ignores the signal.
 */
export interface RequestScope {
  /** Aborted by the signal of the call, by a time-out and by `close`. */
  readonly signal: AbortSignal;
  /**
   * Starts something and waits for it. Only one wait at a time.
   *
   * @param timeoutMs the time-out in milliseconds. Without it, the wait has no limit.
   * @throws the reason of the signal of the call, or an `ApiError` of the kind `timeout` or `network`.
   */
  wait<T>(start: () => Promise<T>, timeoutMs?: number): Promise<T>;
  /**
   * Aborts the request after this time unless it was closed before, so that an answer that arrives a byte
   * at a time ends, too. A wait then throws an `ApiError` of the kind `timeout`. Call it once.
   */
  endWithin(ms: number): void;
  /** Removes the listener from the signal of the call and aborts the request if it is still running. */
  close(): void;
}

/** @param requestUrl tells a server from a proxy in errors. */
export function openRequestScope(
  clock: Clock,
  callSignal: AbortSignal,
  requestUrl: string,
): RequestScope {
  const controller = new AbortController();
  let interrupt: ((reason: unknown) => void) | undefined;
  let cancelDeadline: (() => void) | undefined;

  function abort(reason: unknown): void {
    controller.abort(reason);
    interrupt?.(reason);
  }
  function abortAfter(ms: number, what: string): () => void {
    const end = (): void => {
      const message = `${what} ${ms / 1000} s.`;
      abort(new ApiError({ kind: 'timeout', code: 'timeout', message }));
    };
    return clock.setTimer(end, Math.min(ms, longestTimer));
  }
  const onAbort = (): void => abort(callSignal.reason);
  callSignal.addEventListener('abort', onAbort);

  return {
    signal: controller.signal,
    async wait(start, timeoutMs) {
      callSignal.throwIfAborted();
      controller.signal.throwIfAborted();
      const cancelTimer =
        timeoutMs === undefined ? undefined : abortAfter(timeoutMs, 'The server sent nothing for');
      try {
        const started = start();
        return await new Promise((resolve, reject) => {
          interrupt = reject;
          started.then(resolve, reject);
        });
      } catch (error) {
        // After an abort, its reason replaces the error that it caused.
        callSignal.throwIfAborted();
        controller.signal.throwIfAborted();
        throw networkError(error, requestUrl);
      } finally {
        interrupt = undefined;
        cancelTimer?.();
      }
    },
    endWithin(ms) {
      cancelDeadline = abortAfter(ms, 'The answer was not complete after');
    },
    close() {
      cancelDeadline?.();
      callSignal.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}
