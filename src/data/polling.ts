import type { Priority } from '../api/requestScheduler';
import { pollDelay } from '../api/retryPolicy';
import { type Clock, longestTimer } from '../base/clock';
import type { Disposable } from '../base/event';
import { fastInterval, listings } from './listings';
import { type CacheKey, cacheKeyId, type Store } from './store';

/** For prioritized keys while the window has no focus, in milliseconds like all of these. */
const awayInterval = 30_000;
/** The least time between two requests for prioritized keys, so that the others have their turn, too. */
const prioritizedSpacing = 400;
/** When to check again on a key that others request. */
const recheck = 1_000;
/** How long to collect answers before the next due keys are computed. */
const gathering = 100;

/**
 * Milliseconds between the end of one request and the next: the interval of the settings, unless its kind of listing has
 * another. After failures, as `pollDelay` says. Undefined: never.
 */
function intervalOf(
  key: CacheKey,
  store: Store,
  now: number,
  intervalSeconds: number,
): number | undefined {
  if (intervalSeconds <= 0) return undefined;
  const usual = intervalSeconds * 1000;
  const { failures, error } = store.entry(key);
  if (failures > 0) return pollDelay(usual, failures, error);
  const { interval } = listings[key.kind];
  const { id } = key;
  return interval?.(usual, { id, now, valueOf: (...of) => store.read(...of).value }) ?? usual;
}

/** Decides when what is on screen is due, each key by its interval. */
export class Polling {
  private readonly views = new Map<string, readonly CacheKey[]>();
  private readonly prioritized = new Map<string, readonly CacheKey[]>();
  private prioritizedKeys: ReadonlySet<string> = new Set();
  /** The keys that are requested here; replaced with the store's client. */
  private asked = new Set<string>();
  private isFocused = false;
  private isDisposed = false;
  private cancelTimer: (() => void) | undefined;
  private isGathering = false;
  private readonly subscription: Disposable;

  /**
   * @param intervalSeconds the setting `controlPlane.refresh.intervalSeconds`, read each time. 0 turns polling off.
   */
  constructor(
    private readonly store: Store,
    private readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>,
    private readonly intervalSeconds: () => number,
  ) {
    this.subscription = this.store.onDidChange(({ kind }) => {
      if (kind !== 'reset') return;
      this.asked = new Set();
      this.go();
    });
  }

  /**
   * Sets what a view shows: its own keys and those of its expanded nodes; undefined while it is hidden.
   * Call it on every change. Keys that were not requested within their interval are due at once.
   */
  watch(view: string, cacheKeys: readonly CacheKey[] | undefined): void {
    if (cacheKeys === undefined) this.views.delete(view);
    else this.views.set(view, cacheKeys);
    this.go();
  }

  /**
   * Sets what to watch after an action: due every 5 s (less often if there are many), or every 30 s while
   * the window has no focus, whatever is visible and whatever the setting says. Undefined once the action has ended.
   */
  prioritize(reason: string, cacheKeys: readonly CacheKey[] | undefined): void {
    if (cacheKeys === undefined) this.prioritized.delete(reason);
    else this.prioritized.set(reason, cacheKeys);
    this.prioritizedKeys = new Set([...this.prioritized.values()].flat().map(cacheKeyId));
    this.go();
  }

  /** A person opened what shows these: what is due or on its way is requested before all others. */
  open(cacheKeys: readonly CacheKey[]): void {
    for (const key of cacheKeys) {
      if (this.store.entry(key).isLoading || this.dueIn(key) === 0) this.request(key, 'person');
    }
  }

  /** Whether the window has the focus. */
  get hasFocus(): boolean {
    return this.isFocused;
  }

  /** Whether the window has the focus. Without it, only `prioritize` is served. False at first. */
  setFocused(focused: boolean): void {
    this.isFocused = focused;
    this.go();
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    this.cancelTimer?.();
  }

  private watched(): readonly CacheKey[] {
    const visible = this.isFocused ? [...this.views.values()] : [];
    const cacheKeys = [...visible, ...this.prioritized.values()].flat();
    return [...new Map(cacheKeys.map((key) => [cacheKeyId(key), key])).values()];
  }

  /** Milliseconds until a key is due or must be checked again; undefined: never. */
  private dueIn(key: CacheKey): number | undefined {
    const id = cacheKeyId(key);
    if (this.asked.has(id)) return undefined;
    const { triedAt, isLoading, failures, error } = this.store.entry(key);
    const now = this.store.serverNow();
    if (isLoading) return recheck;
    if (triedAt === undefined || now === undefined) return 0;
    const interval = this.prioritizedKeys.has(id)
      ? pollDelay(this.prioritizedInterval(), failures, error)
      : intervalOf(key, this.store, now, this.intervalSeconds());
    return interval === undefined
      ? undefined
      : Math.max(0, triedAt + interval - this.clock.monotonic());
  }

  /** Milliseconds between the requests of each prioritized key. */
  private prioritizedInterval(): number {
    const spaced = this.prioritizedKeys.size * prioritizedSpacing;
    return Math.max(this.isFocused ? fastInterval : awayInterval, spaced);
  }

  /** Requests the due keys and sets the timer for the next ones. */
  private go(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.isGathering = false;
    if (this.isDisposed || !this.store.isOpen) return;
    const due: CacheKey[] = [];
    let next = Infinity;
    for (const key of this.watched()) {
      const wait = this.dueIn(key) ?? Infinity;
      if (wait === 0) due.push(key);
      else next = Math.min(next, wait);
    }
    const triedAt = (key: CacheKey): number => this.store.entry(key).triedAt ?? -Infinity;
    due.sort((a, b) => (triedAt(a) < triedAt(b) ? -1 : 1));
    for (const key of due) this.request(key, this.isAwaited(key) ? 'awaited' : 'automatic');
    if (next < Infinity)
      this.cancelTimer = this.clock.setTimer(() => this.go(), Math.min(next, longestTimer));
  }

  /** Whether a row is empty without the key, or an action is watched by it. */
  private isAwaited(key: CacheKey): boolean {
    const isMissed = listings[key.kind].hidden !== undefined;
    return (
      (isMissed && this.store.entry(key).triedAt === undefined) ||
      this.prioritizedKeys.has(cacheKeyId(key))
    );
  }

  private request(key: CacheKey, priority: Priority): void {
    const id = cacheKeyId(key);
    const own = this.asked;
    own.add(id);
    void this.store.refresh(key, priority).then(() => {
      own.delete(id);
      this.goSoon();
    });
  }

  /** Runs once for many answers, because it visits every watched key. */
  private goSoon(): void {
    if (this.isGathering || this.isDisposed) return;
    this.cancelTimer?.();
    this.cancelTimer = this.clock.setTimer(() => this.go(), gathering);
    this.isGathering = true;
  }
}
