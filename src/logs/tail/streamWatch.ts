import { type Clock, minute, second } from '../../base/clock';

const shortest = 20 * second;
/** Also the value before anything was learnt. `fetch` ends a silent body after 300 s. */
const longest = 90 * second;
const factor = 3;
/** Less than this is not enough to learn from, because a page may arrive in pieces. */
const leastWatched = 5 * second;
/** How long a silence counts: at least this long, at most twice as long. */
const recent = 5 * minute;

/**
 * How long a stream may be silent before it counts as half-open, learnt from its silences. All times are on a
 * monotonic clock, in milliseconds.
 */
export class IdleLimit {
  private heardAt: number | undefined;
  private watched = 0;
  /** The longest silence since `since`, and of the period before. */
  private latest = 0;
  private before = 0;
  private since: number | undefined;

  get value(): number {
    if (this.watched < leastWatched) return longest;
    return Math.min(longest, Math.max(shortest, factor * Math.max(this.latest, this.before)));
  }

  /** A stream was opened. */
  didConnect(now: number): void {
    this.heardAt = now;
  }

  /**
   * A sign of life (a page, a heartbeat, or a part of one), or the end of a stream that was given up.
   */
  didHear(now: number): void {
    this.since ??= now;
    const period = now - this.since;
    if (period >= recent) {
      this.before = period < 2 * recent ? this.latest : 0;
      this.latest = 0;
      this.since = now;
    }
    const silence = this.heardAt === undefined ? 0 : now - this.heardAt;
    this.watched += silence;
    this.latest = Math.max(this.latest, silence);
    this.heardAt = now;
  }
}

/**
 * VS Code does not tell that the machine woke, so only a look shows it. This is as seldom as possible to
 * reconnect within two seconds of waking, of which the wait before a connect may take half a second. It is
 * all that a silent tail does.
 */
const tick = 1.5 * second;
const sleepLimit = 15_000;
/** The event loop was blocked if a tick is this late: received data may not be read yet. */
const lateTick = 5000;

/** Why the client gives up a connection. */
export type WatchVerdict = 'idle' | 'slept';

/**
 * Checks every 1.5 s whether a connection can still be alive: `slept` if the wall clock ran ahead of the
 * monotonic clock by more than 15 s (the machine slept, or the wall clock was set, which does no harm);
 * `idle` if there was no sign of life for too long.
 *
 * @param silence says how long there was no sign of life and how long that may be, in milliseconds.
 * @param onVerdict called at most once.
 * @returns a function that ends the watch.
 */
export function watchStream(
  clock: Clock,
  silence: () => { readonly lasts: number; readonly limit: number },
  onVerdict: (verdict: WatchVerdict) => void,
): () => void {
  let wall = clock.now();
  let monotonic = clock.monotonic();
  const look = (): void => {
    const passed = clock.monotonic() - monotonic;
    const ahead = clock.now() - wall - passed;
    wall = clock.now();
    monotonic = clock.monotonic();
    const { lasts, limit } = silence();
    if (ahead > sleepLimit) onVerdict('slept');
    else if (lasts >= limit && passed < lateTick) onVerdict('idle');
    else cancel = clock.setTimer(look, tick);
  };
  let cancel = clock.setTimer(look, tick);
  return () => cancel();
}
