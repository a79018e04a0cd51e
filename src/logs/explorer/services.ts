import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import { ApiError } from '../../api/errors';
import type { When } from '../query/moment';
import type { PageTarget } from './loads';

export type LogClient = Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;

export interface ExplorerServices {
  /** That of the connection; undefined where there is none. */
  readonly client: () => LogClient | undefined;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The key or a fingerprint of it, to tell whether it changed; undefined means signed out. */
  readonly readKey: () => Promise<string | undefined>;
  readonly when: () => When;
  /** How many records are held at most: 100,000. */
  readonly maxRecords?: number;
  /** 500 at first, 1,000 from then on. */
  readonly pageTarget?: PageTarget;
}

/** Whether an error says that what was shown may be shown no longer. */
export function isAccessLost(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.kind === 'signedOut' || error.status === 401 || error.status === 403;
}
