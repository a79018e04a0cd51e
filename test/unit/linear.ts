import v8 from 'node:v8';
import vm from 'node:vm';
import { assert } from 'chai';

/** How much longer eight times the work may take: quadratic work takes 64 times as long. */
const most = 24;

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

/**
 * Asserts that eight times the size takes some eight times as long. Both are measured here and now, as time
 * of the processor, so that a slow machine makes no difference; the least of several, because code that is
 * not compiled yet and the collection of garbage take time, too.
 *
 * @param inputOf makes the input of a size (a length, or a number of things), which is not measured.
 */
export function isLinear<T>(
  size: number,
  inputOf: (size: number) => T,
  work: (input: T) => unknown,
  what?: string,
): void {
  const inputs = [inputOf(size), inputOf(8 * size)] as const;
  const costOf = (input: T): number => {
    collectGarbage();
    const start = process.cpuUsage();
    work(input);
    const { user, system } = process.cpuUsage(start);
    // Less than a tenth of a millisecond cannot be measured.
    return Math.max(100, user + system);
  };
  let [short, long] = [Infinity, Infinity];
  for (let tries = 0; tries < 2 || (tries < 10 && long >= most * short); tries++) {
    short = Math.min(short, costOf(inputs[0]));
    long = Math.min(long, costOf(inputs[1]));
  }
  assert.isBelow(long / short, most, what);
}
