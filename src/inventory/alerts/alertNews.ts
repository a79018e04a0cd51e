import type { AlertListing, AlertRule } from '../../api/types';
import type { KnownThing } from '../targets';
import { isFiring } from '../states';
import type { Store } from '../store';

/** A rule whose evaluation state is another than it was. */
export interface AlertChange {
  readonly serverId: string;
  readonly rule: AlertRule;
  /** Undefined for a rule that was not there before, or had no state. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isFiring: boolean;
  readonly wasFiring: boolean;
}

/** How many rules fire on the servers, for the badge. */
export function firingCount(store: Store, servers: readonly KnownThing[]): number {
  return servers.reduce((sum, { id }) => sum + firingRules(store.alerts(id).value).length, 0);
}

export function firingRules(listing: AlertListing | undefined): readonly AlertRule[] {
  return (listing?.rules ?? []).filter(isFiring);
}

/**
 * What changed from one listing to the next. Without an earlier listing nothing has changed: what
 * fired before anybody looked is no news. A rule without an id cannot be told from others and is left
 * out; a new rule is news only where it fires.
 */
export function alertChanges(
  serverId: string,
  before: AlertListing | undefined,
  after: AlertListing,
): readonly AlertChange[] {
  if (before === undefined) return [];
  const known = new Map((before.rules ?? []).map((rule) => [rule.id, rule]));
  return (after.rules ?? []).flatMap((rule) => {
    const old = rule.id === undefined ? undefined : known.get(rule.id);
    const fires = isFiring(rule);
    if (rule.id === undefined || (old === undefined && !fires)) return [];
    const isSame = old?.evaluationState === rule.evaluationState;
    if (old !== undefined && isSame && isFiring(old) === fires) return [];
    const { evaluationState: to } = rule;
    const wasFiring = old !== undefined && isFiring(old);
    return [{ serverId, rule, from: old?.evaluationState, to, isFiring: fires, wasFiring }];
  });
}
