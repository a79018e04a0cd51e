import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import { ApiError } from '../../api/errors';
import type { When } from '../query/timeExpression';
import type { PageTarget } from './pageLoader';

/** A connection, as far as logs are read from it. */
export interface LogSource {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  /** The key or a fingerprint of it, to tell whether it changed; undefined means signed out. */
  readonly readKey: () => Promise<string | undefined>;
}

export interface ExplorerServices {
  /** What a search begins on, and stays with; undefined where nobody is signed in. */
  readonly source: () => LogSource | undefined;
  readonly clock: Clock;
  /** As that of a tail. */
  readonly ahead?: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly when: () => When;
  /** How many records are held at most: 100,000. */
  readonly maxRecords?: number;
  /** How much memory they take at most, by an estimate: 128 MiB. */
  readonly maxBytes?: number;
  /** 500 at first, 1,000 from then on. */
  readonly pageTarget?: PageTarget;
}

/** Whether an error says that what was shown may be shown no longer. */
export function isAccessLost(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.kind === 'signedOut' || error.status === 401 || error.status === 403;
}
