import { continuation } from './format';
import { findFrames } from './frames';

/** Lines of a text, counted from 0; both belong to it. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A record, or a marker, in a text of the form that `createFormatter` writes. */
export interface LogEntry extends LineRange {
  readonly time: string;
  /** Such as `error`, which stands for what is fatal too. */
  readonly level: string;
  /** Its workload. */
  readonly source: string;
  /** What the first line says. */
  readonly text: string;
}

const head =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}|\S.{0,99}?) \[(trace|debug|info|warning|error)\] \[([^\]]*)\] (.*)$/;

/** The entries of a text, in order. Lines that belong to none are passed over. */
export function entriesOf(lines: Iterable<string>): LogEntry[] {
  const entries: LogEntry[] = [];
  let index = 0;
  for (const line of lines) {
    const last = entries.at(-1);
    if (line.startsWith(continuation)) {
      if (last?.last === index - 1) entries[entries.length - 1] = { ...last, last: index };
    } else {
      const [, time, level = '', source = '', text = ''] = head.exec(line) ?? [];
      if (time !== undefined) {
        entries.push({ first: index, last: index, time, level, source, text });
      }
    }
    index++;
  }
  return entries;
}

/** Such lines of stack traces as name no file, or hold the code of the line before. */
const betweenFrames = /^\s+(at |\.\.\. \d+ |in |from |\^|~)/;

/** Whether a line is the code of the frame before it, which some languages show below it. */
function isCode(line: string, frame: string): boolean {
  return indentOf(line) > indentOf(frame);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * What can be folded: an entry of several lines behind its first, and in it each stack trace behind
 * the line that it belongs to.
 */
export function foldsOf(entry: LogEntry, lines: readonly string[]): LineRange[] {
  if (entry.first === entry.last) return [];
  const folds: LineRange[] = [{ first: entry.first, last: entry.last }];
  let start: number | undefined;
  let end = 0;
  for (let index = entry.first + 1; index <= entry.last + 1; index++) {
    const line = index > entry.last ? '' : (lines[index] ?? '');
    if (findFrames(line, 1).length > 0 || betweenFrames.test(line)) {
      start ??= index;
      end = index;
    } else if (start !== undefined && !isCode(line, lines[index - 1] ?? '')) {
      const first = start - 1;
      if (first > entry.first && end > start) folds.push({ first, last: end });
      start = undefined;
    }
  }
  return folds;
}
