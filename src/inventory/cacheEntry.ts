import { ApiError } from '../api/errors';

/** What the cache holds for one resource key. */
export interface CacheEntry<T> {
  /** The last value. A failure does not clear it. */
  readonly value?: T;
  /** When the value arrived, in wall-clock milliseconds since 1970. */
  readonly at?: number;
  /** Why the last request failed: an `ApiError` or `InvalidRequestError`. A success clears it. */
  readonly error?: unknown;
  /** Whether a request is under way; waiting after a 429 counts. */
  readonly isLoading: boolean;
  /** When the last request ended, on the monotonic clock. */
  readonly triedAt?: number;
  /** How many requests in a row have failed. */
  readonly failures: number;
}

/** The entry of a key that was never requested. */
export const emptyEntry: CacheEntry<never> = { isLoading: false, failures: 0 };

/** Whether a user can see the difference. */
export function looksDifferent(before: CacheEntry<unknown>, after: CacheEntry<unknown>): boolean {
  if (before.value !== after.value || !isSameError(before.error, after.error)) return true;
  // Loading is visible only if there is neither a value nor an error.
  const isBlank = after.value === undefined && after.error === undefined;
  return isBlank && before.isLoading !== after.isLoading;
}

/** Ignores the request id, which differs for each failure. */
function isSameError(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!(one instanceof ApiError) || !(other instanceof ApiError)) return false;
  return (['kind', 'status', 'code', 'message'] as const).every(
    (member) => one[member] === other[member],
  );
}
