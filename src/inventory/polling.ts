import { createRateLimiter } from '../api/rateLimiter';
import { type Clock, day, delay, longestTimer, minute } from '../api/clock';
import { timeOf } from '../text/timeFormat';
import { type ResourceKey, resourceKeyOf } from './resourceKeys';
import { isRunning } from './states';
import type { Store } from './store';

/**
 * How many requests a minute all automatic refreshes of a window may send. Fifty sources and thirty
 * servers need half of it; with hundreds, each is refreshed less often.
 */
export const pollsPerMinute = 240;

interface PollingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The setting `controlPlane.refresh.intervalSeconds`, read each time. 0 turns polling off. */
  readonly intervalSeconds: () => number;
}

/** Refreshes what is on screen, each key by its interval and all keys within one request budget. */
export interface Polling {
  /**
   * Sets what a view shows: its own keys and those of its expanded nodes; undefined while it is hidden.
   * Call it on every change. Keys that were not requested within their interval are requested at once.
   */
  watch(view: string, resourceKeys: readonly ResourceKey[] | undefined): void;
  /**
   * Sets what to watch after an action: requested every 5 s, or every 30 s while the window has no
   * focus, whatever is visible and whatever the setting says. Undefined once the action has ended.
   */
  prioritize(reason: string, resourceKeys: readonly ResourceKey[] | undefined): void;
  /**
   * Waits until the shared budget has room for one more request, for polling that does not use the store.
   *
   * @throws the signal's reason.
   */
  turn(signal: AbortSignal): Promise<void>;
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
/** The longest interval after failures. */
const longestBackOff = 600_000;
/** When to check again on a key that is being requested. */
const recheck = 1_000;
/** How long to collect answers before the next due keys are computed. */
const gathering = 100;
/** A deployment that is reported as running for longer is stuck, or its end was not reported. */
const longestRun = day;

/**
 * Milliseconds between the end of one request and the next: 5 s while one of its deployments is running,
 * ten minutes for integrations and repositories, otherwise the interval of the settings. It doubles with
 * each failure in a row, up to ten minutes. Undefined: never.
 */
function intervalOf(
  key: ResourceKey,
  store: Store,
  now: number,
  intervalSeconds: number,
): number | undefined {
  if (intervalSeconds <= 0) return undefined;
  const interval = intervalSeconds * 1000;
  const { failures } = store.entry(key);
  if (failures > 0) return Math.max(interval, Math.min(longestBackOff, interval * 2 ** failures));
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

/** The same for prioritized keys. It also doubles with each failure in a row. */
function prioritizedInterval(key: ResourceKey, store: Store, isFocused: boolean): number {
  const interval = isFocused ? fastInterval : awayInterval;
  return Math.min(longestBackOff, interval * 2 ** store.entry(key).failures);
}

function hasRunning(resourceId: string, store: Store, now: number): boolean {
  return (store.deployments(resourceId).value?.deployments ?? []).some(
    (one) => isRunning(one) && now - (timeOf(one.startedAt) ?? -Infinity) < longestRun,
  );
}

export function createPolling({ store, clock, intervalSeconds }: PollingOptions): Polling {
  const views = new Map<string, readonly ResourceKey[]>();
  const prioritized = new Map<string, readonly ResourceKey[]>();
  const limiter = createRateLimiter(clock, pollsPerMinute, minute);
  let prioritizedKeys: ReadonlySet<string> = new Set();
  let isFocused = false;
  let isDisposed = false;
  let cancelTimer: (() => void) | undefined;
  let isGathering = false;

  function watched(): readonly ResourceKey[] {
    const visible = isFocused ? [...views.values()] : [];
    const resourceKeys = [...visible, ...prioritized.values()].flat();
    return [...new Map(resourceKeys.map((key) => [resourceKeyOf(key), key])).values()];
  }

  /** Milliseconds until a key is due or must be checked again; undefined: never. */
  function dueIn(key: ResourceKey): number | undefined {
    const { triedAt, isLoading } = store.entry(key);
    if (isLoading) return recheck;
    if (triedAt === undefined) return 0;
    const interval = prioritizedKeys.has(resourceKeyOf(key))
      ? prioritizedInterval(key, store, isFocused)
      : intervalOf(key, store, clock.now(), intervalSeconds());
    return interval === undefined ? undefined : Math.max(0, triedAt + interval - clock.monotonic());
  }

  /** Requests the due keys and sets the timer for the next ones. */
  function go(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    isGathering = false;
    if (isDisposed || !store.isOpen) return;
    const { heldUntil } = store;
    const held = heldUntil === undefined ? 0 : Math.max(0, heldUntil - clock.now());
    const due: ResourceKey[] = [];
    let next = Infinity;
    for (const key of watched()) {
      const wait = Math.max(dueIn(key) ?? Infinity, held);
      if (wait === 0) due.push(key);
      else next = Math.min(next, wait);
    }
    for (const key of due.sort(byUrgency)) {
      // The first request of a row that the user opens is sent in any case.
      if (store.entry(key).triedAt !== undefined && limiter.freeIn() > 0) {
        next = Math.min(next, Math.max(recheck, limiter.freeIn()));
        break;
      }
      limiter.take();
      void store.refresh(key).then(goSoon);
    }
    if (next < Infinity) cancelTimer = clock.setTimer(go, Math.min(next, longestTimer));
  }

  /** Keys that were never requested first, then prioritized ones, then the least recently requested. */
  function byUrgency(one: ResourceKey, other: ResourceKey): number {
    return rank(one) - rank(other);
  }

  function rank(key: ResourceKey): number {
    const { triedAt } = store.entry(key);
    if (triedAt === undefined) return -Number.MAX_VALUE;
    return prioritizedKeys.has(resourceKeyOf(key)) ? triedAt - Number.MAX_SAFE_INTEGER : triedAt;
  }

  /** Runs once for many answers, because it visits every watched key. */
  function goSoon(): void {
    if (isGathering || isDisposed) return;
    cancelTimer?.();
    cancelTimer = clock.setTimer(go, gathering);
    isGathering = true;
  }

  const unsubscribe = store.onDidChange(({ kind }) => {
    if (kind === 'reset') go();
  });

  return {
    watch(view, resourceKeys) {
      if (resourceKeys === undefined) views.delete(view);
      else views.set(view, resourceKeys);
      go();
    },
    prioritize(reason, resourceKeys) {
      if (resourceKeys === undefined) prioritized.delete(reason);
      else prioritized.set(reason, resourceKeys);
      prioritizedKeys = new Set([...prioritized.values()].flat().map(resourceKeyOf));
      go();
    },
    async turn(signal) {
      while (limiter.freeIn() > 0) await delay(clock, limiter.freeIn(), signal);
      limiter.take();
    },
    setFocused(focused) {
      isFocused = focused;
      go();
    },
    dispose() {
      isDisposed = true;
      unsubscribe();
      cancelTimer?.();
    },
  };
}
