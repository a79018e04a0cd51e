import type { LogRecord } from '../../api/types';
import { isRecord, type LogLine, type Formatter } from '../record/logLine';
import { recordBytes, recordSize } from '../record/recordSize';

/** A limit besides the user's setting. */
const maxBytes = 128 * 1024 * 1024;

interface LineStoreOptions {
  readonly maxLines: number;
  readonly format: Formatter;
}

/** What the channel shows, to shorten it and to find the record of a line. */
export interface LineStore {
  /** The number of lines that the channel shows. */
  readonly lines: number;
  /** The number of records and markers that the channel shows. */
  readonly entries: number;
  /** An estimate of the memory of the entries, in bytes. */
  readonly bytes: number;
  /**
   * Adds an entry and the text that `format` makes of it. If that exceeds a limit, the oldest entries are
   * dropped, down to half of the limit. Returns false then, because the channel must be rewritten.
   */
  append(entry: LogLine, text: string): boolean;
  /** The whole text of the channel. */
  text(): string;
  /**
   * The record of a line of the channel. Records can look the same, and the user can clear the channel,
   * so a line is identified by its text and its position among equal lines, counted from the end.
   *
   * @param header the line, or the first line of its record.
   * @param fromEnd how many lines with the same text follow it.
   */
  find(header: string, fromEnd: number): LogRecord | undefined;
  /** The newest records that the channel shows, oldest first. */
  newest(count: number): LogRecord[];
  /** Applies other options, also to the entries that are shown. */
  configure(options: LineStoreOptions): void;
}

/** The number of line ends of a text. */
export function countLines(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

function bytesOf(entry: LogLine): number {
  return isRecord(entry) ? recordSize(entry) : recordBytes;
}

interface Line {
  readonly entry: LogLine;
  readonly lines: number;
}

/** Stores only records. Their text is made again if it is needed, which is rare. */
export function createLineStore(initial: LineStoreOptions): LineStore {
  let { maxLines, format } = initial;
  let shown: Line[] = [];
  let lines = 0;
  let bytes = 0;

  function exceeds(part: number): boolean {
    return lines > maxLines * part || bytes > maxBytes * part;
  }

  /** Drops down to half of the limits, so that not more is rewritten than is new. */
  function drop(): void {
    let dropped = 0;
    for (const line of shown) {
      // The newest entry stays, even if it alone exceeds the limits.
      if (dropped === shown.length - 1 || !exceeds(0.5)) break;
      lines -= line.lines;
      bytes -= bytesOf(line.entry);
      dropped++;
    }
    shown = shown.slice(dropped);
  }

  function append(entry: LogLine, text: string): boolean {
    const line = { entry, lines: countLines(text) };
    shown.push(line);
    lines += line.lines;
    bytes += bytesOf(entry);
    if (!exceeds(1) || shown.length === 1) return true;
    drop();
    return false;
  }

  return {
    get lines() {
      return lines;
    },
    get entries() {
      return shown.length;
    },
    get bytes() {
      return bytes;
    },
    append,
    text: () => shown.map(({ entry }) => format(entry)).join(''),
    find(header, fromEnd) {
      let after = 0;
      for (let index = shown.length - 1; index >= 0; index--) {
        const entry = shown[index]?.entry;
        if (entry === undefined || !format(entry).startsWith(`${header}\n`)) continue;
        if (after === fromEnd) return isRecord(entry) ? entry : undefined;
        after++;
      }
      return undefined;
    },
    newest: (count) =>
      shown
        .slice(-count)
        .map(({ entry }) => entry)
        .filter(isRecord),
    configure(options) {
      ({ maxLines, format } = options);
      const before = shown;
      shown = [];
      lines = 0;
      bytes = 0;
      for (const { entry } of before) append(entry, format(entry));
    },
  };
}
