import { type Clock, day, longestTimer } from '../base/clock';
import type { Priority } from '../api/requestScheduler';
import { pollDelay } from '../api/retryPolicy';
import { timeOf } from '../base/timeFormat';
import { type CacheKey, cacheKeyId } from './cacheKeys';
import { isRunning } from './states';
import type { Store } from './store';

interface PollingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The setting `controlPlane.refresh.intervalSeconds`, read each time. 0 turns polling off. */
  readonly intervalSeconds: () => number;
}

/** Decides when what is on screen is due, each key by its interval. */
export interface Polling {
  /**
   * Sets what a view shows: its own keys and those of its expanded nodes; undefined while it is hidden.
   * Call it on every change. Keys that were not requested within their interval are due at once.
   */
  watch(view: string, cacheKeys: readonly CacheKey[] | undefined): void;
  /**
   * Sets what to watch after an action: due every 5 s (less often if there are many), or every 30 s while
   * the window has no focus, whatever is visible and whatever the setting says. Undefined once the action has ended.
   */
  prioritize(reason: string, cacheKeys: readonly CacheKey[] | undefined): void;
  /** A person opened what shows these: what is due or on its way is requested before all others. */
  open(cacheKeys: readonly CacheKey[]): void;
  /** Whether the window has the focus. Without it, only `prioritize` is served. False at first. */
  setFocused(focused: boolean): void;
  dispose(): void;
}

/** While a deployment is running, in milliseconds like all of these. */
const fastInterval = 5_000;
/** For prioritized keys while the window has no focus. */
const awayInterval = 30_000;
/** For integrations and repositories, which rarely change. */
const slowInterval = 600_000;
/** The least time between two requests for prioritized keys, so that the others have their turn, too. */
const prioritizedSpacing = 400;
/** When to check again on a key that others request. */
const recheck = 1_000;
/** How long to collect answers before the next due keys are computed. */
const gathering = 100;
/** A deployment that is reported as running for longer is stuck, or its end was not reported. */
const longestRun = day;

/**
 * Milliseconds between the end of one request and the next: 5 s while one of its deployments is running,
 * ten minutes for integrations and repositories, otherwise the interval of the settings. After failures,
 * as `pollDelay` says. Undefined: never.
 */
function intervalOf(
  key: CacheKey,
  store: Store,
  now: number,
  intervalSeconds: number,
): number | undefined {
  if (intervalSeconds <= 0) return undefined;
  const interval = intervalSeconds * 1000;
  const { failures, error } = store.entry(key);
  if (failures > 0) return pollDelay(interval, failures, error);
  switch (key.kind) {
    case 'deployments':
      return hasRunning(key.resourceId, store, now) ? Math.min(fastInterval, interval) : interval;
    case 'resources':
      return (store.resources(key.sourceId).value?.resources ?? []).some(
        ({ id }) => id !== undefined && hasRunning(id, store, now),
      )
        ? Math.min(fastInterval, interval)
        : interval;
    case 'repositories':
    case 'integrations':
      return Math.max(slowInterval, interval);
    case 'alerts':
    case 'secrets':
      return interval;
  }
}

function hasRunning(resourceId: string, store: Store, now: number): boolean {
  return (store.deployments(resourceId).value?.deployments ?? []).some(
    (one) => isRunning(one) && now - (timeOf(one.startedAt) ?? -Infinity) < longestRun,
  );
}

export function createPolling({ store, clock, intervalSeconds }: PollingOptions): Polling {
  const views = new Map<string, readonly CacheKey[]>();
  const prioritized = new Map<string, readonly CacheKey[]>();
  let prioritizedKeys: ReadonlySet<string> = new Set();
  /** The keys that are requested here; replaced with the store's client. */
  let asked = new Set<string>();
  let isFocused = false;
  let isDisposed = false;
  let cancelTimer: (() => void) | undefined;
  let isGathering = false;

  function watched(): readonly CacheKey[] {
    const visible = isFocused ? [...views.values()] : [];
    const cacheKeys = [...visible, ...prioritized.values()].flat();
    return [...new Map(cacheKeys.map((key) => [cacheKeyId(key), key])).values()];
  }

  /** Milliseconds until a key is due or must be checked again; undefined: never. */
  function dueIn(key: CacheKey): number | undefined {
    const id = cacheKeyId(key);
    if (asked.has(id)) return undefined;
    const { triedAt, isLoading, failures, error } = store.entry(key);
    if (isLoading) return recheck;
    if (triedAt === undefined) return 0;
    const interval = prioritizedKeys.has(id)
      ? pollDelay(prioritizedInterval(), failures, error)
      : intervalOf(key, store, clock.now(), intervalSeconds());
    return interval === undefined ? undefined : Math.max(0, triedAt + interval - clock.monotonic());
  }

  /** Milliseconds between the requests of each prioritized key. */
  function prioritizedInterval(): number {
    const spaced = prioritizedKeys.size * prioritizedSpacing;
    return Math.max(isFocused ? fastInterval : awayInterval, spaced);
  }

  /** Requests the due keys and sets the timer for the next ones. */
  function go(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    isGathering = false;
    if (isDisposed || !store.isOpen) return;
    const due: CacheKey[] = [];
    let next = Infinity;
    for (const key of watched()) {
      const wait = dueIn(key) ?? Infinity;
      if (wait === 0) due.push(key);
      else next = Math.min(next, wait);
    }
    const triedAt = (key: CacheKey): number => store.entry(key).triedAt ?? -Infinity;
    due.sort((one, other) => (triedAt(one) < triedAt(other) ? -1 : 1));
    for (const key of due) request(key, isAwaited(key) ? 'awaited' : 'automatic');
    if (next < Infinity) cancelTimer = clock.setTimer(go, Math.min(next, longestTimer));
  }

  /** Whether a row is empty without the key, or an action is watched by it. */
  function isAwaited(key: CacheKey): boolean {
    return store.entry(key).triedAt === undefined || prioritizedKeys.has(cacheKeyId(key));
  }

  function request(key: CacheKey, priority: Priority): void {
    const id = cacheKeyId(key);
    const own = asked;
    own.add(id);
    void store.refresh(key, priority).then(() => {
      own.delete(id);
      goSoon();
    });
  }

  /** Runs once for many answers, because it visits every watched key. */
  function goSoon(): void {
    if (isGathering || isDisposed) return;
    cancelTimer?.();
    cancelTimer = clock.setTimer(go, gathering);
    isGathering = true;
  }

  const subscription = store.onDidChange(({ kind }) => {
    if (kind !== 'reset') return;
    asked = new Set();
    go();
  });

  return {
    watch(view, cacheKeys) {
      if (cacheKeys === undefined) views.delete(view);
      else views.set(view, cacheKeys);
      go();
    },
    prioritize(reason, cacheKeys) {
      if (cacheKeys === undefined) prioritized.delete(reason);
      else prioritized.set(reason, cacheKeys);
      prioritizedKeys = new Set([...prioritized.values()].flat().map(cacheKeyId));
      go();
    },
    open(cacheKeys) {
      for (const key of cacheKeys) {
        if (store.entry(key).isLoading || dueIn(key) === 0) request(key, 'person');
      }
    },
    setFocused(focused) {
      isFocused = focused;
      go();
    },
    dispose() {
      isDisposed = true;
      subscription.dispose();
      cancelTimer?.();
    },
  };
}
