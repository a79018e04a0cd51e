import type { ControlPlaneClient } from '../api/client';
import { ApiError } from '../api/errors';
import type { Clock } from '../api/clock';
import { hour } from '../api/units';

/** What one cheap request says of an API key. */
export type KeyTrial =
  | { readonly kind: 'valid' }
  /** The key is good, but may not read logs. */
  | { readonly kind: 'withoutLogs'; readonly error: ApiError }
  | { readonly kind: 'invalid'; readonly error: ApiError }
  /** Nothing can be said of the key: the control plane did not answer as it should. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Tries a key with the smallest request there is: one log record of the last hour. */
export async function tryKey(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<KeyTrial> {
  const now = clock.now();
  const filters = {
    from: new Date(now - hour).toISOString(),
    to: new Date(now).toISOString(),
  };
  try {
    await client.queryLogs({ filters, limit: 1 }, { signal });
    return { kind: 'valid' };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { kind: 'invalid', error };
    if (error instanceof ApiError && error.status === 403) return { kind: 'withoutLogs', error };
    return { kind: 'unknown', error };
  }
}
