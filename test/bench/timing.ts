/** Functions that measure something once. */
type Measured<Name extends string> = Readonly<Record<Name, () => number | Promise<number>>>;
interface Rounds {
  /** How many rounds count, and how many run before them. */
  readonly rounds: number;
  readonly warmUp: number;
}

/**
 * Measures several things in turn, A B C A B C…, so that a slow phase of the machine affects all of
 * them, and compares only within a round. Returns the measurements of each, one for each round.
 */
export async function interleave<Name extends string>(
  things: Measured<Name>,
  { rounds, warmUp }: Rounds,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(things) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >;
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const value = await things[name]();
      if (round >= 0) results[name].push(value);
    }
  }
  return results;
}

/**
 * Measures work on each of several inputs, which lets other tasks run.
 *
 * @param inputs are made anew in each round, which is not measured. @returns its times, and the longest time of
 * each in which a timer had to wait.
 */
export async function interleaveWithWaits<Name extends string, Input>(
  inputs: Readonly<Record<Name, () => Input>>,
  work: (input: Input) => Promise<unknown>,
  { rounds, warmUp }: Rounds,
): Promise<{ times: Record<Name, number[]>; waits: number[] }> {
  const names = Object.keys(inputs) as Name[];
  const waits: number[] = [];
  const measure = async (input: Input): Promise<number> => {
    let [longest, last] = [0, performance.now()];
    const tick = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    };
    const timer = setInterval(tick, 1);
    const time = await milliseconds(() => work(input));
    clearInterval(timer);
    tick();
    waits.push(longest);
    return time;
  };
  const measured = Object.fromEntries(names.map((name) => [name, () => measure(inputs[name]())]));
  const times = await interleave(measured as Measured<Name>, { rounds, warmUp });
  return { times, waits: waits.slice(warmUp * names.length) };
}

/** How long some work takes. */
export function milliseconds(work: () => Promise<unknown>): Promise<number>;
export function milliseconds(work: () => void): number;
export function milliseconds(work: () => unknown): number | Promise<number> {
  const start = performance.now();
  const result = work();
  if (result instanceof Promise) return result.then(() => performance.now() - start);
  return performance.now() - start;
}

/** The heap after a garbage collection, which does not depend on the machine. */
export function heapInMegabytes(): number {
  if (!globalThis.gc) throw new Error('Run this with --expose-gc.');
  for (let time = 0; time < 3; time++) globalThis.gc();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
