import type { LogQueryFilters } from '../api/types';
import type { SignedInConnection } from '../connection/signedIn';

/** Logs that can be followed. */
export interface FollowTarget {
  readonly filter: Omit<LogQueryFilters, 'from' | 'to'>;
  /** What is followed, in words. May be of the server: untrusted. */
  readonly label: string;
}

/**
 * Follows the logs of a row or a message. Resolves with true if they are followed now.
 *
 * @param on the connection that the row or message belongs to, if it may have been left since.
 */
export type FollowLogs = (
  follow: FollowTarget | undefined,
  on?: SignedInConnection,
) => Promise<boolean>;
