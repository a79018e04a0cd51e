import { ApiError } from '../api/errors';

/** What is known of one topic. */
export interface CacheEntry<T> {
  /** The last answer: a failure does not clear it. */
  readonly value?: T;
  /** When it came, in wall-clock milliseconds since 1970. */
  readonly at?: number;
  /** Why the last try failed: an `ApiError` or `InvalidRequestError`. Gone with the next success. */
  readonly error?: unknown;
  /** Whether somebody is asking right now; waiting because of a 429 counts. */
  readonly isLoading: boolean;
  /** When the last try ended, on the monotonic clock. */
  readonly triedAt?: number;
  /** Tries in a row that failed, up to the last one. */
  readonly failures: number;
}

/** Of a topic that nobody has asked for. */
export const emptyEntry: CacheEntry<never> = { isLoading: false, failures: 0 };

/** Whether a person could see the difference. */
export function looksDifferent(before: CacheEntry<unknown>, after: CacheEntry<unknown>): boolean {
  if (before.value !== after.value || !isSameError(before.error, after.error)) return true;
  // With an answer or an error there is something else to see than that it loads.
  const isBlank = after.value === undefined && after.error === undefined;
  return isBlank && before.isLoading !== after.isLoading;
}

/** Each failure has a request id of its own, of which alone nobody is told anew. */
function isSameError(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!(one instanceof ApiError) || !(other instanceof ApiError)) return false;
  return (
    one.kind === other.kind &&
    one.status === other.status &&
    one.code === other.code &&
    one.message === other.message
  );
}
