import type { ControlPlaneClient } from '../api/client';
import type { Clock } from '../api/clock';
import type { Permission } from '../api/types';

/** Where something was found. */
export type FoundBy = 'logs' | 'alerts' | 'resources' | 'deployments';

export interface FoundThing {
  /** In lower case. */
  readonly id: string;
  /** What the API calls it or what runs there, such as `web-api, storefront`. */
  readonly label: string | undefined;
  readonly foundBy: readonly FoundBy[];
  /** Names of what runs there or comes from there. */
  readonly workloads: readonly string[];
  /** Names of its environments; sources only. */
  readonly environments: readonly string[];
}

/** What could not be looked at, and why. */
export interface Unseen {
  readonly permission: Permission;
  /** Requests that failed. */
  readonly count: number;
  /** `missing`: the key lacks the permission; `failed`: another error, the last of them below. */
  readonly why: 'missing' | 'failed';
  readonly error: unknown;
}

export interface Discovery {
  readonly sources: readonly FoundThing[];
  readonly servers: readonly FoundThing[];
  readonly workloads: number;
  readonly deployments: number;
  readonly unseen: readonly Unseen[];
  /** Which bounds were reached, so that there may be more than was found. */
  readonly cut: readonly FoundBy[];
}

export interface DiscoveryProgress {
  readonly step: FoundBy;
  readonly done: number;
  /** Requests of this step that are known of so far. */
  readonly total: number;
  readonly sources: number;
  readonly servers: number;
}

export type DiscoveryClient = Pick<
  ControlPlaneClient,
  'queryLogs' | 'listAlertRules' | 'listResources' | 'listDeployments'
>;

export interface DiscoveryOptions {
  readonly client: DiscoveryClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: DiscoveryProgress) => void;
  /** What is known already: a place to start from where logs may not be read. */
  readonly sources?: readonly string[];
  readonly servers?: readonly string[];
}

/**
 * Finds servers and sources although the API lists neither: each answer names what the next step asks
 * for. A step that fails leaves the others alone. Rejects only with the signal's reason.
 */
export declare function discover(options: DiscoveryOptions): Promise<Discovery>;
