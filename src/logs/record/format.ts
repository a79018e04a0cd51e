import type { LogRecord, Severity } from '../../api/types';
import { isClean, sanitise } from '../../text/sanitise';
import { quote } from '../query/tokens';
import { bodyText, type BodyStyle } from './readableBody';
import { createTimestampFormat } from './timestampFormat';

/** The longest line of a body that is shown, in characters (UTF-16 units); the rest is counted. */
export const lineLimit = 16 * 1024;
/** The bounds of one record with many lines. */
const recordLimit = 256 * 1024;
const recordLines = 1000;

const nameLimit = 100;
const attributesLimit = 4096;

/** What a line that goes on with a record starts with; no line that starts a record does. */
export const continuation = '    ';

/** Behind a body of which the server kept only the beginning. */
export const truncatedMark = ' [truncated]';

/** Who speaks in a marker; no workload is shown by this name. */
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

/** A line of our own between the records: a gap, records left out, a tail that starts or stops. */
export interface Marker {
  /** ISO UTC. */
  readonly timestamp: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** What the channel shows. */
export type LogLine = LogRecord | Marker;

/** Makes the text of an entry: one or more lines, each ended by `\n`. */
export type Formatter = (entry: LogLine) => string;

export interface FormatterOptions {
  /** `utc`, `local` (the machine's) or an IANA name; a name that is unknown here counts as `utc`. */
  readonly timeZone: string;
  /** Whether trace id and attributes follow the body. */
  readonly showAttributes: boolean;
  /** How bodies are shown: `raw` by default. Colours are left out in any case. */
  readonly bodies?: BodyStyle;
}

export function isRecord(entry: LogLine): entry is LogRecord {
  return 'eventId' in entry;
}

/**
 * Untrusted text as one harmless line of at most `limit` characters; ` [+N]` stands for N
 * characters (UTF-16 units) of the original that were left out.
 */
export function oneLine(text: string, limit: number): string {
  if (text.length <= limit) {
    const line = sanitise(text);
    if (line.length <= limit) return line;
  }
  // An escape is longer than what it stands for, so the end is found character by character.
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
 * Untrusted text as harmless lines within the bounds of a record; `[+N]` stands for N characters
 * (UTF-16 units) that were left out.
 *
 * @param indent what every line but the first begins with.
 */
export function harmlessLines(text: string, indent = ''): string {
  return text.length <= lineLimit && isClean(text) ? text : lines(text, indent);
}

/** Text of several lines or with something to make visible: each line in place, indented. */
function lines(body: string, indent: string): string {
  let result = '';
  for (let start = 0, count = 0; ; count++) {
    const lineBreak = body.indexOf('\n', start);
    const last = lineBreak === -1;
    const end = last ? body.length : lineBreak;
    const isCrLf = !last && end > start && body.charCodeAt(end - 1) === 0xd;
    const line = oneLine(body.slice(start, isCrLf ? end - 1 : end), lineLimit);
    if (count === 0) result = line;
    else if (count < recordLines && result.length + line.length <= recordLimit) {
      result += `\n${indent}${line}`;
    } else return `${result}\n${indent}[+${body.length - start}]`;
    // The line break at the end belongs to the line that it ends.
    if (last || lineBreak === body.length - 1) return result;
    start = lineBreak + 1;
  }
}

/** A name in brackets: the Output panel takes what they hold as the category of the entry. */
function name(text: string): string {
  if (text === ourName) return `${ourName} (workload)`;
  if (text.length <= nameLimit && !/[[\]]/.test(text)) return sanitise(text);
  return oneLine(text, nameLimit).replaceAll('[', '(').replaceAll(']', ')');
}

/** Who wrote a record, in the words of its line: its workload, and the preview where it is one. */
function sourceOf(workload: string, previewId: string | null): string {
  return previewId === null ? workload : `${workload} preview ${name(previewId.slice(0, 8))}`;
}

function workloadOf({ workloadName, service }: LogRecord): string {
  return workloadName || service || '-';
}

/** Who wrote a record, as its line says it in brackets. */
export function recordSource(record: LogRecord): string {
  return sourceOf(name(workloadOf(record)), record.previewId);
}

/** How many names are remembered: a tail meets the same few workloads in all its records. */
const rememberedNames = 1000;

/** Makes the function that writes a record's level and workload, with the blanks around them. */
function createHeadFormat(): (record: LogRecord) => string {
  const heads = new Map<string, Map<Severity, string>>();

  function headOf(record: LogRecord, workload: string): string {
    const { severity, severityText, previewId } = record;
    const own = severityText === undefined ? '' : `${name(severityText)} `;
    const source = sourceOf(workload, previewId);
    return ` [${levels[severity]}] [${source}] ${severity === 'fatal' ? 'FATAL ' : ''}${own}`;
  }

  return (record) => {
    const workload = workloadOf(record);
    // Every preview is one more name, and so is every severity of a server's own.
    if (record.previewId !== null || record.severityText !== undefined) {
      return headOf(record, name(workload));
    }
    let ofWorkload = heads.get(workload);
    if (ofWorkload === undefined) {
      if (heads.size >= rememberedNames) heads.clear();
      ofWorkload = new Map();
      heads.set(workload, ofWorkload);
    }
    let head = ofWorkload.get(record.severity);
    if (head === undefined) {
      head = headOf(record, name(workload));
      ofWorkload.set(record.severity, head);
    }
    return head;
  };
}

/** Trace id and attributes as the query language takes them: `{trace:4bf9… user=42}`. */
function details({ traceId, attributes }: LogRecord): string {
  const items = traceId === null ? [] : [`trace:${quote(traceId)}`];
  for (const [key, value] of Object.entries(attributes))
    items.push(`${quote(key)}=${quote(value)}`);
  return items.length === 0 ? '' : `{${oneLine(items.join(' '), attributesLimit)}}`;
}

/**
 * Makes the function that shows the timestamp of a record; one that is none as it came.
 *
 * @param timeZone as that of `FormatterOptions`.
 */
export function createTimeFormat(timeZone: string): (timestamp: string) => string {
  const format = createTimestampFormat(timeZone);
  return (text) => format(text) ?? (oneLine(text.trim(), nameLimit) || '-');
}

/**
 * Makes the function that writes entries in the form that the Output panel understands for the
 * language `log`: `2026-11-20 12:00:00.123 [warning] [web-api] body`. A timestamp that is none is
 * shown as it came.
 */
export function createFormatter({
  timeZone,
  showAttributes,
  bodies = 'raw',
}: FormatterOptions): Formatter {
  const time = createTimeFormat(timeZone);
  const head = createHeadFormat();

  return (entry) => {
    if (!isRecord(entry)) {
      return `${time(entry.timestamp)} [${entry.level}] [${ourName}] ${oneLine(entry.text, lineLimit)}\n`;
    }
    let text = harmlessLines(bodyText(entry, bodies), continuation);
    if (entry.truncated) text += truncatedMark;
    if (showAttributes) {
      const more = details(entry);
      if (more !== '') text += (text.includes('\n') ? `\n${continuation}` : ' ') + more;
    }
    return `${time(entry.timestamp)}${head(entry)}${text}\n`;
  };
}
