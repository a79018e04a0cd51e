import { keptLines } from './lineMapping';

/** Lines that a commit replaced: `removed` lines from `oldLine` on by the `added` lines from `newLine` on. */
export interface Change {
  /** From 1. Without removed lines: the line that the added ones stand before. */
  readonly oldLine: number;
  readonly removed: number;
  /** From 1. Without added lines: the line that the removed ones stood before. */
  readonly newLine: number;
  readonly added: readonly string[];
  /** Set if all these lines are blank: it moves what follows, and changes nothing. */
  readonly isBlank?: true;
}

/** The lines of both sides of a change, as the patch has them. */
interface Replaced {
  readonly oldLine: number;
  readonly newLine: number;
  readonly before: string[];
  readonly now: string[];
}

/** More lines of a patch are not read. */
const mostLines = 50_000;

/**
 * The changes of one file, from its patch as `git diff` prints it, in the order of its lines. White space does not
 * count, as with `git blame -w`: neither indentation nor line ends.
 */
export function readPatch(patch: string): readonly Change[] {
  const changes: Change[] = [];
  let oldLine = 0;
  let newLine = 0;
  let oldLeft = 0;
  let newLeft = 0;
  let open: Replaced | undefined;
  const close = (): void => {
    if (open !== undefined) changes.push(...changesOf(open));
    open = undefined;
  };
  for (const line of patch.split('\n', mostLines)) {
    if (oldLeft <= 0 && newLeft <= 0) {
      close();
      const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (head === null) continue;
      const [, from = '', removed = '1', to = '', more = '1'] = head;
      [oldLeft, newLeft] = [Number(removed), Number(more)];
      // An empty side stands behind its line.
      oldLine = Number(from) + (oldLeft === 0 ? 1 : 0);
      newLine = Number(to) + (newLeft === 0 ? 1 : 0);
    } else if (line.startsWith('-')) {
      open ??= { oldLine, newLine, before: [], now: [] };
      open.before.push(line.slice(1));
      oldLine++;
      oldLeft--;
    } else if (line.startsWith('+')) {
      open ??= { oldLine, newLine, before: [], now: [] };
      open.now.push(line.slice(1));
      newLine++;
      newLeft--;
    } else if (!line.startsWith('\\')) {
      close();
      oldLine++;
      newLine++;
      oldLeft--;
      newLeft--;
    }
  }
  close();
  return changes;
}

/** What is left of a change if lines that differ only in white space are the same. */
function changesOf({ oldLine, newLine, before, now }: Replaced): Change[] {
  const [plain, plainNow] = [before.map(withoutSpace), now.map(withoutSpace)];
  // With too many differences, no line is kept.
  const kept = keptLines(plain, plainNow) ?? [];
  const changes: Change[] = [];
  let [at, nowAt] = [0, 0];
  const changeUntil = (end: number, nowEnd: number): void => {
    if (end > at || nowEnd > nowAt) {
      const isBlank =
        plain.slice(at, end).every(isEmpty) && plainNow.slice(nowAt, nowEnd).every(isEmpty);
      changes.push({
        oldLine: oldLine + at,
        removed: end - at,
        newLine: newLine + nowAt,
        added: now.slice(nowAt, nowEnd),
        ...(isBlank ? { isBlank } : {}),
      });
    }
    [at, nowAt] = [end + 1, nowEnd + 1];
  };
  kept.forEach((found, index) => {
    if (found >= 0) changeUntil(index, found);
  });
  changeUntil(before.length, now.length);
  return changes;
}

const isEmpty = (line: string): boolean => line === '';

/** The white space of Git. Other, such as a no-break space, can be what broke the code. */
function withoutSpace(line: string): string {
  return line.replace(/[ \t\r\f\v]+/g, '');
}

/**
 * How many lines lie between a change and the lines from `first` to `last`; 0 if it touches them. What
 * was only removed stood between two lines: it is next to each, and touches what is around both.
 */
export function distanceTo({ newLine, added }: Change, first: number, last = first): number {
  const end = newLine + added.length - 1;
  if (added.length === 0 && first < newLine && newLine <= last) return 0;
  const between = Math.max(0, newLine - last, first - end);
  return added.length === 0 ? Math.max(1, between) : between;
}

/**
 * Where a line stood before the changes; of a changed line, the one at its place in what was replaced; of an added line,
 * where they begin. Both from 1.
 */
export function lineBefore(changes: readonly Change[], line: number): number {
  let shift = 0;
  for (const { oldLine, removed, newLine, added } of changes) {
    if (line < newLine) break;
    if (line < newLine + added.length) {
      return Math.max(1, oldLine + Math.min(line - newLine, Math.max(0, removed - 1)));
    }
    shift += removed - added.length;
  }
  return Math.max(1, line + shift);
}
