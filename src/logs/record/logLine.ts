import type { LogRecord, Severity } from '../../api/types';
import { BoundedMap } from '../../base/boundedMap';
import { getOrMake } from '../../base/maps';
import { wallTime } from '../../base/timeFormat';
import { isClean, sanitise } from '../../base/untrustedText';
import { quote } from '../query/queryTokens';
import { bodyText, type BodyStyle } from './readableBody';
import { type SeveritySource, withShownSeverity } from './shownSeverity';

/** The longest line of a body, in UTF-16 units; the rest is only counted. */
export const lineLimit = 16 * 1024;
const recordLimit = 256 * 1024;
const recordLines = 1000;

const nameLimit = 100;
const attributesLimit = 4096;

/** Starts the further lines of a record; the first line never starts with it. */
export const continuation = '    ';

/** Marks a body that the server truncated. */
export const truncatedMark = ' [truncated]';

/** The source of markers; workloads with this name are shown differently. */
const ourName = 'control plane';

const levels: Record<Severity, string> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'error',
  unknown: 'info',
};

/** A line of our own between records: a gap, dropped records, the start or end of a tail. */
export interface Marker {
  /** ISO UTC. */
  readonly timestamp: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** An entry of the channel. */
export type LogLine = LogRecord | Marker;

/** Formats an entry as one or more lines, each with `\n` at its end. */
export type Formatter = (entry: LogLine) => string;

export interface FormatterOptions {
  /** `utc`, `local` (of the machine) or an IANA name; unknown names count as `utc`. */
  readonly timeZone: string;
  /** Whether trace id and attributes follow the body. */
  readonly showAttributes: boolean;
  /** How bodies are shown: `raw` by default. Colours are left out in any case. */
  readonly bodies?: BodyStyle;
  /** Which severity is in brackets: `body` by default. */
  readonly severity?: SeveritySource;
}

export function isRecord(entry: LogLine): entry is LogRecord {
  return 'eventId' in entry;
}

/** Sanitises text as one line of at most `limit` UTF-16 units; ` [+N]` says how many were left out. */
export function cutLine(text: string, limit: number): string {
  if (text.length <= limit) {
    const line = sanitise(text);
    if (line.length <= limit) return line;
  }
  // Escapes are longer than their characters, so find the end character by character.
  let end = 0;
  let length = 0;
  for (const character of text) {
    length += isClean(character) ? character.length : sanitise(character).length;
    if (length > limit) break;
    end += character.length;
  }
  return `${sanitise(text.slice(0, end))} [+${text.length - end}]`;
}

/**
 * Sanitises text line by line within the limits of a record; `[+N]` says how many UTF-16 units were left
 * out.
 *
 * @param indent starts all lines but the first.
 */
export function harmlessLines(text: string, indent = ''): string {
  return text.length <= lineLimit && isClean(text) ? text : lines(text, indent);
}

/** Sanitises each line of a text and indents it. */
function lines(body: string, indent: string): string {
  let result = '';
  for (let start = 0, count = 0; ; count++) {
    const lineBreak = body.indexOf('\n', start);
    const last = lineBreak === -1;
    const end = last ? body.length : lineBreak;
    const isCrLf = !last && end > start && body.charCodeAt(end - 1) === 0xd;
    const line = cutLine(body.slice(start, isCrLf ? end - 1 : end), lineLimit);
    if (count === 0) result = line;
    else if (count < recordLines && result.length + line.length <= recordLimit) {
      result += `\n${indent}${line}`;
    } else return `${result}\n${indent}[+${body.length - start}]`;
    // A line break at the end does not start another line.
    if (last || lineBreak === body.length - 1) return result;
    start = lineBreak + 1;
  }
}

/** A name for brackets, whose content is the category of an entry in the Output panel. */
function name(text: string): string {
  if (text === ourName) return `${ourName} (workload)`;
  if (text.length <= nameLimit && !/[[\]]/.test(text)) return sanitise(text);
  return cutLine(text, nameLimit).replaceAll('[', '(').replaceAll(']', ')');
}

/** The source of a record: its workload, and its preview if there is one. */
function sourceOf(workload: string, previewId: string | null): string {
  return previewId === null ? workload : `${workload} preview ${name(previewId.slice(0, 8))}`;
}

function workloadOf({ workloadName, service }: LogRecord): string {
  return workloadName || service || '-';
}

/** The source of a record, as shown in brackets. */
export function recordSource(record: LogRecord): string {
  return sourceOf(name(workloadOf(record)), record.previewId);
}

/** How many names are cached: the records of a tail come from few workloads. */
const rememberedNames = 1000;

/** Creates a function that formats level and workload of a record, with spaces around them. */
function createHeadFormat(): (record: LogRecord) => string {
  const heads = new BoundedMap<string, Map<Severity, string>>(rememberedNames);

  function headOf(record: LogRecord, workload: string): string {
    const { severity, severityText, previewId } = record;
    const own = severityText === undefined ? '' : `${name(severityText)} `;
    const source = sourceOf(workload, previewId);
    return ` [${levels[severity]}] [${source}] ${severity === 'fatal' ? 'FATAL ' : ''}${own}`;
  }

  return (record) => {
    const workload = workloadOf(record);
    // Previews and unknown severities are not cached: there may be many.
    if (record.previewId !== null || record.severityText !== undefined) {
      return headOf(record, name(workload));
    }
    const ofWorkload = getOrMake(heads, workload, () => new Map<Severity, string>());
    return getOrMake(ofWorkload, record.severity, () => headOf(record, name(workload)));
  };
}

/** Trace id and attributes in the query language: `{trace:4bf9… user=42}`. */
function details({ traceId, attributes }: LogRecord): string {
  const items = traceId === null ? [] : [`trace:${quote(traceId)}`];
  for (const [key, value] of Object.entries(attributes))
    items.push(`${quote(key)}=${quote(value)}`);
  return items.length === 0 ? '' : `{${cutLine(items.join(' '), attributesLimit)}}`;
}

/**
 * Creates a function that formats the timestamp of a record. Invalid timestamps are shown as they came.
 *
 * @param timeZone see `FormatterOptions`.
 */
export function createTimeFormat(timeZone: string): (timestamp: string) => string {
  const format = createTimestampFormat(timeZone);
  return (text) => format(text) ?? (cutLine(text.trim(), nameLimit) || '-');
}

/**
 * Creates a function that formats entries in the form that the Output panel supports for the language
 * `log`: `2026-11-20 12:00:00.123 [warning] [web-api] body`.
 */
export function createFormatter({
  timeZone,
  showAttributes,
  bodies = 'raw',
  severity = 'body',
}: FormatterOptions): Formatter {
  const time = createTimeFormat(timeZone);
  const head = createHeadFormat();

  return (entry) => {
    if (!isRecord(entry)) {
      return `${time(entry.timestamp)} [${entry.level}] [${ourName}] ${cutLine(entry.text, lineLimit)}\n`;
    }
    const record = withShownSeverity(entry, severity);
    let text = harmlessLines(bodyText(record, bodies), continuation);
    if (entry.truncated) text += truncatedMark;
    if (showAttributes) {
      const more = details(entry);
      if (more !== '') text += (text.includes('\n') ? `\n${continuation}` : ' ') + more;
    }
    return `${time(entry.timestamp)}${head(record)}${text}\n`;
  };
}

/** The end of a range of formatted times, without its date if that is the one of the start. */
export function endOfRange(from: string, to: string): string {
  const date = /^\d{4}-\d\d-\d\d /.exec(to)?.[0] ?? '';
  return from.startsWith(date) ? to.slice(date.length) : to;
}

const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const withOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** How many minutes are cached: most records have one of the same few minutes. */
const cachedMinutes = 1000;

/** `2026-11-20T12:00` to `2026-11-20 12:00`. */
function utcMinute(minute: string): string {
  return `${minute.slice(0, 10)} ${minute.slice(11)}`;
}

/** The minute in a time zone; undefined if it is invalid, such as month 13. */
function zonedMinute(minute: string, timeZone: string): string | undefined {
  const time = Date.parse(`${minute}Z`);
  if (Number.isNaN(time)) return undefined;
  return utcMinute(new Date(wallTime(time, timeZone)).toISOString().slice(0, -8));
}

/** The timestamp in canonical form; undefined if it is invalid. */
function toCanonical(timestamp: string): string | undefined {
  const time = withOffset.test(timestamp) ? Date.parse(timestamp) : NaN;
  if (Number.isNaN(time)) return undefined;
  const text = new Date(time).toISOString();
  return canonical.test(text) ? text : undefined;
}

/** Whether the minute is followed by `:34.567Z`, as in nearly every timestamp. */
function endsInMilliseconds(timestamp: string): boolean {
  return (
    timestamp.length === 24 &&
    timestamp.charCodeAt(16) === 0x3a &&
    isDigit(timestamp.charCodeAt(17)) &&
    isDigit(timestamp.charCodeAt(18)) &&
    timestamp.charCodeAt(19) === 0x2e &&
    isDigit(timestamp.charCodeAt(20)) &&
    isDigit(timestamp.charCodeAt(21)) &&
    isDigit(timestamp.charCodeAt(22)) &&
    timestamp.charCodeAt(23) === 0x5a
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Milliseconds as `.123`; further digits are cut off, not rounded. */
function milliseconds(timestamp: string): string {
  switch (timestamp.length) {
    case 24:
      return timestamp.slice(19, 23);
    case 20:
      return '.000';
    default:
      return timestamp.slice(19, -1).padEnd(4, '0').slice(0, 4);
  }
}

/**
 * Creates a function that formats an ISO 8601 timestamp as `2026-11-20 12:00:00.123` and returns undefined
 * for other text. Zones differ by whole minutes, so each minute is converted once.
 *
 * @param timeZone `utc`, `local` (of the machine) or an IANA name; unknown names count as `utc`.
 */
export function createTimestampFormat(timeZone: string): (timestamp: string) => string | undefined {
  const isUtc = /^utc$/i.test(timeZone);
  const minutes = new BoundedMap<string, string | undefined>(cachedMinutes);
  /**
   * The last minute, canonical and formatted: most records have the same one. This saves 4 % of the time to
   * read and show a record.
   */
  let lastMinute = '';
  let lastShown = '';

  function showMinute(minute: string): string | undefined {
    if (isUtc) return utcMinute(minute);
    if (minutes.has(minute)) return minutes.get(minute);
    const shown = zonedMinute(minute, timeZone);
    minutes.set(minute, shown);
    return shown;
  }

  return function show(timestamp): string | undefined {
    if (lastMinute !== '' && timestamp.startsWith(lastMinute) && endsInMilliseconds(timestamp)) {
      return lastShown + timestamp.slice(16, 23);
    }
    if (!canonical.test(timestamp)) {
      const other = toCanonical(timestamp);
      return other === undefined ? undefined : show(other);
    }
    const minute = timestamp.slice(0, 16);
    const shown = showMinute(minute);
    if (shown === undefined) return undefined;
    lastMinute = minute;
    lastShown = shown;
    return shown + timestamp.slice(16, 19) + milliseconds(timestamp);
  };
}
