import type { LogRecord } from '../../api/types';
import { isRecord, type LogLine, type Formatter } from '../record/format';
import { recordBytes, recordSize } from '../record/recordSize';

/** Beside the user's own bound on lines, whatever the user sets. */
const maxBytes = 128 * 1024 * 1024;

export interface LineStoreOptions {
  readonly maxLines: number;
  readonly format: Formatter;
}

/** What the channel shows, so that it can be cut and a line be traced back to its record. */
export interface LineStore {
  /** Lines that the channel shows. */
  readonly lines: number;
  /** Records and markers that the channel shows. */
  readonly entries: number;
  /** An estimate of the memory that the entries take. */
  readonly bytes: number;
  /**
   * Adds an entry and the text that `format` made of it. Where that exceeds a bound, the oldest
   * entries are dropped, down to half of the bound: then the answer is false, for what the channel
   * shows is no longer the text with this at its end.
   */
  append(entry: LogLine, text: string): boolean;
  /** All that the channel should show. */
  text(): string;
  /**
   * The record behind a line of the channel. Two records can look the same, and a channel can be
   * cleared by its user, so a line is known by its text and its place among the same from the end.
   *
   * @param header the line, or for a line that goes on with a record the one above that starts it.
   * @param fromEnd how many lines with the same text follow it.
   */
  find(header: string, fromEnd: number): LogRecord | undefined;
  /** The newest records that the channel shows, oldest first. */
  newest(count: number): LogRecord[];
  /** Takes other options over, for what the channel shows already too. */
  configure(options: LineStoreOptions): void;
}

function countLines(text: string): number {
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

/** Holds records only: their text is made again when it is needed, which is seldom. */
export function createLineStore(initial: LineStoreOptions): LineStore {
  let { maxLines, format } = initial;
  let shown: Line[] = [];
  let lines = 0;
  let bytes = 0;

  function exceeds(part: number): boolean {
    return lines > maxLines * part || bytes > maxBytes * part;
  }

  /** Drops down to half of the bounds, so that no more is written again than is new. */
  function drop(): void {
    let dropped = 0;
    for (const line of shown) {
      // The newest entry stays, even if it exceeds the bounds alone.
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
