import { type Clock, longestTimer } from '../base/clock';
import { ApiError } from './errors';
import { networkError } from './readError';

/**
 * The signal and the time-outs of one request. Each request has its own signal, because thousands of
 * requests would leave listeners on a long-lived one. A wait ends when the signal is aborted, even if
 * what it waits for ignores the signal.
 */
export class RequestTimeout {
  private readonly controller = new AbortController();
  private interrupt: ((reason: unknown) => void) | undefined;
  private cancelDeadline: (() => void) | undefined;
  private readonly onAbort = (): void => this.abort(this.callSignal.reason);

  /** @param requestUrl tells a server from a proxy in errors. */
  constructor(
    private readonly clock: Clock,
    private readonly callSignal: AbortSignal,
    private readonly requestUrl: string,
  ) {
    callSignal.addEventListener('abort', this.onAbort);
  }

  /** Aborted by the signal of the call, by a time-out and by `close`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Starts something and waits for it. Only one wait at a time.
   *
   * @param timeoutMs the time-out in milliseconds. Without it, the wait has no limit.
   * @throws the reason of the signal of the call, or an `ApiError` of the kind `timeout` or `network`.
   */
  async wait<T>(start: () => Promise<T>, timeoutMs?: number): Promise<T> {
    this.throwIfAborted();
    const cancelTimer =
      timeoutMs === undefined
        ? undefined
        : this.abortAfter(timeoutMs, 'The server sent nothing for');
    try {
      const started = start();
      return await new Promise((resolve, reject) => {
        this.interrupt = reject;
        started.then(resolve, reject);
      });
    } catch (error) {
      // After an abort, its reason replaces the error that it caused.
      this.throwIfAborted();
      throw networkError(error, this.requestUrl);
    } finally {
      this.interrupt = undefined;
      cancelTimer?.();
    }
  }

  /**
   * Aborts the request after this time unless it was closed before, so that an answer that arrives a byte
   * at a time ends, too. A wait then throws an `ApiError` of the kind `timeout`. Call it once.
   */
  endWithin(ms: number): void {
    this.cancelDeadline = this.abortAfter(ms, 'The answer was not complete after');
  }

  /** Removes the listener from the signal of the call and aborts the request if it is still running. */
  close(): void {
    this.cancelDeadline?.();
    this.callSignal.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  private throwIfAborted(): void {
    this.callSignal.throwIfAborted();
    this.signal.throwIfAborted();
  }

  private abort(reason: unknown): void {
    this.controller.abort(reason);
    this.interrupt?.(reason);
  }

  private abortAfter(ms: number, what: string): () => void {
    const end = (): void => {
      const message = `${what} ${ms / 1000} s.`;
      this.abort(new ApiError({ kind: 'timeout', code: 'timeout', message }));
    };
    return this.clock.setTimer(end, Math.min(ms, longestTimer));
  }
}
