/** How a frequency differs from the one before. */
export type FrequencyChange = 'new' | 'more' | 'same' | 'fewer' | 'gone';

/** The factor from which a change counts as more or fewer. */
const clearFactor = 2;
/** The count from which a change is significant: the actual one or the expected one, of the same period. */
const clearCount = 5;

/** A frequency in relation to the one before. */
export interface ComparedFrequency {
  readonly change: FrequencyChange;
  /** The frequency in relation to before; infinite if there was none. */
  readonly factor: number;
}

/**
 * Compares how often something happens in two periods, of which one may be longer.
 *
 * @param expected how many there would be now if it were as frequent as before.
 */
export function compareFrequency(now: number, before: number, expected: number): ComparedFrequency {
  const factor = now / expected;
  if (before === 0) return { change: 'new', factor: Infinity };
  if (now === 0) return { change: 'gone', factor: 0 };
  const isClear = Math.max(now, expected) >= clearCount;
  if (isClear && factor >= clearFactor) return { change: 'more', factor };
  return { change: isClear && factor <= 1 / clearFactor ? 'fewer' : 'same', factor };
}

/** Whether so many expected ones cannot be missing by chance. */
export function isMissed(expected: number): boolean {
  return expected >= clearCount;
}
