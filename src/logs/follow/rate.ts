/** Records per second, lately. */
export interface Rate {
  /** Counts what has come now. */
  count(records: number): void;
  /** The mean of the last five seconds, or of the time since the first count while that is less. */
  perSecond(): number;
}

/** Milliseconds that one slot stands for. */
const slotLength = 500;
/** Ten full slots make the window, and one is being filled. */
const slotCount = 11;

/**
 * A sliding mean in constant time and memory.
 *
 * @param monotonic milliseconds that only ever grow.
 */
export function createRate(monotonic: () => number): Rate {
  /** Counts by the number of their slot, the oldest first: never more than `slotCount`. */
  const counts = new Map<number, number>();
  let sum = 0;
  let started: number | undefined;

  /** The slot of a moment, once what the window has left behind is forgotten. */
  function moveTo(now: number): number {
    const current = Math.floor(now / slotLength);
    for (const [slot, count] of counts) {
      if (slot > current - slotCount) break;
      counts.delete(slot);
      sum -= count;
    }
    return current;
  }

  return {
    count(records) {
      const now = monotonic();
      const slot = moveTo(now);
      started ??= now;
      counts.set(slot, (counts.get(slot) ?? 0) + records);
      sum += records;
    },
    perSecond() {
      const now = monotonic();
      moveTo(now);
      if (started === undefined) return 0;
      const covered = (slotCount - 1) * slotLength + (now % slotLength);
      // Not less than a second, or the first record alone would look like a thousand a second.
      return (sum * 1000) / Math.max(1000, Math.min(covered, now - started));
    },
  };
}
