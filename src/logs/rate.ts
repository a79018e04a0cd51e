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
  const slots = new Array<number>(slotCount).fill(0);
  let sum = 0;
  /** The number of the slot that is being filled, counted from the axis's start. */
  let current = 0;
  let started: number | undefined;

  /** Empties the slots that time has passed over, at most all of them. */
  function moveTo(now: number): void {
    const slot = Math.floor(now / slotLength);
    for (let next = Math.max(current, slot - slotCount) + 1; next <= slot; next++) {
      sum -= slots[next % slotCount] ?? 0;
      slots[next % slotCount] = 0;
    }
    current = slot;
  }

  return {
    count(records) {
      const now = monotonic();
      moveTo(now);
      started ??= now;
      slots[current % slotCount] = (slots[current % slotCount] ?? 0) + records;
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
