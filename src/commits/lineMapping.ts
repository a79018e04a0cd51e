import { getOrMake } from '../base/maps';

/** Where a line of the deployed text is now. */
export interface MappedLine {
  /** Counted from 1, and always a line of the text. */
  readonly line: number;
  /**
   * - `same`: it is this line, perhaps with another indentation.
   * - `changed`: it was changed or deleted since; this is the nearest line.
   * - `unknown`: it is this line as long as nothing was added or removed above it.
   */
  readonly certainty: 'same' | 'changed' | 'unknown';
}

/** Maps a line, counted from 1. */
export type LineMapping = (line: number) => MappedLine;

/** Texts with more lines are not compared. */
const maxLines = 100_000;
/** The most edits to find, all of them, and then among the lines that both texts have: a few milliseconds. */
const fewEdits = 250;
const maxEdits = 1000;

/** The lines of a text. All line breaks count as equal, because Git and the editor may use different ones. */
export function linesIn(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
}

/** The mapping if the deployed text is unknown: each line as it came. */
export function unknownMapping(lineCount: number): LineMapping {
  return (line) => ({ line: clamp(line, 1, lineCount), certainty: 'unknown' });
}

/**
 * Compares the lines of the deployed text with those of the text now. As many lines as possible are the same;
 * white space at their ends does not count, so that a line stays the same if code is wrapped around it.
 *
 * If there are too many differences, the lines between the first and the last one are `unknown`.
 */
export function mapLines(before: readonly string[], now: readonly string[]): LineMapping {
  if (before.length > maxLines || now.length > maxLines) return unknownMapping(now.length);
  let head = 0;
  let end = before.length;
  let newEnd = now.length;
  while (head < end && head < newEnd && isSame(before[head], now[head])) head++;
  while (head < end && head < newEnd && isSame(before[end - 1], now[newEnd - 1])) {
    end--;
    newEnd--;
  }
  const between = keptLines(before.slice(head, end), now.slice(head, newEnd));
  /** The index of a line now, from the index of a line before; undefined if it was changed or deleted. */
  const indexOf = (index: number): number | undefined => {
    if (index < head) return index;
    if (index >= end) return index + newEnd - end;
    const found = between?.[index - head];
    return found === undefined || found < 0 ? undefined : head + found;
  };

  return (line) => {
    const index = line - 1;
    if (index < 0 || index >= before.length) return unknownMapping(now.length)(line);
    const found = indexOf(index);
    if (found !== undefined) return { line: found + 1, certainty: 'same' };
    if (between === undefined) {
      return { line: clamp(line, head + 1, Math.max(head + 1, newEnd)), certainty: 'unknown' };
    }
    return {
      line: nearestIndex(index, indexOf, before.length, now.length) + 1,
      certainty: 'changed',
    };
  };
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a === b || a?.trim() === b?.trim();
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The line now that stands where a changed or deleted line stood. */
function nearestIndex(
  index: number,
  indexOf: (index: number) => number | undefined,
  length: number,
  newLength: number,
): number {
  let previous = index - 1;
  while (previous >= 0 && indexOf(previous) === undefined) previous--;
  let next = index + 1;
  while (next < length && indexOf(next) === undefined) next++;
  const above = indexOf(previous) ?? -1;
  const below = next < length ? (indexOf(next) ?? newLength) : newLength;
  // Lines in between replaced those that are gone; a line is at the place of its replacement.
  if (below - above > 1) return above + Math.min(index - previous, below - above - 1);
  const isNearerAbove = index - previous < next - index;
  return isNearerAbove && above >= 0 ? above : Math.min(below, newLength - 1);
}

/**
 * For each line before, its index now, or -1: a longest common subsequence. White space at the ends does not count.
 * Undefined if there are too many edits.
 */
export function keptLines(
  before: readonly string[],
  now: readonly string[],
): Int32Array | undefined {
  const kept = new Int32Array(before.length).fill(-1);
  const lengths = { length: before.length, otherLength: now.length };
  const isEqual = (a: number, b: number): boolean => isSame(before[a], now[b]);
  const pairs = commonPairs({ ...lengths, isEqual }, fewEdits) ?? commonOfMany(before, now);
  if (pairs === undefined) return undefined;
  for (const [line, now] of pairs) kept[line] = now;
  return kept;
}

/** The same pairs if there are many edits: a line that only one side has cannot be kept and is left out. */
function commonOfMany(
  before: readonly string[],
  now: readonly string[],
): [number, number][] | undefined {
  // Equal lines get equal numbers, which are faster to compare.
  const numbers = new Map<string, number>();
  const old = numbered(before, numbers);
  const current = numbered(now, numbers);
  const isIn = new Uint8Array(numbers.size);
  for (const id of old) isIn[id] = 1;
  for (const id of current) if (isIn[id] === 1) isIn[id] = 2;
  const common = indexesOf(old, isIn);
  const commonNow = indexesOf(current, isIn);
  const a = common.map((index) => old[index] ?? -1);
  const b = commonNow.map((index) => current[index] ?? -1);
  const isEqual = (at: number, atNow: number): boolean => a[at] === b[atNow];
  const lengths = { length: common.length, otherLength: commonNow.length };
  return commonPairs({ ...lengths, isEqual }, maxEdits)?.map(([at, atNow]) => [
    common[at] ?? -1,
    commonNow[atNow] ?? -1,
  ]);
}

function numbered(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const ids = new Int32Array(lines.length);
  lines.forEach((line, index) => {
    ids[index] = getOrMake(numbers, line.trim(), () => numbers.size);
  });
  return ids;
}

/** The indexes of the lines that both sides have. */
function indexesOf(ids: Int32Array, isIn: Uint8Array): Int32Array {
  const indexes = new Int32Array(ids.length);
  let count = 0;
  ids.forEach((id, index) => {
    if (isIn[id] === 2) indexes[count++] = index;
  });
  return indexes.subarray(0, count);
}

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
function commonPairs(
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
