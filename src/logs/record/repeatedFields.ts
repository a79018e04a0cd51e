import type { LogRecord, Severity } from '../../api/types';

/** Names of levels as loggers write them, in lower case. */
const severities: ReadonlyMap<string, Severity> = new Map(
  Object.entries({
    trace: 'trace verbose finest all silly t v trc',
    debug: 'debug fine finer config d dbg',
    info: 'info information informational notice http log i inf',
    warn: 'warn warning w wrn',
    error: 'error err severe e',
    fatal: 'fatal critical crit panic dpanic emerg emergency alert f c a ftl',
  } satisfies Record<Exclude<Severity, 'unknown'>, string>).flatMap(([severity, names]) =>
    names.split(' ').map((name): [string, Severity] => [name, severity as Severity]),
  ),
);

/** Levels by number: those of pino and bunyan up to 60; OpenTelemetry counts from 1 to 24. */
const numbers: readonly Severity[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

function severityOf(level: unknown): Severity | undefined {
  if (typeof level === 'string') return severities.get(level.toLowerCase());
  if (typeof level !== 'number') return undefined;
  return level >= 1 && level <= 24 ? numbers[Math.floor((level - 1) / 4)] : undefined;
}

/** Whether a level says no more than the severity of its record. */
export function repeatsSeverity(level: unknown, { severity, severityText }: LogRecord): boolean {
  if (typeof level === 'string' && level.toLowerCase() === severityText?.toLowerCase()) return true;
  const isOfPino = typeof level === 'number' && level >= 10 && level <= 60 && level % 10 === 0;
  // 10 and 20 are levels of both pino and OpenTelemetry.
  if (isOfPino && numbers[level / 10 - 1] === severity) return true;
  return severityOf(level) === severity;
}

/** A record may be written a little later than it was logged, in milliseconds. */
const tolerance = 10_000;
const quarter = 15 * 60_000;
const longestOffset = 14 * 60 * 60_000;

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
const time =
  /\[?((?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?(?:UTC|[+-]\d\d:?\d\d))?)\]?(?=[\s|:]|$)/y;
/** `I, [2026-11-20T12:00:00.123456 #12]  INFO -- mailer:`, as Ruby's Logger writes it. */
const ruby =
  /([DIWEFA]), \[(?:(\S+) #\d+|[^\]\n]{0,64})\](?: +(?:DEBUG|INFO|WARN|ERROR|FATAL|ANY) -- [^:\n]{0,64}:)?(?=\s|$)/y;
/** In lower case it is taken for a level only in brackets or before a colon. */
const level =
  /(?:[[(<]([A-Za-z]{3,13})[\])>]:?|([A-Za-z]{4,13}):|([A-Z]{3,13})[\])>]?)(?=[\s|-]|$)/y;
const logger =
  /\[[\w.:$/#@ -]{1,64}\]:?(?=\s)|[A-Za-z_$][\w$]*(?:(?:::|\.)[\w$]+)*(?:(?:::|\.)[\w$]+|(?=:\s)):?(?=\s)/y;

/**
 * How much of the beginning of a text repeats what a line shows before it: severity, timestamp, logger.
 * In UTF-16 units; 0 if there is no such prefix.
 */
export function prefixLength(text: string, record: LogRecord): number {
  const head = text.slice(0, longestPrefix);
  let at = 0;
  let end = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(head);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found;
  };
  const takeIf = (pattern: RegExp, repeats: (found: string) => boolean): boolean => {
    const before = at;
    const found = take(pattern);
    if (found !== undefined && repeats(found[1] ?? found[2] ?? found[3] ?? '')) return true;
    at = before;
    return false;
  };
  for (let parts = 0; parts < 5; parts++) {
    const isRepeat =
      takeIf(ruby, (letter) => repeatsSeverity(letter, record)) ||
      takeIf(time, (found) => repeatsTime(found, record)) ||
      takeIf(level, (word) => repeatsSeverity(word, record)) ||
      (end > 0 && takeIf(logger, () => true));
    if (!isRepeat) break;
    end = at;
    take(separators);
  }
  return end < text.length ? end : 0;
}
