import { continuation, type Formatter, type LogLine } from './logLine';
import { findFrames } from './stackFrames';

/** Lines of a text, counted from 0 and inclusive. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A record or marker in a text that `createFormatter` wrote. */
export interface LogEntry extends LineRange {
  readonly time: string;
  /** Such as `error`, which includes fatal. */
  readonly level: string;
  /** Its workload. */
  readonly source: string;
  /** The text of the first line. */
  readonly text: string;
}

const head =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}|\S.{0,99}?) \[(trace|debug|info|warning|error)\] \[([^\]]*)\] (.*)$/;

/** The entries of a text, in order. Ignores other lines. */
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

/** Lines of stack traces that have no file name, or the code of the previous line. */
const betweenFrames = /^\s+(at |\.\.\. \d+ |in |from |\^|~)/;

/** Whether a line is the code of the previous frame. */
function isCode(line: string, frame: string): boolean {
  return indentOf(line) > indentOf(frame);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The folding ranges of an entry: its further lines, and each stack trace below its message. */
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

/** Records between two pauses: a few milliseconds. */
const atOnce = 1000;

/**
 * Records as one text, formatted like the log channel.
 *
 * @param records oldest first.
 * @param maxLength in UTF-16 units.
 * @param leftOutMarker precedes the records if the oldest ones did not fit.
 * @param pause lets other work run.
 */
export async function logText(
  records: readonly LogLine[],
  format: Formatter,
  maxLength: number,
  leftOutMarker: (count: number) => LogLine,
  pause: () => Promise<void>,
): Promise<string> {
  // The newest records matter most, so start with them.
  const entries: string[] = [];
  let length = 0;
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record === undefined) break;
    const entry = format(record);
    length += entry.length;
    if (length > maxLength && entries.length > 0) {
      entries.push(format(leftOutMarker(index + 1)));
      break;
    }
    entries.push(entry);
    if (entries.length % atOnce === 0) await pause();
  }
  return entries.reverse().join('');
}
