import type { AlertListing } from '../../api/types';
import type { Clock } from '../../api/clock';
import { alertChanges, type AlertChange } from './alertNews';
import type { KnownThing } from '../targets';
import type { Store } from '../store';

/** Which changes are told: none, a rule that begins to fire, or any change of a state. */
export type AlertMode = 'off' | 'firing' | 'all';

export interface AlertWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly servers: () => readonly KnownThing[];
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
