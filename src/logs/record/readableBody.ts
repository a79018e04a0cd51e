import type { LogRecord } from '../../api/types';
import { isObject } from '../../base/json';
import { cut } from '../../base/untrustedText';
import { bodyNames, httpNames, placeNames, withoutHolder } from './bodyNames';
import { repeatsSeverity, syslogSeverity } from './bodyLevel';
import { prefixLength, repeatsTime, textOfPrefix } from './bodyPrefix';
import { isStackName, stackOf, stacksIn, unfolded } from './stackText';
import {
  type Member,
  type Members,
  mayBeStructured,
  messageMember,
  readStructure,
  shortJson,
  type StructuredBody,
} from './structuredBody';
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

/** The parts of a body that is more than text. All texts are untrusted. */
interface ReadableBody {
  readonly segments: readonly Segment[];
  /** What it says: a segment. */
  readonly message: string;
  /** The stack traces of the body, on any number of lines. */
  readonly stack: string | undefined;
  /** Where it was logged, such as `/app/main.go:12`. */
  readonly place: string | undefined;
}

/** A member of a structured body is cut to this, and all members together; in UTF-16 units. */
const longestValue = 120;
const longestMembers = 600;
/** A message template is filled up to about this length, in UTF-16 units. */
const longestMessage = 65_536;

const constantParts =
  /^(?:resource|instrumentationscope|scope|(?:req|request|res|response)\.headers)\b/;
/** What journald adds to a record. */
const journaldName = /^_[A-Z_]+$/;

/**
 * Reads a structured body, JSON or logfmt as loggers write it, and unfolds a stack that is on one line.
 *
 * @returns undefined if it is something else, or has no message: then it is shown as it came.
 */
export function readableBody(body: string, record: LogRecord): ReadableBody | undefined {
  const structure = readStructure(body);
  return structure === undefined ? unfoldedBody(body, record) : ofStructure(structure, record);
}

function unfoldedBody(body: string, record: LogRecord): ReadableBody | undefined {
  const text = unfolded(body);
  if (text === body) return undefined;
  const end = text.indexOf('\n');
  const prefix = prefixLength(text.slice(0, end), record);
  const message = text.slice(prefix, end);
  return {
    segments: [
      ...(prefix === 0 ? [] : [{ text: text.slice(0, prefix), isDim: true }]),
      { text: message, isDim: false },
      { text: text.slice(end), isDim: false },
    ],
    message,
    stack: text,
    place: undefined,
  };
}

function ofStructure(structure: StructuredBody, record: LogRecord): ReadableBody | undefined {
  const { members, byName, root, prefix, isCut } = structure;
  const found = messageOf(structure);
  const http = httpSummary(byName);
  // Monolog writes `[]` for what is empty.
  const before = textOfPrefix(stripSgr(prefix).replace(/\[\]\s{0,9}$/, ''), record);
  if (found === undefined && http === undefined && before === '') return undefined;
  const stacks = new Set(stacksIn(root));
  const isStack = (member: Member): boolean =>
    isStackName(member.key) && stackOf(member.value) !== undefined;
  for (const { value } of members.filter(isStack)) {
    const own = stackOf(value) ?? '';
    if (![...stacks].some((one) => one.includes(own))) stacks.add(own);
  }
  const stack = stacks.size === 0 ? undefined : [...stacks].join('\n');
  const place = placeOf((name) => byName.get(name));
  const used = new Set([...(found?.used ?? []), ...(http?.used ?? []), ...(place?.used ?? [])]);
  const others = members.filter(
    (member) =>
      !used.has(member.key) &&
      !isStack(member) &&
      !isRepeat(member, record, stack) &&
      member.value !== found?.text,
  );
  const details = [
    ...(http?.parts ?? []),
    ...(place === undefined ? [] : [place.text]),
    ...othersText(others),
    ...(isCut ? ['…'] : []),
  ].join('  ');
  const said = [before, found?.text ?? ''].filter((part) => part !== '').join(' ');
  const [message, rest] = said === '' ? [details, ''] : [said, details];
  return {
    segments: [
      { text: message, isDim: false },
      ...(rest === '' ? [] : [{ text: `  ${rest}`, isDim: true }]),
      ...(stack === undefined ? [] : [{ text: `\n${stack}`, isDim: false }]),
    ],
    message,
    stack,
    place: place?.text,
  };
}

interface Used {
  /** The names of the members that it says, in lower case. */
  readonly used: readonly string[];
}

function messageOf(structure: StructuredBody): (Used & { readonly text: string }) | undefined {
  const message = messageMember(structure);
  if (message === undefined) return undefined;
  const { key, value } = message;
  if (bodyNames.template.has(key)) return renderedTemplate(key, value, structure);
  const isRendered = bodyNames.rendered.has(key);
  return { text: value.trimEnd(), used: isRendered ? [key, ...bodyNames.template] : [key] };
}

/**
 * A message template of Serilog, such as `Hello, {User}`, with the values of its members. Holes beyond
 * `longestMessage` are kept as they are.
 */
function renderedTemplate(
  name: string,
  template: string,
  { byName, members }: StructuredBody,
): Used & { readonly text: string } {
  const rendered = byName.get('@r')?.value;
  const formatted: unknown[] = Array.isArray(rendered) ? [...(rendered as unknown[])] : [];
  /** By the names of members: a template may name one thousands of times. */
  const values = new Map<string, string | undefined>();
  const used = [name];
  const valueOf = (key: string): string | undefined => {
    const member = byName.get(key);
    if (member !== undefined) {
      used.push(member.key);
      return shortValue(member.value, longestValue);
    }
    const parts = members.filter((one) => withoutHolder(one.key).startsWith(`${key}.`));
    used.push(...parts.map((one) => one.key));
    const object = parts.map((one) => [withoutHolder(one.name).slice(key.length + 1), one.value]);
    return parts.length === 0 ? undefined : shortValue(Object.fromEntries(object), longestValue);
  };
  let length = template.length;
  const text = template.replace(
    /\{\{|\}\}|\{[@$]?([\w.]{1,64})(?:,-?\d+)?(?::([^}]{0,64}))?\}/g,
    (hole, property?: string, format?: string) => {
      if (property === undefined) return hole.charAt(0);
      const key = property.toLowerCase();
      if (length > longestMessage) return hole;
      if (!values.has(key)) values.set(key, valueOf(key));
      const made = format === undefined ? undefined : formatted.shift();
      const own = values.get(key);
      const value =
        typeof made === 'string' ? shortValue(made, longestValue) : withFormat(own, format);
      length += value?.length ?? 0;
      return value ?? hole;
    },
  );
  return { text, used };
}

/** A number with as many digits behind its point as `0.000` says. */
function withFormat(value: string | undefined, format: string | undefined): string | undefined {
  const digits = /^[0#]*\.(0{1,10})$/.exec(format ?? '')?.[1];
  if (value === undefined || digits === undefined || !/^-?\d+(?:\.\d+)?$/.test(value)) return value;
  return Number(value).toFixed(digits.length);
}

/** Where a record says that it was logged, such as `/app/main.go:12`. @param find returns the member with a name. */
function placeOf(
  find: (name: string) => Pick<Member, 'key' | 'value'> | undefined,
): (Used & { readonly text: string }) | undefined {
  for (const [file = '', line = '', column = '', owner = ''] of placeNames) {
    const found = [file, line, column].map(find);
    const [path, number, more] = found.map((member) => member?.value);
    if (typeof path !== 'string' || !/^\S.{0,1000}\.\w{1,12}$/.test(path) || !isCount(number))
      continue;
    const end = isCount(more) ? `${String(number)}:${String(more)}` : String(number);
    const used = found.flatMap((member) => member?.key ?? []);
    return { text: `${inPackage(path, find(owner)?.value)}:${end}`, used };
  }
  return undefined;
}

function isCount(value: unknown): boolean {
  return (
    (typeof value === 'number' || typeof value === 'string') && /^[1-9]\d{0,6}$/.test(String(value))
  );
}

/** The path of a file of Java, whose folders its class names. */
function inPackage(file: string, owner: unknown): string {
  if (typeof owner !== 'string' || !/^[^/\\]+\.(?:java|kt|scala|groovy)$/.test(file)) return file;
  const folders = owner.split('.').slice(0, -1);
  return folders.every((folder) => /^[\w$]+$/.test(folder)) ? [...folders, file].join('/') : file;
}

/** Where attributes of a record say that it was logged. */
export function placeOfAttributes({ attributes }: LogRecord): string | undefined {
  return placeOf((name) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    return value === undefined ? undefined : { key: name, value };
  })?.text;
}

/** Request and response as loggers of HTTP write them: method, path, status and duration. */
function httpSummary(members: Members): (Used & { readonly parts: readonly string[] }) | undefined {
  const find = (names: ReadonlySet<string>): (Member & { readonly text: string }) | undefined => {
    for (const name of names) {
      const member = members.get(name);
      const text = ['string', 'number'].includes(typeof member?.value)
        ? shortValue(member?.value, longestValue)
        : '';
      if (member !== undefined && text !== '') return { ...member, text };
    }
    return undefined;
  };
  const request = find(httpNames.request);
  const isLine =
    request !== undefined && /^[A-Z]{3,10} \/\S*(?: HTTP\/[\d.]+)?$/.test(request.text);
  const method = find(httpNames.method);
  const path = find(httpNames.path);
  const isMethod = method !== undefined && /^[A-Z]{3,10}$/i.test(method.text);
  if (!isLine && (!isMethod || path === undefined)) return undefined;
  const asked = isLine ? request.text : `${method?.text ?? ''} ${path?.text ?? ''}`;
  const status = find(httpNames.status);
  const duration = find(httpNames.duration);
  const time = duration === undefined ? undefined : withMilliseconds(duration.text);
  const timed = time === undefined ? undefined : duration;
  const used = [...(isLine ? [request] : [method, path]), status, timed];
  return {
    parts: [asked, status?.text, time].filter((part) => part !== undefined),
    used: used.flatMap((member) => member?.key ?? []),
  };
}

/** A duration with its unit; undefined if it may be of seconds or nanoseconds, which have more digits. */
function withMilliseconds(duration: string): string | undefined {
  if (!/^[\d.]+$/.test(duration)) return duration;
  return /^\d{1,6}(?:\.\d{1,3})?$/.test(duration) ? `${duration} ms` : undefined;
}

/** Whether a member says what the line of the record, or a stack, already says. */
function isRepeat(
  { key: path, name, value }: Member,
  record: LogRecord,
  stack: string | undefined,
): boolean {
  if (value === null || value === undefined || value === '' || journaldName.test(name)) return true;
  const key = withoutHolder(path);
  if (bodyNames.time.has(key)) return repeatsTime(value, record);
  if (bodyNames.level.has(key)) return repeatsSeverity(value, record);
  if (bodyNames.syslogLevel.has(key)) return repeatsSeverity(syslogSeverity(value), record);
  if (stack !== undefined && path.split('.').some((part) => bodyNames.error.has(part))) {
    if (typeof value === 'string' ? stack.includes(value.trim()) : isObject(value)) return true;
  }
  if (
    bodyNames.constant.has(key) ||
    bodyNames.constant.has(key.slice(key.lastIndexOf('.') + 1)) ||
    (key.includes('.') && constantParts.test(key))
  )
    return true;
  const own = [record.service, record.workloadName, record.traceId, record.spanId];
  return typeof value === 'string' && own.includes(value);
}

/** `name=value` for each, as long as there is room. */
function othersText(members: readonly Member[]): readonly string[] {
  const parts: string[] = [];
  let length = 0;
  for (const { name, value } of members) {
    const part = `${withoutHolder(name)}=${shortValue(value, longestValue)}`;
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

/** What text has that is shown in another way: colours, returns, members, and breaks of stacks on one line. */
// eslint-disable-next-line no-control-regex -- ESC and CSI are what colours start with
const special = /[\t\r\x1b\x9b\\#^=]| {3}/;

/** The text of a body as it is shown, without SGR sequences and returns. Untrusted, with all other controls. */
export function bodyText(record: LogRecord, bodies: BodyStyle): string {
  // Nearly every body is only text.
  if (!special.test(record.body) && !mayBeStructured(record.body)) return record.body;
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
