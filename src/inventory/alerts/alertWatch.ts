import type { Clock } from '../../api/clock';
import type { AlertListing, AlertRule } from '../../api/types';
import { isFiring } from '../states';
import type { Store } from '../store';
import type { Target } from '../targets';

/** Which changes are told: none, a rule that begins to fire, or any change of a state. */
export type AlertMode = 'off' | 'firing' | 'all';

export interface AlertWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly servers: () => readonly Target[];
  readonly mode: () => AlertMode;
  /** Told what has changed, each rule once; never an empty list. */
  readonly tell: (changes: readonly AlertChange[]) => void;
}

export interface AlertWatch {
  /** The lists have changed: a server that comes back begins anew. */
  prune(): void;
  dispose(): void;
}

/**
 * Milliseconds from the first change to the news of it: the listings of one look at all servers come
 * one after the other, and what breaks together is told together.
 */
export const gatherFor = 2_000;

/** Compares each listing of a server with the one before. What was so at first is no news. */
export function watchAlerts({ store, clock, servers, mode, tell }: AlertWatchOptions): AlertWatch {
  const before = new Map<string, AlertListing>();
  let gathered: AlertChange[] = [];
  let cancelTimer: (() => void) | undefined;

  function forgetNews(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    gathered = [];
  }

  function tellGathered(): void {
    const changes = gathered;
    forgetNews();
    const worth = worthTelling(merged(changes), mode());
    if (worth.length > 0) tell(worth);
  }

  function look(serverId: string): void {
    const listing = store.alerts(serverId).value;
    const last = before.get(serverId);
    if (listing === undefined || listing === last) return;
    before.set(serverId, listing);
    const isKnown = servers().some(({ id }) => id === serverId);
    const changes = isKnown ? alertChanges(serverId, last, listing) : [];
    if (changes.length === 0 || mode() === 'off') return;
    gathered.push(...changes);
    cancelTimer ??= clock.setTimer(tellGathered, gatherFor);
  }

  const unsubscribe = store.onDidChange((change) => {
    if (change.kind === 'reset') {
      before.clear();
      forgetNews();
    } else if (change.topic.kind === 'alerts') look(change.topic.serverId);
  });

  return {
    prune() {
      const known = new Set(servers().map(({ id }) => id));
      for (const id of before.keys()) if (!known.has(id)) before.delete(id);
    },
    dispose() {
      unsubscribe();
      forgetNews();
    },
  };
}

/** The changes of one rule as one; a rule that is back where it was has not changed. */
function merged(changes: readonly AlertChange[]): readonly AlertChange[] {
  const byRule = new Map<string, AlertChange>();
  for (const change of changes) {
    const key = `${change.serverId} ${change.rule.id ?? ''}`;
    const { from, wasFiring } = byRule.get(key) ?? change;
    byRule.set(key, { ...change, from, wasFiring });
  }
  return [...byRule.values()].filter(
    ({ from, to, wasFiring, isFiring }) => from !== to || wasFiring !== isFiring,
  );
}

function worthTelling(changes: readonly AlertChange[], mode: AlertMode): readonly AlertChange[] {
  switch (mode) {
    case 'off':
      return [];
    case 'firing':
      // From one firing state to another is no beginning.
      return changes.filter(({ isFiring, wasFiring }) => isFiring && !wasFiring);
    case 'all':
      return changes;
  }
}

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
export function firingCount(store: Store, servers: readonly Target[]): number {
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
