import { minute, second } from '../../api/clock';

const shortest = 20 * second;
/** Also where nothing is known yet; fetch gives a silent body up after 300 s on its own. */
const longest = 90 * second;
const factor = 3;
/** Pieces of one page tell nothing of how long a stream may be silent. */
const leastWatched = 5 * second;
/** How long a silence counts as recent, at least; at most twice as long. */
const recent = 5 * minute;

/** How long a stream may be silent before it counts as half-open, learnt from its silences so far. */
export interface IdleLimit {
  /** Milliseconds. */
  readonly value: number;
  /** A stream is open. All times are milliseconds on a monotonic axis. */
  didConnect(now: number): void;
  /** There was a sign of life, whichever: a page, a heartbeat, a piece of either. */
  didHear(now: number): void;
  /** The stream was given up for its silence, which may have been nothing but that. */
  didGiveUp(now: number): void;
}

export function createIdleLimit(): IdleLimit {
  let heardAt: number | undefined;
  let watched = 0;
  /** The longest silences: since `since`, and of the time before that. */
  let latest = 0;
  let before = 0;
  let since: number | undefined;

  const didHear = (now: number): void => {
    since ??= now;
    if (now - since >= recent) {
      before = now - since < 2 * recent ? latest : 0;
      latest = 0;
      since = now;
    }
    const silence = heardAt === undefined ? 0 : now - heardAt;
    watched += silence;
    latest = Math.max(latest, silence);
    heardAt = now;
  };

  return {
    get value() {
      if (watched < leastWatched) return longest;
      return Math.min(longest, Math.max(shortest, factor * Math.max(latest, before)));
    },
    didConnect(now) {
      heardAt = now;
    },
    didHear,
    didGiveUp: didHear,
  };
}
