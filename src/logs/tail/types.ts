import type { ApiError } from '../../api/errors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';

/** The state of a tail. Times are on the monotonic clock, in milliseconds. */
export type TailState =
  | { readonly kind: 'connecting' }
  /** `silence`: why the stream before was given up, until this one sends something. */
  | { readonly kind: 'live'; readonly silence?: ApiError }
  /** Still receiving. `newRecords` have arrived since the pause, including dropped ones. */
  | { readonly kind: 'paused'; readonly newRecords: number }
  | { readonly kind: 'reconnecting'; readonly retryAt: number; readonly why: ApiError | undefined }
  | { readonly kind: 'rateLimited'; readonly retryAt: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly why: TailFailure };

/** Why a tail failed. Upper layers describe it. */
export interface TailFailure {
  readonly kind: 'signedOut' | 'missingPermission' | 'notFound' | 'refused' | 'protocol';
  readonly error: ApiError;
}

/** What a tail hands on, in order. */
export type TailOutput =
  | { readonly kind: 'records'; readonly records: readonly LogRecord[] }
  /** The buffer was full: exactly this many records were dropped here. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** The position was lost: records may be missing. */
  | { readonly kind: 'gap'; readonly error: ApiError | undefined }
  /** The server said that a page is incomplete. */
  | { readonly kind: 'partial' }
  /** What the key may see has changed: records before and after are not comparable. */
  | { readonly kind: 'accessChanged' };

/** Enough to resume after a reload without gap or repetition. Plain JSON. */
export interface TailPosition {
  /** The range of the filters that the cursor was issued for, ISO UTC. */
  readonly from: string;
  readonly to: string;
  /** The follow cursor after the last record that was handed on. */
  readonly cursor: string;
  /** The end of the history before the cursor (ISO UTC), if not all of that was handed on. */
  readonly historyUntil?: string | undefined;
  /** Where the history began, ISO UTC: what was logged before it was not shown. Default: `from`. */
  readonly since?: string | undefined;
  /** The ids of the last records handed on at `cursor`, to drop repetitions. */
  readonly seen: readonly string[];
}

interface TailCounters {
  /** New records that matched, each counted once. */
  readonly received: number;
  /** How many of those arrived over the stream; the rest is history. */
  readonly streamed: number;
  /** Records that `take` has handed on. received = handedOn + dropped + what is buffered. */
  readonly handedOn: number;
  readonly dropped: number;
  /** Records that arrived again after a resume and were ignored. */
  readonly repeated: number;
  readonly connects: number;
}

/** A running tail. All methods can be called in any state. */
export interface Tail {
  readonly filter: LogFilter;
  readonly state: TailState;
  readonly counters: TailCounters;
  /** The position after everything that `take` has handed on. Undefined before the history has come. */
  readonly position: TailPosition | undefined;
  /** Starts, or starts again after `stopped` or `failed`. */
  start(): void;
  pause(): void;
  resume(): void;
  /** Ends the tail: no callback, timer or socket remains. */
  stop(): void;
  /** The key may have changed in another window: reads it now instead of at the next failure. */
  keyChanged(): void;
  /** Whether the record with this id waits to be taken, or may come again. */
  knows(id: string): boolean;
  /**
   * Hands on buffered records, oldest first, at most `maxRecords`; none while paused. Advances the
   * position.
   */
  take(maxRecords?: number): TailOutput[];
}

/** Callbacks of a tail. They are called synchronously and must not throw. */
export interface TailListener {
  onDidChangeState(state: TailState): void;
  /**
   * There may be something to take. Called for every arrival and change of state until it is taken (not
   * while paused), up to once per page, so it must be fast.
   */
  onDidReceive(): void;
  /** What the key may see has changed. Called at once, also while paused. */
  onDidChangeAccess?(): void;
}

/** One run of a tail, from start to end. Its current step can be aborted. */
export interface TailRun {
  hasEnded(): boolean;
  /**
   * A signal for the next step. It replaces the one before: thousands of steps on one signal would leave
   * their listeners behind.
   */
  nextSignal(): AbortSignal;
  /** Aborts the current step. The run continues. */
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
