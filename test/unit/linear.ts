import { assert } from 'chai';

/** How much longer one piece of work may take than its eighths: quadratic work takes eight times as long. */
const most = 3;

/**
 * Asserts that work of eight times the size takes as long as eight times the work of the size. Both make the
 * same garbage, and are measured here and now, as time of the processor, so that neither a slow machine nor a
 * large heap makes a difference; the least of several, because code that is not compiled yet and the collection
 * of garbage take time, too.
 *
 * @param inputOf makes the input of a size (a length, or a number of things), which is not measured.
 */
export function isLinear<T>(
  size: number,
  inputOf: (size: number) => T,
  work: (input: T) => unknown,
  what?: string,
): void {
  const [eighths, whole] = [Array.from({ length: 8 }, () => inputOf(size)), [inputOf(8 * size)]];
  const costOf = (inputs: readonly T[]): number => {
    const start = process.cpuUsage();
    for (const input of inputs) work(input);
    const { user, system } = process.cpuUsage(start);
    // Less than half a millisecond cannot be measured.
    return Math.max(500, user + system);
  };
  let [least, leastOfWhole] = [Infinity, Infinity];
  for (let tries = 0; tries < 2 || (tries < 30 && leastOfWhole >= most * least); tries++) {
    least = Math.min(least, costOf(eighths));
    leastOfWhole = Math.min(leastOfWhole, costOf(whole));
  }
  assert.isBelow(leastOfWhole / least, most, what);
}
