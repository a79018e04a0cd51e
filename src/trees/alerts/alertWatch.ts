import type { Clock } from '../../base/clock';
import type { AlertListing, AlertRule } from '../../api/types';
import { isFiring } from '../../data/states';
import type { ToldStates } from '../../connection/toldStates';
import type { Store } from '../../data/store';
import type { Target } from '../../data/targets';

/** Which changes are reported: none, rules that start to fire, or every change of a state. */
export type AlertMode = 'off' | 'firing' | 'all';

interface AlertWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly servers: () => readonly Target[];
  readonly mode: () => AlertMode;
  /** What other windows have reported. */
  readonly told: ToldStates;
  /** Called with the changes, each rule once; never with an empty list. */
  readonly onDidChange: (changes: readonly AlertChange[]) => void;
}

interface AlertWatch {
  /** Drops the listings of servers that are no longer in the list. */
  prune(): void;
  dispose(): void;
}

/**
 * Milliseconds from the first change to the report. The listings of the servers arrive one after the
 * other, and rules that fail together are reported together.
 */
export const gatherFor = 2_000;

/** Compares each listing of a server with the one before. The first listing is not reported. */
export function watchAlerts(options: AlertWatchOptions): AlertWatch {
  const { store, clock, servers, mode, told, onDidChange } = options;
  const before = new Map<string, AlertListing>();
  let gathered: AlertChange[] = [];
  let cancelTimer: (() => void) | undefined;

  function dropGathered(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    gathered = [];
  }

  function report(): void {
    // Also what is not reported: a rule that fires again after that is news.
    const news = told.claim(merged(gathered), ruleKey, ({ to, isFiring }) => `${isFiring} ${to}`);
    const changes = toReport(news, mode());
    dropGathered();
    if (changes.length > 0) onDidChange(changes);
  }

  function compare(serverId: string): void {
    const listing = store.alerts(serverId).value;
    const last = before.get(serverId);
    if (listing === undefined || listing === last) return;
    before.set(serverId, listing);
    const isKnown = servers().some(({ id }) => id === serverId);
    const changes = isKnown ? alertChanges(serverId, last, listing) : [];
    if (changes.length === 0 || mode() === 'off') return;
    gathered.push(...changes);
    cancelTimer ??= clock.setTimer(report, gatherFor);
  }

  const subscription = store.onDidChange((change) => {
    if (change.kind === 'reset') {
      before.clear();
      dropGathered();
    } else if (change.key.kind === 'alerts') compare(change.key.serverId);
  });

  return {
    prune() {
      const known = new Set(servers().map(({ id }) => id));
      for (const id of before.keys()) if (!known.has(id)) before.delete(id);
    },
    dispose() {
      subscription.dispose();
      dropGathered();
    },
  };
}

/** Merges the changes of each rule. A rule that is back in its first state has not changed. */
function merged(changes: readonly AlertChange[]): readonly AlertChange[] {
  const byRule = new Map<string, AlertChange>();
  for (const change of changes) {
    const key = ruleKey(change);
    const { from, wasFiring } = byRule.get(key) ?? change;
    byRule.set(key, { ...change, from, wasFiring });
  }
  return [...byRule.values()].filter(
    ({ from, to, wasFiring, isFiring }) => from !== to || wasFiring !== isFiring,
  );
}

function ruleKey({ serverId, rule }: AlertChange): string {
  return `${serverId} ${rule.id ?? ''}`;
}

function toReport(changes: readonly AlertChange[], mode: AlertMode): readonly AlertChange[] {
  if (mode === 'all') return changes;
  return mode === 'off' ? [] : changes.filter(({ isFiring, wasFiring }) => isFiring && !wasFiring);
}

/** A rule whose evaluation state has changed. */
export interface AlertChange {
  readonly serverId: string;
  readonly rule: AlertRule;
  /** Undefined for a new rule, or one that had no state. */
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
 * The changes from one listing to the next; none without an earlier listing. Rules without an id are left
 * out, because they cannot be matched. A new rule counts only if it fires.
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
