/** A member of a structured body: its path, such as `req.method`, and its value. */
export interface Member {
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  readonly value: unknown;
}

/** The names in a text, in order. */
export function nameSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** The paths of messages, in lower case, the most important first. */
const messageNames = nameSet(`
  message msg @m @mt event body text log short_message error err error.message err.message
  exception.message
`);

/** The member with the message of a structured body, which is not blank; undefined if there is none. */
export function messageMember(
  members: readonly Member[],
): (Member & { readonly value: string }) | undefined {
  for (const name of messageNames) {
    const member = members.find(({ key }) => key === name);
    if (member === undefined) continue;
    const { value } = member;
    if (typeof value === 'string' && value.trim() !== '') return { ...member, value };
  }
  return undefined;
}

/** Longer bodies are shown as they came, in UTF-16 units: parsing them would take too long. */
const maxLength = 65_536;
/** Objects within objects are split into members to this depth. */
const maxDepth = 3;
const maxMembers = 200;

/**
 * Reads a body that is a JSON object or logfmt. Anything else costs a look at its first characters.
 *
 * @returns its members in order, nested objects by the path of their members; undefined for other text.
 */
export function readMembers(body: string): readonly Member[] | undefined {
  if (body.length > maxLength) return undefined;
  if (body !== last.body) {
    last = { body, members: /^\s{0,16}\{/.test(body) ? readJson(body) : readLogfmt(body) };
  }
  return last.members;
}

/** What was read last: the parts of a record are read one after the other. */
let last: { readonly body: string; readonly members: readonly Member[] | undefined } = {
  body: '',
  members: undefined,
};

function readJson(body: string): readonly Member[] | undefined {
  const json = parse(body);
  if (typeof json !== 'object' || json === null) return undefined;
  const members: Member[] = [];
  addMembers(members, '', json, 1);
  return members;
}

function parse(body: string): unknown {
  try {
    const json: unknown = JSON.parse(body);
    if (!/\d{16}/.test(body)) return json;
    // Numbers with so many digits would lose some of them: read them as text. This takes linear time only
    // for valid JSON, in which every string ends.
    return JSON.parse(
      body.replace(
        /("(?:[^"\\]|\\.)*")|(-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?)/gs,
        (found, text: string | undefined) => text ?? `"${found}"`,
      ),
    );
  } catch {
    return undefined;
  }
}

function addMembers(members: Member[], path: string, object: object, depth: number): void {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    if (members.length >= maxMembers) return;
    const name = path === '' ? key : `${path}.${key}`;
    const inner = typeof value === 'object' ? plainValue(key, value) : value;
    const isNested = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (isNested && depth < maxDepth) addMembers(members, name, inner, depth + 1);
    else members.push({ name, key: name.toLowerCase(), value: inner });
  }
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

const pair = /([A-Za-z_@][\w.@/-]{0,127})=(?:"((?:[^"\\]|\\.)*)"|([^\s"=]\S*)?)(?:[ \t]+|$)/y;

/** `key=value key="value with spaces"`, and nothing else, on one line. */
function readLogfmt(body: string): readonly Member[] | undefined {
  const text = body.trimEnd();
  if (!/^[A-Za-z_@][\w.@/-]{0,127}=/.test(text)) return undefined;
  const members: Member[] = [];
  pair.lastIndex = 0;
  while (pair.lastIndex < text.length && members.length < maxMembers) {
    const found = pair.exec(text);
    if (found === null) return undefined;
    const [, name = '', quoted, bare = ''] = found;
    const value = quoted === undefined ? bare : unescape(quoted);
    members.push({ name, key: name.toLowerCase(), value });
  }
  return members.length > 1 ? members : undefined;
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
    if (typeof one === 'string') text += JSON.stringify(one.slice(0, most));
    else if (typeof one !== 'object' || one === null) text += JSON.stringify(one);
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

/** Longer bodies are not formatted. In UTF-16 units. */
const longestFormatted = 262_144;
/** Deeper levels stay on one line: there would be nothing to see but indentation. */
const deepestFormatted = 50;

/** The limit of the result in UTF-16 units: short values on their own lines multiply the length. */
const longestResult = 400_000;

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

/**
 * Formats a body that is a JSON object or array with one line for each member. Only white space changes:
 * numbers keep their digits, strings their escapes, and duplicate members stay. A result that is too long
 * ends in `…`.
 *
 * @returns undefined for other bodies.
 */
export function prettyJson(body: string): string | undefined {
  if (body.length > longestFormatted || !/^\s*[[{]/.test(body) || !isJson(body)) return undefined;
  let result = '';
  let depth = 0;
  let before = '';
  const line = (): string => (depth <= deepestFormatted ? `\n${'  '.repeat(depth)}` : '');
  for (const [text] of body.matchAll(token)) {
    if (result.length > longestResult) return `${result}\n…`;
    const isEmpty = (before === '{' || before === '[') && (text === '}' || text === ']');
    if (text === '}' || text === ']') {
      // The closing bracket belongs to the outer level.
      const isDeep = depth > deepestFormatted;
      depth--;
      result += isEmpty || isDeep ? text : line() + text;
    } else {
      if (before === '{' || before === '[' || before === ',') result += line();
      result += text === ':' ? ': ' : text;
      if (text === '{' || text === '[') depth++;
    }
    before = text;
  }
  return result;
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    // Invalid, or nested too deeply.
    return false;
  }
}
