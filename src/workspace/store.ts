import type { ControlPlaneClient } from '../api/client';
import type { Clock } from '../api/clock';
import type {
  AlertListing,
  DeploymentListing,
  IntegrationListing,
  Repository,
  ResourceListing,
  SecretListing,
} from '../api/types';
import type { Topic } from './topics';

/** What is known of one topic. */
export interface Known<T> {
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

/** The repositories of one search, as far as their pages were loaded. */
export interface RepositoryPages {
  readonly repositories: readonly Repository[];
  /** How many pages were loaded. */
  readonly pages: number;
  /** The number of the page to load next; absent after the last. */
  readonly nextPage?: number;
}

/** How the workspace writes dates and times, as the last answer said it. */
export interface Formats {
  readonly dateFormat?: string;
  readonly timeFormat?: string;
  readonly timeZone?: string;
}

export type StoreChange =
  /** Something of this topic has changed that a person could see. */
  | { readonly kind: 'topic'; readonly topic: Topic }
  /** Everything is gone: another connection, another key, or none. */
  | { readonly kind: 'reset' };

export type StoreClient = Pick<
  ControlPlaneClient,
  | 'listAlertRules'
  | 'listResources'
  | 'listSecrets'
  | 'listDeployments'
  | 'listRepositories'
  | 'listIntegrations'
>;

export interface StoreOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Owns what is known of a control plane. Listings come without their `localization`. */
export interface Store {
  alerts(serverId: string): Known<AlertListing>;
  resources(sourceId: string): Known<ResourceListing>;
  secrets(sourceId: string): Known<SecretListing>;
  deployments(resourceId: string): Known<DeploymentListing>;
  repositories(search: string): Known<RepositoryPages>;
  integrations(): Known<IntegrationListing>;
  known(topic: Topic): Known<unknown>;
  readonly formats: Formats;
  /** Until when (wall-clock milliseconds) nothing is asked, since the server said 429. */
  readonly heldUntil: number | undefined;
  /**
   * Asks again, sharing what is under way. Never rejects: a failure is in `known(topic).error`.
   * Network errors, 408, 5xx and 429 are tried again by the rules of the contract before they count.
   */
  refresh(topic: Topic): Promise<void>;
  /** Loads the next page of a search, if there is one; a failure is in `repositories(search).error`. */
  loadMore(search: string): Promise<void>;
  /** Drops everything, aborts what is under way, ignores late answers and asks this client from now on. */
  reset(client: StoreClient | undefined): void;
  /** Drops one topic: nobody wants it any more. */
  forget(topic: Topic): void;
  /** Returns what ends the subscription. */
  onDidChange(listener: (change: StoreChange) => void): () => void;
}

export declare function createStore(options: StoreOptions): Store;
