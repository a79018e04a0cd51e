import type { StreamCursor } from '../../api/cursors';
import type { ApiError } from '../../api/errors';
import type { LogRecord } from '../../api/types';

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

/** What is read of a tail, in order. */
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

/** What can precede the records of an arrival. */
export type Notice = Exclude<TailOutput, { kind: 'records' } | { kind: 'dropped' }>;

/** What arrived at once: a page, or a history. */
export interface Arrival {
  readonly notices: readonly Notice[];
  readonly records: readonly LogRecord[];
  readonly after: StreamCursor;
  /** The end of the range of a history, ISO UTC. */
  readonly historyUntil?: string | undefined;
  /** Where a history begins, ISO UTC. */
  readonly since?: string | undefined;
}

/** Enough to resume after a reload without gap or repetition. Plain JSON. */
export interface TailPosition {
  /** The range of the filters that the cursor was issued for, ISO UTC. */
  readonly from: string;
  readonly to: string;
  /** The follow cursor after the last record that was read. */
  readonly cursor: string;
  /** The end of the history before the cursor (ISO UTC), if not all of that was read. */
  readonly historyUntil?: string | undefined;
  /** Where the history began, ISO UTC: what was logged before it was not shown. Default: `from`. */
  readonly since?: string | undefined;
  /** The ids of the last records read at `cursor`, to drop repetitions. */
  readonly seen: readonly string[];
}

export interface TailCounters {
  /** New records that matched, each counted once. */
  readonly received: number;
  /** How many of those arrived over the stream; the rest is history. */
  readonly streamed: number;
  /** Records that were read. received = read + dropped + what is buffered. */
  readonly read: number;
  readonly dropped: number;
  /** Records that arrived again after a resume and were ignored. */
  readonly repeated: number;
  readonly connects: number;
}
