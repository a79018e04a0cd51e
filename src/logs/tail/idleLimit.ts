const limitWithoutHeartbeats = 90_000;
const shortest = 45_000;
/** Fetch gives a silent body up after 300 s on its own, so ours has to come first. */
const longest = 290_000;
/** Heartbeats that arrive together were held up on the way and tell nothing of their spacing. */
const closestHeartbeats = 1000;

/** How long a stream may be silent before it counts as half-open, learnt from its heartbeats. */
export interface IdleLimit {
  /** Milliseconds. */
  readonly value: number;
  didConnect(): void;
  /** @param now milliseconds on a monotonic axis. */
  didHearHeartbeat(now: number): void;
  didReceivePage(): void;
}

export function createIdleLimit(): IdleLimit {
  let lastHeartbeat: number | undefined;
  /** The last three: one that came late makes the next spacing too short. */
  let spacings: number[] = [];
  return {
    get value() {
      if (spacings.length === 0) return limitWithoutHeartbeats;
      return Math.min(longest, Math.max(shortest, 3 * Math.max(...spacings)));
    },
    didConnect() {
      lastHeartbeat = undefined;
    },
    didHearHeartbeat(now) {
      const spacing = lastHeartbeat === undefined ? 0 : now - lastHeartbeat;
      if (spacing >= closestHeartbeats) spacings = [...spacings, spacing].slice(-3);
      lastHeartbeat = now;
    },
    didReceivePage() {
      // A server may leave heartbeats out while it sends pages: a spacing across one is none.
      lastHeartbeat = undefined;
    },
  };
}
