/** Lines that a commit replaced: `removed` lines from `oldLine` on by the `added` lines from `newLine` on. */
export interface Change {
  /** From 1. Without removed lines: the line that the added ones stand before. */
  readonly oldLine: number;
  readonly removed: number;
  /** From 1. Without added lines: the line that the removed ones stood before. */
  readonly newLine: number;
  readonly added: readonly string[];
}

/** More lines of a patch are not read. */
const mostLines = 50_000;

/** The changes of one file, from its patch as `git diff` prints it, in the order of its lines. */
export function readPatch(patch: string): readonly Change[] {
  const changes: Change[] = [];
  let oldLine = 0;
  let newLine = 0;
  let oldLeft = 0;
  let newLeft = 0;
  let open: { readonly oldLine: number; readonly newLine: number; removed: number } | undefined;
  let added: string[] = [];
  const close = (): void => {
    if (open !== undefined) changes.push({ ...open, added });
    open = undefined;
    added = [];
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
      open ??= { oldLine, newLine, removed: 0 };
      open.removed++;
      oldLine++;
      oldLeft--;
    } else if (line.startsWith('+')) {
      open ??= { oldLine, newLine, removed: 0 };
      added.push(line.slice(1));
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

/** Where a line stood before the changes; of an added line, where they begin. Both from 1. */
export function lineBefore(changes: readonly Change[], line: number): number {
  let shift = 0;
  for (const { oldLine, removed, newLine, added } of changes) {
    if (line < newLine) break;
    if (line < newLine + added.length) return Math.max(1, oldLine);
    shift += removed - added.length;
  }
  return Math.max(1, line + shift);
}
