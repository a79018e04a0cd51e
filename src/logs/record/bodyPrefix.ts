import type { LogRecord } from '../../api/types';
import { hour, minute } from '../../base/clock';
import { repeatsSeverity } from './bodyLevel';

/** A record may be written a little later than it was logged, in milliseconds. */
const tolerance = 10_000;
const quarter = 15 * minute;
const longestOffset = 14 * hour;

/** Whether a time says no more than the timestamp of its record. */
export function repeatsTime(time: unknown, { timestamp }: LogRecord): boolean {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return false;
  if (typeof time === 'number') return isNear(epoch(time) - at);
  if (typeof time !== 'string' || time.length > 40) return false;
  if (/^\d{9,19}(?:\.\d+)?$/.test(time)) return isNear(epoch(Number(time)) - at);
  const [, date, clock, fraction = '', zone] =
    /^(\d{4}[-/]\d\d[-/]\d\d)?[T ]?(\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s?(Z|UTC|[+-]\d\d:?\d\d)?$/i.exec(
      time.trim(),
    ) ?? [];
  if (clock === undefined) return false;
  const day = date?.replaceAll('/', '-') ?? new Date(at).toISOString().slice(0, 10);
  const offset = zone === undefined || /^(?:Z|UTC)$/i.test(zone) ? 'Z' : zone;
  const difference =
    Date.parse(`${day}T${clock}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`) - at;
  if (zone !== undefined && date !== undefined) return isNear(difference);
  // Without a zone it may be local time anywhere: zones differ by quarters of an hour.
  const rest = ((difference % quarter) + quarter) % quarter;
  return Math.abs(difference) <= longestOffset + quarter && isNear(Math.min(rest, quarter - rest));
}

function isNear(difference: number): boolean {
  return Math.abs(difference) <= tolerance;
}

/** Milliseconds since 1970 of a number of seconds, milliseconds, microseconds or nanoseconds. */
function epoch(time: number): number {
  if (time < 1e11) return time * 1000;
  if (time < 1e14) return time;
  return time < 1e17 ? time / 1e3 : time / 1e6;
}

/** A prefix is looked for in the beginning of a body, in UTF-16 units. */
const longestPrefix = 200;

const separators = /[\s|:-]*/y;
/** Kubernetes writes stream and flag behind it. */
const time =
  /\[?((?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?(?:UTC|[+-]\d\d:?\d\d))?)\]?(?: std(?:out|err) [FP])?(?=[\s|:]|$)/y;
/** `I, [2026-11-20T12:00:00.123456 #12]  INFO -- mailer:`, as Ruby's Logger writes it. */
const ruby =
  /([DIWEFA]), \[(?:(\S+) #\d+|[^\]\n]{0,64})\](?: +(?:DEBUG|INFO|WARN|ERROR|FATAL|ANY) -- [^:\n]{0,64}:)?(?=\s|$)/y;
/** What Docker Compose and syslog write before a line. */
const collector =
  /^(?:[\w.-]{1,64}\s{1,64}\|\s|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,255} [\w./-]{1,64}(?:\[\d{1,9}\])?:\s)\s{0,9}/;
/** In lower case it is taken for a level only in brackets or before a colon. */
const level =
  /(?:[[(<]([A-Za-z]{3,13})[\])>]:?|([A-Za-z]{4,13}):|([A-Z]{3,13})[\])>]?|[\w-]{1,40}\.([A-Z]{4,9}):)(?=[\s|-]|$)/y;
const logger =
  /\[[\w.:$/#@ -]{1,64}\]:?(?=\s)|[A-Za-z_$][\w$]*(?:(?:::|\.)[\w$]+)*(?:(?:::|\.)[\w$]+|(?=:\s)):?(?=\s)/y;

/**
 * How much of the beginning of a text repeats what a line shows before it: severity, timestamp, logger.
 * In UTF-16 units; 0 if there is no such prefix, or nothing else.
 */
export function prefixLength(text: string, record: LogRecord): number {
  const end = headLength(text, record);
  return end < text.length ? end : 0;
}

/** What a text before a structured body says that the line does not show before it; on one line. */
export function textOfPrefix(prefix: string, record: LogRecord): string {
  const text = prefix.replace(collector, '');
  return text.slice(headLength(text, record)).replace(/\s+/g, ' ').trim();
}

function headLength(text: string, record: LogRecord): number {
  const head = text.slice(0, longestPrefix);
  let at = 0;
  let end = 0;
  const skip = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(head);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found;
  };
  const skipIf = (pattern: RegExp, repeats: (found: string) => boolean): boolean => {
    const before = at;
    const found = skip(pattern);
    if (found !== undefined && repeats(found[1] ?? found[2] ?? found[3] ?? found[4] ?? ''))
      return true;
    at = before;
    return false;
  };
  for (let parts = 0; parts < 5; parts++) {
    const isRepeat =
      skipIf(ruby, (letter) => repeatsSeverity(letter, record)) ||
      skipIf(time, (found) => repeatsTime(found, record)) ||
      skipIf(level, (word) => repeatsSeverity(word, record)) ||
      (end > 0 && skipIf(logger, () => true));
    if (!isRepeat) break;
    end = at;
    skip(separators);
  }
  return end;
}
