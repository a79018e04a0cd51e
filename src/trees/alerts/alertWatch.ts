import type { AlertListing, AlertRule } from '../../api/types';
import type { Clock } from '../../base/clock';
import { type Disposable, Emitter } from '../../base/event';
import { plainText } from '../../base/untrustedText';
import type { NotifiedStates } from '../../connection/perConnection';
import { type DataContext, serverName } from '../../data/labels';
import { isFiring } from '../../data/states';
import { stateInWords } from '../../data/stateWords';
import type { ListingReader, Store } from '../../data/store';
import type { Target } from '../../data/targets';
import { ruleLabel, ruleText } from './ruleNodes';

/** Which changes are reported: none, rules that start to fire, or every change of a state. */
export type AlertMode = 'off' | 'firing' | 'all';

/**
 * Milliseconds from the first change to the report. The listings of the servers arrive one after the
 * other, and rules that fail together are reported together.
 */
export const gatherAlertsFor = 2_000;

/** Compares each listing of a server with the one before. The first listing is not reported. */
export class AlertWatch {
  private readonly changes = new Emitter<readonly AlertChange[]>();
  private readonly before = new Map<string, AlertListing>();
  private gathered: AlertChange[] = [];
  private cancelTimer: (() => void) | undefined;
  private readonly subscriptions: readonly Disposable[];

  /** @param notified what other windows have reported. */
  constructor(
    store: Store,
    private readonly clock: Clock,
    private readonly servers: () => readonly Target[],
    private readonly mode: () => AlertMode,
    private readonly notified: NotifiedStates,
  ) {
    this.subscriptions = [
      store.onDidChange(({ kind }) => {
        if (kind !== 'reset') return;
        this.before.clear();
        this.dropGathered();
      }),
      store.onDidChangeListing('alerts', ({ value }, serverId) => this.compare(serverId, value)),
    ];
  }

  /** Fires with the changes, each rule once; never with an empty list. */
  readonly onDidChange = this.changes.event;

  /** Drops the listings of servers that are no longer in the list. */
  prune(): void {
    const known = new Set(this.servers().map(({ id }) => id));
    for (const id of this.before.keys()) if (!known.has(id)) this.before.delete(id);
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
    this.dropGathered();
    this.changes.dispose();
  }

  private compare(serverId: string, listing: AlertListing | undefined): void {
    const last = this.before.get(serverId);
    if (listing === undefined || listing === last) return;
    this.before.set(serverId, listing);
    const isKnown = this.servers().some(({ id }) => id === serverId);
    const changes = isKnown ? alertChanges(serverId, last, listing) : [];
    if (changes.length === 0 || this.mode() === 'off') return;
    this.gathered.push(...changes);
    this.cancelTimer ??= this.clock.setTimer(() => this.report(), gatherAlertsFor);
  }

  private report(): void {
    // Also what is not reported: a rule that fires again after that is news.
    const news = this.notified.claim(
      merged(this.gathered),
      ruleKey,
      ({ to, isFiring }) => `${isFiring} ${to}`,
    );
    const changes = toReport(news, this.mode());
    this.dropGathered();
    if (changes.length > 0) this.changes.fire(changes);
  }

  private dropGathered(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.gathered = [];
  }
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
export function firingCount(store: ListingReader, servers: readonly Target[]): number {
  return servers.reduce(
    (sum, { id }) => sum + firingRules(store.read('alerts', id).value).length,
    0,
  );
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

/** A change in one sentence, for a notification. */
export function changeText(
  { serverId, rule, from, to, isFiring, wasFiring }: AlertChange,
  context: DataContext,
): string {
  const { t } = context;
  const name = plainText(ruleLabel(rule, context), 120);
  const server = plainText(serverName(context, serverId), 80);
  const details = plainText(ruleText(rule, context));
  const withDetails = (text: string): string =>
    details === '' ? `${text}.` : t('{0}: {1}', text, details);
  if (isFiring && !wasFiring) return withDetails(t('{0} fires on {1}', name, server));
  if (rule.enabled === false && from === to) return t('{0} on {1} is off.', name, server);
  const wordsOf = (state: string): string => plainText(stateInWords(state, t), 80);
  if (to === undefined) return withDetails(t('{0} on {1} has no state any more', name, server));
  return withDetails(
    from === undefined
      ? t('{0} on {1} is now {2}', name, server, wordsOf(to))
      : t('{0} on {1} is now {2} (was {3})', name, server, wordsOf(to), wordsOf(from)),
  );
}
