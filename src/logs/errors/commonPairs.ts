/** Two lists of which only the lengths and the equality of members are known. */
interface Compared {
  readonly length: number;
  readonly otherLength: number;
  readonly isEqual: (index: number, otherIndex: number) => boolean;
}

/**
 * The pairs of indexes of a longest common subsequence of two lists, the last first, by the greedy algorithm of
 * Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
 *
 * @param maxEdits the most insertions and deletions. Time and memory grow with its square: 1,000 take a few
 * milliseconds and 4 MB for a moment.
 * @returns undefined if more edits are needed.
 */
export function commonPairs(
  { length, otherLength, isEqual }: Compared,
  maxEdits: number,
): [number, number][] | undefined {
  const most = Math.min(length + otherLength, maxEdits);
  const center = most + 1;
  /** By diagonal (index minus other index): which index its path has reached. */
  const reached = new Int32Array(2 * center + 1);
  /** What was reached before each number of edits, of the diagonals that it reads. */
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(reached.slice(center - edits - 1, center + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reached, center + diagonal, diagonal, edits);
      while (x < length && x - diagonal < otherLength && isEqual(x, x - diagonal)) x++;
      reached[center + diagonal] = x;
      if (x >= length && x - diagonal >= otherLength) return pairsOf(history, length, otherLength);
    }
  }
  return undefined;
}

/** Whether the last edit of the path on a diagonal is an insertion, which keeps the index. */
function isInsertion(reached: Int32Array, index: number, diagonal: number, edits: number): boolean {
  const deleted = reached[index - 1] ?? 0;
  const inserted = reached[index + 1] ?? 0;
  return diagonal === -edits || (diagonal !== edits && deleted < inserted);
}

/** The index after that edit. */
function startOf(reached: Int32Array, index: number, diagonal: number, edits: number): number {
  return isInsertion(reached, index, diagonal, edits)
    ? (reached[index + 1] ?? 0)
    : (reached[index - 1] ?? 0) + 1;
}

/** Follows the path back from the end. */
function pairsOf(
  history: readonly Int32Array[],
  length: number,
  otherLength: number,
): [number, number][] {
  const pairs: [number, number][] = [];
  let x = length;
  let y = otherLength;
  for (const [edits, reached] of [...history.entries()].reverse()) {
    const diagonal = x - y;
    const index = edits + 1 + diagonal;
    const start = startOf(reached, index, diagonal, edits);
    while (x > start) pairs.push([--x, --y]);
    if (isInsertion(reached, index, diagonal, edits)) y--;
    else x--;
  }
  return pairs;
}
