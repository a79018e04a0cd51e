import type { LogRecord } from '../../api/types';
import { isRecord, type LogLine, type Formatter } from '../record/logLine';
import { entrySize, joinRecords, entryRecords } from '../record/joinRecords';
import { recordSize } from '../record/recordSize';

/** A limit besides the user's setting. */
const maxBytes = 128 * 1024 * 1024;

export function countLines(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

/** The memory of an entry and its text, by an estimate: two bytes per character. */
function bytesOf({ entry, text }: Line): number {
  return (isRecord(entry) ? entrySize(entry) : recordSize(entry)) + 2 * text.length;
}

interface Line {
  readonly entry: LogLine;
  /** What the channel shows of it. */
  readonly text: string;
  readonly lines: number;
}

/** The entries of lines, made anew of their records. */
function rejoined(lines: readonly Line[], joinLines: boolean): readonly LogLine[] {
  const entries: LogLine[] = [];
  let records: LogRecord[] = [];
  const end = (): void => {
    for (const entry of joinRecords(records, joinLines)) entries.push(entry);
    records = [];
  };
  for (const { entry } of lines) {
    if (isRecord(entry)) records.push(...entryRecords(entry));
    else {
      end();
      entries.push(entry);
    }
  }
  end();
  return entries;
}

/**
 * What the channel shows, to shorten it and to find the record of a line. Keeps each text:
 * a channel that is full is written again and again, and to make its lines anew takes most of the time.
 */
export class ChannelLines {
  private shown: Line[] = [];
  private lineCount = 0;
  private byteCount = 0;

  constructor(private maxLines: number) {}

  /** The number of lines that the channel shows. */
  get lines(): number {
    return this.lineCount;
  }

  /** The number of records and markers that the channel shows. */
  get entries(): number {
    return this.shown.length;
  }

  /** An estimate of the memory of the entries, in bytes. */
  get bytes(): number {
    return this.byteCount;
  }

  /**
   * Adds an entry and its text. If that exceeds a limit, the oldest entries are
   * dropped, down to half of the limit. Returns false then, because the channel must be rewritten.
   */
  append(entry: LogLine, text: string): boolean {
    const line = { entry, text, lines: countLines(text) };
    this.shown.push(line);
    this.lineCount += line.lines;
    this.byteCount += bytesOf(line);
    if (!this.exceeds(1) || this.shown.length === 1) return true;
    this.drop();
    return false;
  }

  /** The whole text of the channel. */
  text(): string {
    return this.shown.map(({ text }) => text).join('');
  }

  /**
   * The record of a line of the channel. Records can look the same, and the user can clear the channel,
   * so a line is identified by its text and its position among equal lines, counted from the end.
   *
   * @param header the line, or the first line of its record.
   * @param fromEnd how many lines with the same text follow it.
   */
  find(header: string, fromEnd: number): LogRecord | undefined {
    let after = 0;
    for (let index = this.shown.length - 1; index >= 0; index--) {
      const line = this.shown[index];
      if (line?.text.startsWith(`${header}\n`) !== true) continue;
      if (after === fromEnd) return isRecord(line.entry) ? line.entry : undefined;
      after++;
    }
    return undefined;
  }

  /** Where the newest record that fits is, as `find` takes it; undefined if the channel does not have it. */
  placeOf(
    fits: (record: LogRecord) => boolean,
  ): { readonly header: string; readonly fromEnd: number } | undefined {
    let index = this.shown.length - 1;
    for (; index >= 0; index--) {
      const { entry } = this.shown[index] ?? {};
      if (entry !== undefined && isRecord(entry) && fits(entry)) break;
    }
    const text = this.shown[index]?.text;
    if (text === undefined) return undefined;
    const header = text.slice(0, text.indexOf('\n'));
    const below = this.shown.slice(index + 1);
    const isSame = (line: Line): boolean => line.text.startsWith(`${header}\n`);
    return { header, fromEnd: below.filter(isSame).length };
  }

  /** The newest records that the channel shows, oldest first. */
  newest(count: number): LogRecord[] {
    return this.shown
      .slice(-count)
      .map(({ entry }) => entry)
      .filter(isRecord);
  }

  /** Applies another limit and format, also to what is shown. @param joinLines see `joinRecords`. */
  configure(maxLines: number, format: Formatter, joinLines: boolean): void {
    this.maxLines = maxLines;
    const before = this.shown;
    this.clear();
    for (const entry of rejoined(before, joinLines)) this.append(entry, format(entry));
  }

  clear(): void {
    this.shown = [];
    this.lineCount = 0;
    this.byteCount = 0;
  }

  private exceeds(part: number): boolean {
    return this.lineCount > this.maxLines * part || this.byteCount > maxBytes * part;
  }

  /** Drops down to half of the limits, so that not more is rewritten than is new. */
  private drop(): void {
    let dropped = 0;
    for (const line of this.shown) {
      // The newest entry stays, even if it alone exceeds the limits.
      if (dropped === this.shown.length - 1 || !this.exceeds(0.5)) break;
      this.lineCount -= line.lines;
      this.byteCount -= bytesOf(line);
      dropped++;
    }
    this.shown = this.shown.slice(dropped);
  }
}
