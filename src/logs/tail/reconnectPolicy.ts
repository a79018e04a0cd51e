import { mayRefuseCursor } from '../../api/cursors';
import { type ApiError, type ErrorMeaning, meaningOfStatus, statusOfCode } from '../../api/errors';
import { retryDelay } from '../../api/retryPolicy';
import { minute } from '../../base/clock';
import type { TailFailure } from './tailState';

/** How an attempt of the tail (history or stream) ended. */
export type AttemptEnd =
  | { readonly kind: 'closed'; readonly stream: StreamLife }
  | { readonly kind: 'error'; readonly error: ApiError; readonly stream: StreamLife }
  | { readonly kind: 'error'; readonly error: ApiError; readonly during: 'history' | 'opening' }
  /** The stream repeats itself without progress. */
  | { readonly kind: 'stuck'; readonly error: ApiError }
  /** The stream was silent for too long. */
  | { readonly kind: 'idle'; readonly error: ApiError }
  /** The machine slept or the key changed: not a failure. */
  | { readonly kind: 'interrupted' };

export interface StreamLife {
  /** Milliseconds since the stream was opened. */
  readonly lasted: number;
  /** Whether it sent a new cursor or new records. */
  readonly progressed: boolean;
}

/** What to do next. Waits are in milliseconds. */
export type Decision =
  | {
      readonly kind: 'reconnect';
      readonly wait: number;
      /** A routine wait that need not be shown. */
      readonly isRoutine: boolean;
      readonly why: ApiError | undefined;
    }
  | { readonly kind: 'waitForRate'; readonly wait: number }
  /** The server does not accept the key, which may have changed meanwhile. */
  | { readonly kind: 'readKey'; readonly error: ApiError }
  /** The cursor is lost: start after the last record, with a gap marker. */
  | { readonly kind: 'startAfresh'; readonly wait: number; readonly error: ApiError }
  | { readonly kind: 'fail'; readonly why: TailFailure };

const maxMalformed = 3;
const freshStartEvery = minute;
/** A stream that lasted this long did not fail, even if it sent nothing. In milliseconds. */
const usefulAfter = 10_000;
/**
 * The server ends streams after 300 s, and `fetch` ends silent bodies: an end after so long is routine.
 */
const routineAfter = 290_000;

/** Decides what a tail does after each attempt. Remembers failures in a row. */
export class ReconnectPolicy {
  private failures = 0;
  private malformed = 0;
  private lastFreshStart = -Infinity;
  private cursorIsFresh = false;
  private minimumDelay = 0;

  /** @param random from 0 to below 1. */
  constructor(private readonly random: () => number) {}

  /** @param now milliseconds on a monotonic clock. */
  decide(ending: AttemptEnd, now: number): Decision {
    const stream = 'stream' in ending ? ending.stream : undefined;
    const lasted = stream?.lasted ?? 0;
    const wasUseful = stream?.progressed === true || lasted >= usefulAfter;
    if (wasUseful || ending.kind === 'idle') {
      this.failures = 0;
      this.cursorIsFresh = false;
    }
    switch (ending.kind) {
      case 'error':
        if (ending.error.kind === 'network' && lasted >= routineAfter) {
          return this.routine(this.minimumDelay, 1000);
        }
        return this.decideError(ending.error, 'during' in ending ? ending.during : 'stream', now);
      case 'closed':
        return wasUseful ? this.routine(this.minimumDelay, 1000) : this.backOff(undefined);
      case 'idle':
        return this.backOff(ending.error);
      case 'interrupted':
        // The wait applied to a stream that ended; the server may accept a new one sooner.
        return this.routine(0, 500);
      case 'stuck':
        return { kind: 'fail', why: { kind: 'protocol', error: ending.error } };
    }
  }

  /**
   * The tail was started, has a new key, or the stream has sent something after the cursor: earlier failures
   * no longer count.
   */
  resetFailures(): void {
    this.failures = 0;
    this.malformed = 0;
    this.cursorIsFresh = false;
  }

  /** The server asked for a least wait before each connect, in milliseconds. */
  setMinimumDelay(ms: number): void {
    this.minimumDelay = ms;
  }

  private backOff(why: ApiError | undefined): Decision {
    this.failures++;
    const delay = retryDelay(this.failures, why?.retryAfter, this.random);
    return { kind: 'reconnect', wait: Math.max(this.minimumDelay, delay), isRoutine: false, why };
  }

  private routine(least: number, longest: number): Decision {
    const wait = Math.max(least, this.random() * longest);
    return { kind: 'reconnect', wait, isRoutine: true, why: undefined };
  }

  private startAfresh(error: ApiError, now: number): Decision {
    // A cursor that was issued just now is refused for another reason than its age.
    if (this.cursorIsFresh) return { kind: 'fail', why: { kind: 'refused', error } };
    const wait = Math.max(0, this.lastFreshStart + freshStartEvery - now);
    this.lastFreshStart = now + wait;
    this.cursorIsFresh = true;
    return { kind: 'startAfresh', wait, error };
  }

  private decideError(
    error: ApiError,
    during: 'history' | 'opening' | 'stream',
    now: number,
  ): Decision {
    if (error.kind === 'protocol' && during !== 'opening') {
      this.malformed++;
      if (this.malformed >= maxMalformed) return { kind: 'fail', why: { kind: 'protocol', error } };
      return this.backOff(error);
    }
    const meaning = tailMeaning(error);
    switch (meaning) {
      case 'passing':
        return this.backOff(error);
      case 'rateLimited': {
        this.failures++;
        const delay = retryDelay(this.failures, error.retryAfter, this.random);
        return { kind: 'waitForRate', wait: Math.max(this.minimumDelay, delay) };
      }
      case 'unknownKey':
        return { kind: 'readKey', error };
      case 'lostCursor':
        if (during !== 'history') return this.startAfresh(error, now);
        return { kind: 'fail', why: { kind: 'refused', error } };
      case 'refused':
        // The error does not say whether it is about the cursor. A fresh cursor shows it.
        if (during === 'opening' && error.status === 400) return this.startAfresh(error, now);
        return { kind: 'fail', why: { kind: meaning, error } };
      case 'signedOut':
      case 'missingPermission':
      case 'notFound':
        return { kind: 'fail', why: { kind: meaning, error } };
    }
  }
}

/** What an error means for a tail. */
type Meaning =
  | Exclude<ErrorMeaning, 'unreachable' | 'serverFailed' | 'unexpected'>
  /** The next attempt may succeed. */
  | 'passing'
  /** The server refuses the cursor or, without one, the request. */
  | 'lostCursor';

export function tailMeaning(error: ApiError): Meaning {
  const { kind, code, message } = error;
  // An event whose code says nothing is a failure of the server, which may pass.
  const status = error.status ?? (kind === 'http' ? (statusOfCode(code) ?? 500) : 0);
  const meaning = kind === 'http' ? meaningOfStatus(status) : error.meaning;
  switch (meaning) {
    case 'unreachable':
    case 'serverFailed':
      return 'passing';
    case 'unexpected':
      return kind === 'redirect' ? 'refused' : 'passing';
    case 'refused':
      if (status === 425) return 'passing';
      if (status === 400 && !/cursor/i.test(`${code} ${message}`)) return 'refused';
      return mayRefuseCursor(status) ? 'lostCursor' : 'refused';
    default:
      return meaning;
  }
}
