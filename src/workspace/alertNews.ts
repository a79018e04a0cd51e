import type { AlertListing, AlertRule } from '../api/types';
import type { KnownThing } from './knownThings';
import type { Store } from './store';

/** A rule whose evaluation state is another than it was. */
export interface AlertChange {
  readonly serverId: string;
  readonly rule: AlertRule;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isFiring: boolean;
}

/** How many rules fire on the servers, for the badge. */
export declare function firingCount(store: Store, servers: readonly KnownThing[]): number;

/**
 * What changed from one listing to the next. Without an earlier listing nothing has changed: what
 * fired before anybody looked is no news.
 */
export declare function alertChanges(
  serverId: string,
  before: AlertListing | undefined,
  after: AlertListing,
): readonly AlertChange[];
