import { mayRefuseCursor } from '../../api/cursors';
import { type ApiError, type ErrorMeaning, meaningOfStatus, statusOfCode } from '../../api/errors';
import { retryDelay } from '../../api/retryPolicy';
import type { TailFailure } from './types';

/** How an attempt of the tail (history or stream) ended. */
export type AttemptEnd =
  /** The server closed the stream. */
  | { readonly kind: 'closed'; readonly stream: StreamLife }
  | { readonly kind: 'error'; readonly error: ApiError; readonly stream: StreamLife }
  | { readonly kind: 'error'; readonly error: ApiError; readonly during: 'history' | 'opening' }
  /** The stream repeats itself without progress. */
  | { readonly kind: 'stuck'; readonly error: ApiError }
  /** The stream was silent for too long. */
  | { readonly kind: 'idle'; readonly error: ApiError }
  /** The machine slept or the key changed: not a failure. */
  | { readonly kind: 'disturbed' };

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

/** Decides what a tail does after each attempt. Remembers failures in a row. */
export interface ReconnectPolicy {
  /** @param now milliseconds on a monotonic clock. */
  decide(ending: AttemptEnd, now: number): Decision;
  /**
   * The tail was started, has a new key, or the stream has sent something after the cursor: earlier failures
   * no longer count.
   */
  forgive(): void;
  /** The server asked for a least wait before each connect. */
  setMinimumDelay(ms: number): void;
}

const maxMalformed = 3;
const freshStartEvery = 60_000;
/** A stream that lasted this long did not fail, even if it sent nothing. In milliseconds. */
const usefulAfter = 10_000;
/**
 * The server ends streams after 300 s, and `fetch` ends silent bodies: an end after so long is routine.
 */
const routineAfter = 290_000;

/** @param random from 0 to below 1. */
export function createReconnectPolicy(random: () => number): ReconnectPolicy {
  let failures = 0;
  let malformed = 0;
  let lastFreshStart = -Infinity;
  let cursorIsFresh = false;
  let minimumDelay = 0;

  const backOff = (why: ApiError | undefined): Decision => {
    failures++;
    const wait = Math.max(minimumDelay, retryDelay(failures, why?.retryAfter, random));
    return { kind: 'reconnect', wait, isRoutine: false, why };
  };

  const routine = (least: number, longest: number): Decision => {
    const wait = Math.max(least, random() * longest);
    return { kind: 'reconnect', wait, isRoutine: true, why: undefined };
  };

  const startAfresh = (error: ApiError, now: number): Decision => {
    // A cursor that was issued just now is refused for another reason than its age.
    if (cursorIsFresh) return { kind: 'fail', why: { kind: 'refused', error } };
    const wait = Math.max(0, lastFreshStart + freshStartEvery - now);
    lastFreshStart = now + wait;
    cursorIsFresh = true;
    return { kind: 'startAfresh', wait, error };
  };

  const decideError = (
    error: ApiError,
    during: 'history' | 'opening' | 'stream',
    now: number,
  ): Decision => {
    if (error.kind === 'protocol' && during !== 'opening') {
      malformed++;
      if (malformed >= maxMalformed) return { kind: 'fail', why: { kind: 'protocol', error } };
      return backOff(error);
    }
    const meaning = meaningOf(error);
    switch (meaning) {
      case 'passing':
        return backOff(error);
      case 'rateLimited':
        failures++;
        return {
          kind: 'waitForRate',
          wait: Math.max(minimumDelay, retryDelay(failures, error.retryAfter, random)),
        };
      case 'unknownKey':
        return { kind: 'readKey', error };
      case 'lostCursor':
        if (during !== 'history') return startAfresh(error, now);
        return { kind: 'fail', why: { kind: 'refused', error } };
      case 'refused':
        // The error does not say whether it is about the cursor. A fresh cursor shows it.
        if (during === 'opening' && error.status === 400) return startAfresh(error, now);
        return { kind: 'fail', why: { kind: meaning, error } };
      case 'signedOut':
      case 'missingPermission':
      case 'notFound':
        return { kind: 'fail', why: { kind: meaning, error } };
    }
  };

  return {
    decide(ending, now) {
      const stream = 'stream' in ending ? ending.stream : undefined;
      const lasted = stream?.lasted ?? 0;
      const wasUseful = stream?.progressed === true || lasted >= usefulAfter;
      if (wasUseful || ending.kind === 'idle') {
        failures = 0;
        cursorIsFresh = false;
      }
      switch (ending.kind) {
        case 'error':
          if (ending.error.kind === 'network' && lasted >= routineAfter)
            return routine(minimumDelay, 1000);
          return decideError(ending.error, 'during' in ending ? ending.during : 'stream', now);
        case 'closed':
          return wasUseful ? routine(minimumDelay, 1000) : backOff(undefined);
        case 'idle':
          return backOff(ending.error);
        case 'disturbed':
          // The wait applied to a stream that ended; the server may accept a new one sooner.
          return routine(0, 500);
        case 'stuck':
          return { kind: 'fail', why: { kind: 'protocol', error: ending.error } };
      }
    },
    forgive() {
      failures = 0;
      malformed = 0;
      cursorIsFresh = false;
    },
    setMinimumDelay(ms) {
      minimumDelay = ms;
    },
  };
}

/** What an error means for a tail. */
type Meaning =
  | Exclude<ErrorMeaning, 'unreachable' | 'serverFailed' | 'unexpected'>
  /** The next attempt may succeed. */
  | 'passing'
  /** The server refuses the cursor or, without one, the request. */
  | 'lostCursor';

export function meaningOf(error: ApiError): Meaning {
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
