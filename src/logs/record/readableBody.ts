import type { LogRecord, Severity } from '../../api/types';
import { hour, minute } from '../../base/clock';
import { membersOf } from '../../base/json';
import { cut } from '../../base/untrustedText';
import { type Member, messageMember, nameSet, readMembers, shortJson } from './structuredBody';
import {
  readSgr,
  stripSgr,
  type StyledSpan,
  type StyledText,
  withoutReturns,
} from './terminalColors';

/** How bodies are shown: structured ones by their message and members, or as they came. */
export type BodyStyle = 'readable' | 'raw';

/** A piece of a body that is shown as a whole. */
interface Segment {
  readonly text: string;
  /** Less important than the message. */
  readonly isDim: boolean;
}

/** The parts of a structured body. All texts are untrusted. */
interface ReadableBody {
  readonly segments: readonly Segment[];
  /** The stack traces of the body, on any number of lines; also the last segment. */
  readonly stack: string | undefined;
}

/** A member of a structured body is cut to this, and all members together; in UTF-16 units. */
const longestValue = 120;
const longestMembers = 600;
/** A message template is filled up to about this length, in UTF-16 units. */
const longestMessage = 65_536;

const timeNames = nameSet(`
  time timestamp @timestamp ts @t t asctime datetime date eventtime timeunixnano
  observedtimeunixnano observedtimestamp observed_timestamp timemillis
`);
const levelNames = nameSet(`
  level lvl severity levelname @l log.level loglevel levelno l severitytext severity_text
  severitynumber severity_number
`);
const stackNames = nameSet(`
  stack stacktrace stack_trace err.stack error.stack error.stack_trace @x exception exc_info
  exc_text errorverbose exception.stacktrace traceback attributes.exception.stacktrace
  error.stacktrace thrown.extendedstacktrace
`);
/** What loggers write into each record, and what says nothing about it. */
const constantNames = nameSet(`
  pid hostname v @version level_value ecs.version @i @r flags process.pid traceflags trace_flags
  stack_info taskname
`);
/** What a stack trace begins with. */
const errorNames = nameSet(`
  err.type err.message error.type error.message attributes.exception.type
  attributes.exception.message
`);
const constantParts =
  /^(?:resource|instrumentationscope|scope|(?:req|request|res|response)\.headers)\b/;

/**
 * Reads a structured body: JSON or logfmt, as loggers write it.
 *
 * @returns undefined if it is something else, or has no message: then it is shown as it came.
 */
export function readableBody(body: string, record: LogRecord): ReadableBody | undefined {
  const members = readMembers(body);
  if (members === undefined) return undefined;
  const byName = new Map(members.map((member) => [member.key, member]));
  const message = messageOf(members, byName);
  const http = httpSummary(byName);
  if (message === undefined && http === undefined) return undefined;
  const stacks = new Map<Member, string>();
  for (const member of members) {
    const found = stackNames.has(member.key) ? stackOf(member.value) : undefined;
    if (found !== undefined) stacks.set(member, found);
  }
  const stack = stacks.size === 0 ? undefined : [...new Set(stacks.values())].join('\n');
  const used = new Set([...(message?.used ?? []), ...(http?.used ?? [])]);
  const others = members.filter(
    (member) => !used.has(member.key) && !stacks.has(member) && !isRepeat(member, record, stack),
  );
  const details = [...(http?.parts ?? []), ...othersText(others)].join('  ');
  const [first, rest] = message === undefined ? [details, ''] : [message.text, details];
  return {
    segments: [
      { text: first, isDim: false },
      ...(rest === '' ? [] : [{ text: `  ${rest}`, isDim: true }]),
      ...(stack === undefined ? [] : [{ text: `\n${stack}`, isDim: false }]),
    ],
    stack,
  };
}

type Members = ReadonlyMap<string, Member>;

interface Used {
  /** The names of the members that it says, in lower case. */
  readonly used: readonly string[];
}

function messageOf(
  members: readonly Member[],
  byName: Members,
): (Used & { readonly text: string }) | undefined {
  const message = messageMember(members);
  if (message === undefined) return undefined;
  const { key, value } = message;
  if (key === '@mt') return renderedTemplate(value, byName);
  return { text: value.trimEnd(), used: key === '@m' ? [key, '@mt'] : [key] };
}

/**
 * A message template of Serilog, such as `Hello, {User}`, with the values of its members. Holes beyond
 * `longestMessage` are kept as they are.
 */
function renderedTemplate(template: string, members: Members): Used & { readonly text: string } {
  /** By the names of members: a template may name one thousands of times. */
  const values = new Map<string, string>();
  let length = template.length;
  const text = template.replace(
    /\{\{|\}\}|\{[@$]?([\w.]{1,64})(?:,-?\d+)?(?::[^}]{0,64})?\}/g,
    (hole, property?: string) => {
      if (property === undefined) return hole.charAt(0);
      const key = property.toLowerCase();
      const member = members.get(key);
      if (member === undefined || length > longestMessage) return hole;
      const value = values.get(key) ?? shortValue(member.value, longestValue);
      values.set(key, value);
      length += value.length;
      return value;
    },
  );
  return { text, used: ['@mt', ...values.keys()] };
}

const methodNames = nameSet('req.method request.method http.request.method method http.method');
const pathNames = nameSet(`
  req.url request.url request.path url.path url.original path url uri http.target http.path
`);
const statusNames = nameSet(`
  res.statuscode response.status http.response.status_code status statuscode status_code
  http.status_code
`);
const durationNames = nameSet('responsetime duration duration_ms elapsed_ms latency_ms');

/** Request and response as loggers of HTTP write them: method, path, status and duration. */
function httpSummary(members: Members): (Used & { readonly parts: readonly string[] }) | undefined {
  if (![...methodNames].some((name) => members.has(name))) return undefined;
  const used: string[] = [];
  const find = (names: ReadonlySet<string>): string | undefined => {
    const name = [...names].find((one) =>
      ['string', 'number'].includes(typeof members.get(one)?.value),
    );
    if (name === undefined) return undefined;
    used.push(name);
    return shortValue(members.get(name)?.value, longestValue);
  };
  const method = find(methodNames);
  const path = find(pathNames);
  if (method === undefined || path === undefined || !/^[A-Z]{3,10}$/i.test(method))
    return undefined;
  const status = find(statusNames);
  const duration = find(durationNames);
  const time =
    duration === undefined ? [] : [/^[\d.]+$/.test(duration) ? `${duration} ms` : duration];
  return { parts: [`${method} ${path}`, ...(status === undefined ? [] : [status]), ...time], used };
}

/** Whether a member says what the line of the record, or a stack, already says. */
function isRepeat({ key, value }: Member, record: LogRecord, stack: string | undefined): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (timeNames.has(key)) return repeatsTime(value, record);
  if (levelNames.has(key)) return repeatsSeverity(value, record);
  if (errorNames.has(key)) {
    return typeof value === 'string' && (stack ?? '').includes(value);
  }
  if (constantNames.has(key) || (key.includes('.') && constantParts.test(key))) return true;
  const own = [record.service, record.workloadName, record.traceId, record.spanId];
  return typeof value === 'string' && own.includes(value);
}

/** The stack trace that a value is; undefined if it is none. */
function stackOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\n') || /^\s*at |^Traceback /.test(value) ? value.trimEnd() : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const lines = (value as unknown[]).flatMap(frameLines);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Frames as zerolog (`func`, `source`, `line`) and structlog (`frames` of exceptions) write them. */
function frameLines(frame: unknown): readonly string[] {
  const frames = exceptionFrames(frame);
  if (frames === undefined) return frameLine(frame);
  const title = `${memberText(frame, 'exc_type')}: ${memberText(frame, 'exc_value')}`;
  return ['Traceback (most recent call last):', ...frames.flatMap(frameLine), title];
}

function exceptionFrames(value: unknown): readonly unknown[] | undefined {
  const frames = memberOf(value, 'frames');
  return Array.isArray(frames) && memberOf(value, 'exc_type') !== undefined ? frames : undefined;
}

function frameLine(frame: unknown): readonly string[] {
  if (typeof frame === 'string') return [frame];
  const text = (name: string): string => memberText(frame, name);
  if (memberOf(frame, 'func') !== undefined) {
    return [`    at ${text('func')} (${text('source')}:${text('line')})`];
  }
  if (memberOf(frame, 'filename') !== undefined) {
    return [`  File "${text('filename')}", line ${text('lineno')}, in ${text('name')}`];
  }
  return [];
}

function memberOf(value: unknown, name: string): unknown {
  const object = membersOf(value);
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function memberText(value: unknown, name: string): string {
  return shortValue(memberOf(value, name), longestValue);
}

/** `name=value` for each, as long as there is room. */
function othersText(members: readonly Member[]): readonly string[] {
  const parts: string[] = [];
  let length = 0;
  for (const { name, value } of members) {
    const part = `${name.replace(/^attributes\./i, '')}=${shortValue(value, longestValue)}`;
    length += part.length;
    if (length > longestMembers) return [...parts, '…'];
    parts.push(part);
  }
  return parts;
}

/** A value on one line, at most `longest` UTF-16 units of it. Reads no more of it than that takes. */
function shortValue(value: unknown, longest: number): string {
  const text = typeof value === 'string' ? value : shortJson(value, 4 * longest);
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim();
  return cut(line, longest);
}

/** The text of a body as it is shown, without SGR sequences and returns. Untrusted, with all other controls. */
export function bodyText(record: LogRecord, bodies: BodyStyle): string {
  const readable = bodies === 'readable' ? readableBody(record.body, record) : undefined;
  const text = readable?.segments.map((segment) => segment.text).join('') ?? record.body;
  return stripSgr(withoutReturns(text));
}

/** The same with spans for its colours, and for what is less important: it is dimmed. */
export function styledBody(record: LogRecord, bodies: BodyStyle): StyledText {
  const readable = bodies === 'readable' ? readableBody(record.body, record) : undefined;
  if (readable !== undefined) return joined(readable.segments);
  const { text, spans } = readSgr(withoutReturns(record.body));
  const prefix = prefixLength(text, record);
  return prefix === 0 ? { text, spans } : { text, spans: [dimmed(0, prefix), ...spans] };
}

function joined(segments: readonly Segment[]): StyledText {
  let text = '';
  const all: StyledSpan[] = [];
  for (const segment of segments) {
    const start = text.length;
    const { text: plain, spans } = readSgr(withoutReturns(segment.text));
    text += plain;
    if (segment.isDim) all.push(dimmed(start, text.length));
    for (const span of spans) {
      all.push({ ...span, start: start + span.start, end: start + span.end });
    }
  }
  return { text, spans: all };
}

function dimmed(start: number, end: number): StyledSpan {
  return { start, end, style: 'dim' };
}

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
