/** The value below which this share (0 to 1) of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * Measures several things in turn, A B C A B C…, so that a slow phase of the machine affects all of
 * them, and compares only within a round.
 *
 * @param rounds how many count; `warmUp` more run before them. @returns the measurements of each,
 * one for each round.
 */
export async function interleave<Name extends string>(
  things: Readonly<Record<Name, () => number | Promise<number>>>,
  { rounds, warmUp }: { rounds: number; warmUp: number },
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

/** The median of the ratios a/b within each round. */
export function medianRatio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value / (b[round] ?? NaN)));
}

/** The median of the differences a − b within each round. */
export function medianDifference(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value - (b[round] ?? NaN)));
}
