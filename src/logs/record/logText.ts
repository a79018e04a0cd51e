import type { LogRecord } from '../../api/types';
import type { Entry, Formatter } from './format';

/** Records as one text in the form of the log channel. */
export interface LogText {
  readonly text: string;
  /** How many of the oldest records found no place in it. */
  readonly leftOut: number;
}

export interface LogTextOptions {
  readonly format: Formatter;
  /** In UTF-16 units. */
  readonly maxLength: number;
  /** Stands before the records where some of the oldest are left out. */
  readonly leftOutMarker: (count: number) => Entry;
  /** Lets others have their turn. */
  readonly pause: () => Promise<void>;
}

/** Records between two pauses: a few milliseconds. */
const atOnce = 1000;

/** @param records oldest first. */
export async function logText(
  records: readonly LogRecord[],
  { format, maxLength, leftOutMarker, pause }: LogTextOptions,
): Promise<LogText> {
  // Where there is too much the newest matter most, so the way leads back from them.
  const entries: string[] = [];
  let length = 0;
  let leftOut = 0;
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record === undefined) break;
    const entry = format(record);
    length += entry.length;
    if (length > maxLength && entries.length > 0) {
      leftOut = index + 1;
      break;
    }
    entries.push(entry);
    if (entries.length % atOnce === 0) await pause();
  }
  if (leftOut > 0) entries.push(format(leftOutMarker(leftOut)));
  return { text: entries.reverse().join(''), leftOut };
}
