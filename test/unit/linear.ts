import { assert } from 'chai';

/** How much longer eight times the work may take: quadratic work takes 64 times as long. */
const most = 24;

/**
 * Asserts that eight times the size takes some eight times as long. Both are measured here and now, as time
 * of the processor, so that a slow machine makes no difference; the least of several, because other work of
 * the process, such as collecting garbage, counts, too.
 *
 * @param work takes a size: a length, or a number of things.
 */
export function isLinear(work: (size: number) => unknown, size: number, what?: string): void {
  const costOf = (one: number): number => {
    const start = process.cpuUsage();
    work(one);
    const { user, system } = process.cpuUsage(start);
    // Less than a tenth of a millisecond cannot be measured.
    return Math.max(100, user + system);
  };
  let [short, long] = [Infinity, Infinity];
  for (let tries = 0; tries < 10 && !(long < most * short); tries++) {
    short = Math.min(short, costOf(size));
    long = Math.min(long, costOf(8 * size));
  }
  assert.isBelow(long / short, most, what);
}
