import { type Clock, day, delay, longestTimer, minute } from '../api/clock';
import { timeOf } from '../text/timeFormat';
import { type ResourceKey, resourceKeyOf } from './resourceKeys';
import { isRunning } from './states';
import type { Store } from './store';

/**
 * Requests a minute of everything that asks again and again by itself, in one window. Whoever has fifty
 * sources and thirty servers needs half of it; what a list of hundreds names is looked at less often.
 */
export const pollsPerMinute = 240;

/** What everything that polls takes its requests from, so that they are bounded together. */
interface RequestBudget {
  /** Takes one if there is one left in the last minute. */
  take(): boolean;
  /** Counts a request that is made in any case: the first look at what somebody has opened. */
  note(): void;
  /** Milliseconds until there is one again; 0: now. */
  freeIn(): number;
  /**
   * Takes one, as soon as there is one.
   *
   * @throws the signal's reason.
   */
  turn(signal: AbortSignal): Promise<void>;
}

export function createRequestBudget(clock: Clock): RequestBudget {
  /** When those of the last minute were made, the oldest first. */
  const made: number[] = [];

  function freeIn(): number {
    const now = clock.monotonic();
    const kept = made.findIndex((at) => at > now - minute);
    made.splice(0, kept < 0 ? made.length : kept);
    const last = made[made.length - pollsPerMinute];
    return last === undefined ? 0 : last + minute - now;
  }

  function note(): void {
    made.push(clock.monotonic());
  }

  function take(): boolean {
    if (freeIn() > 0) return false;
    note();
    return true;
  }

  return {
    take,
    note,
    freeIn,
    async turn(signal) {
      while (!take()) await delay(clock, freeIn(), signal);
    },
  };
}

export interface PollingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The setting `controlPlane.refresh.intervalSeconds`, asked anew each time; 0: never by itself. */
  readonly intervalSeconds: () => number;
}

/**
 * Keeps what is looked at fresh: asks the store, no more often than its policy allows, and for all of it
 * together no more often than the budget does.
 */
export interface Polling {
  /**
   * What a view needs: its own topics and those of its expanded nodes. Undefined while it is hidden.
   * Call again whenever that changes; what was not asked for in the interval is asked for at once.
   */
  watch(view: string, topics: readonly ResourceKey[] | undefined): void;
  /**
   * What somebody who has just changed something waits for: asked for every 5 s, and every 30 s while
   * the window has no focus, whatever is visible and whatever the setting says. Undefined once it has
   * settled.
   */
  hurry(reason: string, topics: readonly ResourceKey[] | undefined): void;
  /**
   * Waits until one more request fits into the budget that all of it shares: for what asks the control
   * plane again and again in another way.
   *
   * @throws the signal's reason.
   */
  turn(signal: AbortSignal): Promise<void>;
  /** Whether the window has the focus; nothing else is asked without it. Without it at first. */
  setFocused(focused: boolean): void;
  dispose(): void;
}

/** While something of a topic is running. */
const fastInterval = 5_000;
/** What somebody waits for while the window has no focus. */
const awayInterval = 30_000;
/** What is set up once and seldom changes is asked for that seldom. */
const slowInterval = 600_000;
/** However often it failed, it is tried again after that long. */
const longestBackOff = 600_000;
/** When to look again at what somebody else is asking for. */
const recheck = 1_000;
/** How long to gather what has been answered before it is worked out what is due next. */
const gathering = 100;
/** A deployment that says so for longer is stuck, or its end was never told. */
const longestRun = day;

/**
 * Milliseconds between the end of one try of a topic and the next: 5 s while a deployment of it is
 * under way, ten minutes for integrations and repositories, else the interval of the settings; twice
 * as long with each failure in a row, up to ten minutes. Undefined: never.
 */
function intervalOf(
  topic: ResourceKey,
  store: Store,
  now: number,
  intervalSeconds: number,
): number | undefined {
  if (intervalSeconds <= 0) return undefined;
  const interval = intervalSeconds * 1000;
  const { failures } = store.known(topic);
  if (failures > 0) return Math.max(interval, Math.min(longestBackOff, interval * 2 ** failures));
  switch (topic.kind) {
    case 'deployments':
      return hasRunning(topic.resourceId, store, now) ? Math.min(fastInterval, interval) : interval;
    case 'resources':
      return (store.resources(topic.sourceId).value?.resources ?? []).some(
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

/** The same for what somebody waits for, and twice as long with each failure in a row. */
function hurriedInterval(topic: ResourceKey, store: Store, isFocused: boolean): number {
  const interval = isFocused ? fastInterval : awayInterval;
  return Math.min(longestBackOff, interval * 2 ** store.known(topic).failures);
}

function hasRunning(resourceId: string, store: Store, now: number): boolean {
  return (store.deployments(resourceId).value?.deployments ?? []).some(
    (one) => isRunning(one) && now - (timeOf(one.startedAt) ?? -Infinity) < longestRun,
  );
}

export function createPolling({ store, clock, intervalSeconds }: PollingOptions): Polling {
  const views = new Map<string, readonly ResourceKey[]>();
  const hurried = new Map<string, readonly ResourceKey[]>();
  const budget = createRequestBudget(clock);
  let hurriedKeys: ReadonlySet<string> = new Set();
  let isFocused = false;
  let isDisposed = false;
  let cancelTimer: (() => void) | undefined;
  let isGathering = false;

  function watched(): readonly ResourceKey[] {
    const seen = isFocused ? [...views.values()] : [];
    const topics = [...seen, ...hurried.values()].flat();
    return [...new Map(topics.map((topic) => [resourceKeyOf(topic), topic])).values()];
  }

  /** Milliseconds until a topic is due or to be looked at again; undefined where it never is. */
  function dueIn(topic: ResourceKey): number | undefined {
    const { triedAt, isLoading } = store.known(topic);
    if (isLoading) return recheck;
    if (triedAt === undefined) return 0;
    const interval = hurriedKeys.has(resourceKeyOf(topic))
      ? hurriedInterval(topic, store, isFocused)
      : intervalOf(topic, store, clock.now(), intervalSeconds());
    return interval === undefined ? undefined : Math.max(0, triedAt + interval - clock.monotonic());
  }

  /** Asks for what is due and sets the timer for what is due next. */
  function go(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    isGathering = false;
    if (isDisposed || !store.isOpen) return;
    const { heldUntil } = store;
    const held = heldUntil === undefined ? 0 : Math.max(0, heldUntil - clock.now());
    const due: ResourceKey[] = [];
    let next = Infinity;
    for (const topic of watched()) {
      const wait = Math.max(dueIn(topic) ?? Infinity, held);
      if (wait === 0) due.push(topic);
      else next = Math.min(next, wait);
    }
    for (const topic of due.sort(byUrgency)) {
      if (store.known(topic).triedAt === undefined) budget.note();
      else if (!budget.take()) {
        next = Math.min(next, Math.max(recheck, budget.freeIn()));
        break;
      }
      // Whatever comes of it, what is due next is worked out anew.
      void store.refresh(topic).then(goSoon);
    }
    if (next < Infinity) cancelTimer = clock.setTimer(go, Math.min(next, longestTimer));
  }

  /** What was never looked at, then what somebody waits for, then what was looked at longest ago. */
  function byUrgency(one: ResourceKey, other: ResourceKey): number {
    return sinceOf(one) - sinceOf(other);
  }

  function sinceOf(topic: ResourceKey): number {
    const { triedAt } = store.known(topic);
    if (triedAt === undefined) return -Number.MAX_VALUE;
    return hurriedKeys.has(resourceKeyOf(topic)) ? triedAt - Number.MAX_SAFE_INTEGER : triedAt;
  }

  /** Once for many answers, since it looks at every topic that is watched. */
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
    watch(view, topics) {
      if (topics === undefined) views.delete(view);
      else views.set(view, topics);
      go();
    },
    hurry(reason, topics) {
      if (topics === undefined) hurried.delete(reason);
      else hurried.set(reason, topics);
      hurriedKeys = new Set([...hurried.values()].flat().map(resourceKeyOf));
      go();
    },
    turn: (signal) => budget.turn(signal),
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
