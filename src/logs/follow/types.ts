import type { ApiError } from '../../api/errors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';

/** Where a tail is in its life. Times are on the clock's monotonic axis, in milliseconds. */
export type TailState =
  | { readonly kind: 'connecting' }
  /** `silence`: why the stream before was given up, as long as this one brings nothing either. */
  | { readonly kind: 'live'; readonly silence?: ApiError }
  /** Still receiving; `newRecords` have come since the pause, those left out included. */
  | { readonly kind: 'paused'; readonly newRecords: number }
  | { readonly kind: 'reconnecting'; readonly retryAt: number; readonly why: ApiError | undefined }
  | { readonly kind: 'rateLimited'; readonly retryAt: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly why: TailFailure };

/** Why a tail gave up; each is worded by the layer above. */
export type TailFailure =
  | { readonly kind: 'signedOut'; readonly error: ApiError }
  | { readonly kind: 'missingPermission'; readonly error: ApiError }
  | { readonly kind: 'notFound'; readonly error: ApiError }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'protocol'; readonly error: ApiError };

/** What a tail hands on, in order. */
export type TailOutput =
  | { readonly kind: 'records'; readonly records: readonly LogRecord[] }
  /** The buffer was full: this many records were left out here, exactly. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** The position was lost: records after `since` (ISO, absent if there was none) may be missing. */
  | {
      readonly kind: 'gap';
      readonly since: string | undefined;
      readonly error: ApiError | undefined;
    }
  /** The server said that a page is not complete. */
  | { readonly kind: 'partial' }
  /** What the key may see has changed: records before and after are not of one piece. */
  | { readonly kind: 'accessChanged' };

/** Enough to go on after a reload without a gap or a repeat. Plain JSON. */
export interface TailPosition {
  /** The bounds of the filters that the cursor was issued for, ISO UTC. */
  readonly from: string;
  readonly to: string;
  /** The follow cursor behind the last record that was handed on. */
  readonly cursor: string;
  /** The timestamp of that record, for a start without the cursor. */
  readonly lastTimestamp: string | undefined;
  /** The ids of the last records handed on at `cursor`, so that none is repeated. */
  readonly seen: readonly string[];
}

export interface TailCounters {
  /** New records that matched, once each. */
  readonly received: number;
  /** Of those, what came over the stream; the rest is history. */
  readonly streamed: number;
  /** Records that were handed on by `take`. received = handedOn + dropped + what is buffered. */
  readonly handedOn: number;
  readonly dropped: number;
  /** Records that came again after a resume and were dropped. */
  readonly repeated: number;
  readonly connects: number;
}

/** A running tail. All methods may be called in any state. */
export interface Tail {
  readonly filter: LogFilter;
  readonly state: TailState;
  readonly counters: TailCounters;
  /** The position behind everything that `take` has handed on; undefined before the first page. */
  readonly position: TailPosition | undefined;
  /** Starts, or starts again after `stopped` or `failed`. */
  start(): void;
  pause(): void;
  resume(): void;
  /** Ends it: no callback, timer or socket survives. */
  stop(): void;
  /** The key may have changed in another window: look again now instead of at the next failure. */
  keyChanged(): void;
  /**
   * Hands on what is buffered, oldest first, at most `maxRecords`; nothing while paused. The
   * position advances with it.
   */
  take(maxRecords?: number): TailOutput[];
}

/** What a tail tells its owner; both are called synchronously and must not throw. */
export interface TailListener {
  onDidChangeState(state: TailState): void;
  /**
   * There is something to take, now or later. Called at every arrival and every change of state for as
   * long as it was not taken (and not while paused), so it had better be cheap: up to once a page.
   */
  onDidReceive(): void;
  /** What the key may see has changed; told at once, also while it is paused. */
  onDidChangeAccess?(): void;
}

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
