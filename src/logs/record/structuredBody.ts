import { isObject, type JsonObject, parseJson } from '../../base/json';
import { syslogSeverity } from './bodyLevel';
import { bodyNames, withoutHolder } from './bodyNames';

/** A member of a structured body: its path, such as `req.method`, and its value. */
export interface Member {
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  readonly value: unknown;
}

/** Members by their names in lower case, also without their holder if no other member has that name. */
export type Members = ReadonlyMap<string, Member>;

/** A body that is JSON or logfmt. Untrusted. */
export interface StructuredBody {
  /** The text before it. */
  readonly prefix: string;
  /** In order; of objects in it by the path of their members. */
  readonly members: readonly Member[];
  readonly byName: Members;
  /** What JSON has at its top; empty for logfmt. */
  readonly root: object;
  /** Whether its end is missing. */
  readonly isCut: boolean;
}

/** The member with the message of a structured body, which is not blank; undefined if there is none. */
export function messageMember({
  byName,
}: Pick<StructuredBody, 'byName'>): (Member & { readonly value: string }) | undefined {
  for (const names of [bodyNames.ownMessage, bodyNames.message]) {
    for (const name of names) {
      const member = byName.get(name);
      const value = bytesAsText(member?.value);
      if (member === undefined || typeof value !== 'string' || value.trim() === '') continue;
      // What a holder has may be the message of something else.
      if (names === bodyNames.message || member.key === name) return { ...member, value };
    }
  }
  return undefined;
}

/** The text that a list of bytes is, as journald writes what has control characters. */
function bytesAsText(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  const isByte = (one: unknown): one is number =>
    typeof one === 'number' && Number.isInteger(one) && one >= 0 && one <= 255;
  return value.every(isByte) ? new TextDecoder().decode(Uint8Array.from(value)) : value;
}

/** Longer bodies are shown as they came, in UTF-16 units: parsing them would take too long. */
const maxLength = 65_536;
/** Objects within objects are split into members to this depth. */
const maxDepth = 3;
const maxMembers = 200;
/** A prefix is not longer, in UTF-16 units, and so many places in it may begin a structure. */
const longestPrefix = 500;
const mostPlaces = 4;

/** A quick look whether a body is more than text: by its first and its last character, and whether it has pairs. */
export function mayBeStructured(body: string): boolean {
  const first = body.charCodeAt(0);
  const end = body.charCodeAt(body.length - 1);
  if (first === openBrace || first <= space) return true;
  if (end === closeBrace || end === closeBracket || end <= space) return true;
  return body.length > shortestCut || body.includes('=');
}

const [space, closeBracket, openBrace, closeBrace] = [0x20, 0x5d, 0x7b, 0x7d];

/**
 * Reads a body that is a JSON object or logfmt, or ends in one.
 *
 * @returns undefined for other text.
 */
export function readStructure(body: string): StructuredBody | undefined {
  if (body.length > maxLength || !mayBeStructured(body)) return undefined;
  if (body !== last.body) last = { body, structure: read(body) };
  return last.structure;
}

/** What was read last: the parts of a record are read one after the other. */
let last: { readonly body: string; readonly structure: StructuredBody | undefined } = {
  body: '',
  structure: undefined,
};

function read(body: string): StructuredBody | undefined {
  if (/^\s{0,16}\{/.test(body)) return readJson('', body);
  const end = body.charAt(body.length - 1).trim() === '' ? body.trimEnd().at(-1) : body.at(-1);
  if (end === '}' || end === ']' || body.length > shortestCut) {
    const found = readBehind(body, beforeJson, readJson);
    if (found !== undefined) return found;
  }
  if (!body.includes('=')) return undefined;
  const structure = readLogfmt('', body);
  if (structure !== undefined || !(body.includes('msg=') || body.includes('message='))) {
    return structure;
  }
  return readBehind(body, beforeLogfmt, readLogfmt);
}

/** What is cut is at least so long, in UTF-16 units, if something precedes it. */
const shortestCut = 8000;
const beforeJson = /(?<=[\s|:])\{(?=\s{0,16}["}])/g;
const beforeLogfmt = /(?<=[\s|])(?:time|timestamp|ts|t|level|lvl|severity|msg|message)=/g;

/** Reads the structure that a body ends with. */
function readBehind(
  body: string,
  start: RegExp,
  readAt: (prefix: string, text: string) => StructuredBody | undefined,
): StructuredBody | undefined {
  let places = 0;
  for (const { index } of body.slice(0, longestPrefix).matchAll(start)) {
    if (++places > mostPlaces) return undefined;
    const found = readAt(body.slice(0, index), body.slice(index));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readJson(prefix: string, text: string): StructuredBody | undefined {
  const whole = parse(text) ?? parseWithExtra(text);
  const outer = whole ?? parseStart(text);
  if (!isObject(outer)) return undefined;
  const root = usualForm(outer);
  const members: Member[] = [];
  addMembers(members, '', root, 1);
  return { prefix, members, byName: byNameOf(members), root, isCut: whole === undefined };
}

/** The members of a record as most loggers write them. */
function usualForm(outer: JsonObject): JsonObject {
  const { resourceLogs, short_message: gelf } = outer;
  if (Array.isArray(resourceLogs)) return ofOpenTelemetry(outer) ?? outer;
  return typeof gelf === 'string' ? ofGelf(outer) : withInner(outer);
}

/** The record of an export of OpenTelemetry that has only one. */
function ofOpenTelemetry(outer: JsonObject): JsonObject | undefined {
  let found: unknown = outer;
  for (const name of ['resourceLogs', 'scopeLogs', 'logRecords']) {
    const list = isObject(found) ? found[name] : undefined;
    if (!Array.isArray(list) || list.length !== 1) return undefined;
    [found] = list as unknown[];
  }
  return isObject(found) ? found : undefined;
}

/** GELF has a version, levels as numbers of syslog, and an underscore before the names of what it does not define. */
function ofGelf({ version: _, level, ...others }: JsonObject): JsonObject {
  const members = Object.entries(others).map(([name, value]): [string, unknown] => {
    const bare = name.replace(/^_/, '');
    return [bare in others ? name : bare, value];
  });
  const severity = syslogSeverity(level) ?? level;
  return { ...Object.fromEntries(members), level: severity };
}

/** What passes JSON on as the text of a member, such as Docker, with the members of that JSON. */
function withInner(outer: JsonObject): JsonObject {
  for (const name of passedOn) {
    const { [name]: text, ...others } = outer;
    if (typeof text !== 'string' || !/^\s{0,16}\{"/.test(text)) continue;
    const inner = parse(text);
    if (isObject(inner)) return { ...others, ...inner };
  }
  return outer;
}

const passedOn = ['log', 'message', 'msg', 'MESSAGE'];

function byNameOf(members: readonly Member[]): Members {
  const byName = new Map(members.map((member) => [member.key, member]));
  for (const member of members) {
    const bare = withoutHolder(member.key);
    if (bare !== member.key && !byName.has(bare)) byName.set(bare, member);
  }
  return byName;
}

/** Numbers that JavaScript would write in another way are texts with this before them. */
const writtenNumber = '\u0000n';

/** Whether a number may lose digits. */
const mayLose = /\d{16}|[:,[]\s?-?\d+(?:\.\d*0|(?:\.\d+)?[eE][+-]?\d+)\s?[,}\]]/;

function parse(text: string): unknown {
  const json = parseJson(text);
  if (json === undefined || !mayLose.test(text)) return json;
  // This takes linear time only for valid JSON, in which every string ends.
  return parseJson(
    text.replace(
      /("(?:[^"\\]|\\.)*")|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs,
      (found, string: string | undefined) =>
        string ?? (String(Number(found)) === found ? found : JSON.stringify(writtenNumber + found)),
    ),
  );
}

/** What monolog writes: two objects, each of which may be empty and is a list then. */
function parseWithExtra(text: string): unknown {
  const end = text.trimEnd();
  const extra = /[\]}] ([[{].{0,2000})$/s.exec(end.slice(-2010))?.[1];
  if (extra === undefined) return undefined;
  const context = parse(end.slice(0, -extra.length));
  const more = parse(extra);
  if (!isObject(context) || more === undefined) return undefined;
  return isObject(more) ? { ...context, extra: more } : context;
}

/**
 * What is whole of a JSON object whose end is missing, because something cut it: members, and the beginning of the text
 * in which it was cut. Takes linear time.
 */
function parseStart(text: string): unknown {
  if (/\}\s{0,16}$/.test(text)) return undefined;
  const open: string[] = [];
  let isInString = false;
  /** Where the last string that has no end begins, and where the last value has its end. */
  let stringAt = 0;
  let whole = { end: 0, closing: '' };
  const closing = (): string => [...open].reverse().join('');
  for (let at = 0; at < text.length && open.length <= deepestCut; at++) {
    const character = text.charAt(at);
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
      stringAt = at;
    } else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') {
      if (open.pop() !== character || open.length === 0) return undefined;
    } else if (character === ',') whole = { end: at, closing: closing() };
  }
  if (open.length === 0 || open.length > deepestCut) return undefined;
  const isValue =
    isInString && /[:,[]\s{0,16}$/.test(text.slice(Math.max(0, stringAt - 17), stringAt));
  const string = text.replace(/\\(?:u[\da-f]{0,3})?$/i, '');
  return (
    (isValue ? parse(`${string}"${closing()}`) : undefined) ??
    parse(text.slice(0, whole.end) + whole.closing)
  );
}

/** Deeper JSON is not read if it was cut. */
const deepestCut = 32;

function addMembers(members: Member[], path: string, object: object, depth: number): void {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    if (members.length >= maxMembers) return;
    const name = path === '' ? key : `${path}.${key}`;
    const inner = typeof value === 'object' ? plainValue(key, value) : asWritten(value);
    if (isObject(inner) && depth < maxDepth) addMembers(members, name, inner, depth + 1);
    else members.push({ name, key: name.toLowerCase(), value: inner });
  }
}

function asWritten(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(writtenNumber)
    ? value.slice(writtenNumber.length)
    : value;
}

function plainValue(key: string, value: unknown): unknown {
  return /^attributes$/i.test(key) ? otelAttributes(value) : typedValue(value);
}

/** OpenTelemetry writes attributes as a list of `{ key, value: { stringValue } }`. */
function otelAttributes(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const pairs = (value as unknown[]).map((one): [string, unknown] | undefined => {
    if (typeof one !== 'object' || one === null || !('key' in one) || !('value' in one)) return;
    return typeof one.key === 'string' ? [one.key, typedValue(one.value)] : undefined;
  });
  return pairs.every((pair) => pair !== undefined) ? Object.fromEntries(pairs) : value;
}

/** OpenTelemetry writes a value with its type, such as `{ "stringValue": "a" }`. */
function typedValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [entry, ...more] = Object.entries(value) as [string, unknown][];
  const isTyped = entry !== undefined && /^(?:string|int|double|bool)Value$/.test(entry[0]);
  return isTyped && more.length === 0 ? entry[1] : value;
}

const pair =
  /([A-Za-z_@][\w.@/-]{0,127})=(?:"((?:[^"\\]|\\.)*)"|(`[^`]*`|'[^'\n]*')|([^\s"`=]\S*)?)(?:\s+|$)/sy;

/** `key=value key="value with spaces"`. Lines of something else below it are a stack. */
function readLogfmt(prefix: string, body: string): StructuredBody | undefined {
  const text = body.trimEnd();
  if (!/^[A-Za-z_@][\w.@/-]{0,127}=/.test(text)) return undefined;
  const members: Member[] = [];
  pair.lastIndex = 0;
  for (let at = 0; at < text.length && members.length < maxMembers; at = pair.lastIndex) {
    const found = pair.exec(text);
    if (found === null) {
      const isBelow = at > 0 && /\n[^\S\n]*$/.test(text.slice(Math.max(0, at - 200), at));
      if (!isBelow) return undefined;
      members.push({ name: 'stack', key: 'stack', value: `${text.slice(at)}\n` });
      break;
    }
    const [, name = '', quoted, literal, bare = ''] = found;
    const value = quoted === undefined ? (literal?.slice(1, -1) ?? bare) : unescape(quoted);
    members.push({ name, key: name.toLowerCase(), value });
  }
  if (members.length < 2) return undefined;
  const byName = byNameOf(members);
  if (prefix !== '' && messageMember({ byName }) === undefined) return undefined;
  return { prefix, members, byName, root: {}, isCut: false };
}

function unescape(quoted: string): string {
  return quoted.replace(/\\(.)/gs, (_, escaped: string) => escapes.get(escaped) ?? escaped);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/**
 * The JSON of a value that was read from JSON; of a long one its beginning, of at least `most` UTF-16 units.
 * Takes time for what it returns, however large or deep the value is. Empty for undefined.
 */
export function shortJson(value: unknown, most: number): string {
  let text = '';
  // Each level adds to the text, so its length also bounds the depth.
  function add(one: unknown): void {
    if (typeof one === 'string') {
      const written = asWritten(one);
      text += written === one ? JSON.stringify(one.slice(0, most)) : String(written).slice(0, most);
    } else if (typeof one !== 'object' || one === null) text += JSON.stringify(one);
    else if (Array.isArray(one)) {
      text += '[';
      for (let index = 0; index < one.length && text.length < most; index++) {
        if (index > 0) text += ',';
        add(one[index]);
      }
      text += ']';
    } else {
      text += '{';
      let isFirst = true;
      for (const name in one) {
        if (text.length >= most) break;
        text += `${isFirst ? '' : ','}${JSON.stringify(name.slice(0, most))}:`;
        isFirst = false;
        add((one as Record<string, unknown>)[name]);
      }
      text += '}';
    }
  }
  if (value !== undefined) add(value);
  return text;
}
