import { frameLanguages, type FrameLanguage } from './frameLanguages';

/** The longest text between `at` and its parenthesis. */
const longestName = 256;

/** Characters before a path, besides white space, brackets and colons. */
const stops = /["'`<>|,;=*]/;
const whitespace = /\s/;

/** Whether a parenthesis belongs to a frame such as `at new Server (`. */
function followsAt(text: string, parenthesis: number): boolean {
  const before = ` ${text.slice(Math.max(0, parenthesis - longestName), parenthesis)}`;
  return /\sat\s/.test(before);
}

/** The start of a scheme (`file://`) or drive (`C:\`) with its colon at `colon`; else undefined. */
function rootStart(text: string, lowest: number, colon: number): number | undefined {
  if (text.startsWith('//', colon + 1)) {
    let start = colon;
    while (start > lowest && /[a-z+.-]/i.test(text.charAt(start - 1))) start--;
    return start;
  }
  const isDrive =
    colon > lowest &&
    /[a-z]/i.test(text.charAt(colon - 1)) &&
    /[\\/]/.test(text.charAt(colon + 1)) &&
    (colon - 1 === lowest || !/\w/.test(text.charAt(colon - 2)));
  if (!isDrive) return undefined;
  const file = 'file:///';
  const start = colon - 1 - file.length;
  return start >= lowest && text.startsWith(file, start) ? start : colon - 1;
}

interface Start {
  readonly start: number;
  /** Whether the path follows an open bracket. */
  readonly inBrackets: boolean;
}

function walkBack(text: string, lowest: number, end: number, withSpaces: boolean): Start {
  let depth = 0;
  for (let index = end - 1; index >= lowest; index--) {
    const character = text.charAt(index);
    if (character === ')' || character === ']') depth++;
    else if (character === '(' || character === '[') {
      if (depth === 0) return { start: index + 1, inBrackets: true };
      depth--;
    } else if (character === ':') {
      const start = rootStart(text, lowest, index) ?? index + 1;
      return { start, inBrackets: text[start - 1] === '(' };
    } else if (
      stops.test(character) ||
      (!withSpaces && whitespace.test(character)) ||
      // As in `handler@/app/server.js`; within a path, `@` is not followed by a slash.
      (character === '@' && text[index + 1] === '/')
    ) {
      return { start: index + 1, inBrackets: false };
    }
  }
  return { start: lowest, inBrackets: false };
}

/** Where an absolute path begins. */
const root = /(?:\/|[A-Za-z]:[\\/])/y;

function isRoot(text: string, at: number): boolean {
  root.lastIndex = at;
  return root.test(text);
}

/**
 * The start of the path that ends at `separator`, not before `lowest`. Paths have no spaces, except within quotes or the
 * parentheses of a frame, and absolute ones where a frame of their language has its path.
 *
 * @param end the end of the numbers behind the separator.
 */
function pathStart(
  text: string,
  lowest: number,
  separator: number,
  end: number,
  language: FrameLanguage | undefined,
): number {
  const after = text.charAt(end);
  if (after === ')') {
    const { start, inBrackets } = walkBack(text, lowest, separator, true);
    if (inBrackets && followsAt(text, start - 1)) return start;
  }
  if (after === '"' || after === "'") {
    const quote = text.lastIndexOf(after, separator - 1);
    if (quote >= lowest && isRoot(text, quote + 1)) return quote + 1;
  }
  const { start } = walkBack(text, lowest, separator, false);
  if (language?.beforePath === undefined || text[start - 1] !== ' ' || isRoot(text, start)) {
    return start;
  }
  const before = text.slice(lowest, start);
  const spaced = Array.from(
    before.matchAll(language.beforePath),
    (found) => lowest + found.index + found[0].length,
  ).filter((at) => isRoot(text, at));
  return spaced.at(-1) ?? start;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Removes scheme, host, query and the prefixes of bundlers from a path. */
function cleanPath(raw: string): string {
  const query = raw.indexOf('?', 1 + Math.max(raw.lastIndexOf('/'), raw.lastIndexOf('\\')));
  const path = query === -1 ? raw : raw.slice(0, query);
  const [root, scheme] = /^([a-z][a-z+.-]*):\/\/[^/]*/i.exec(path) ?? [];
  if (root === undefined) return path;
  const rest = path.slice(root.length);
  if (scheme === 'file') return decode(rest).replace(/^\/(?=[a-z]:[\\/])/i, '');
  if (scheme === 'http' || scheme === 'https') return decode(rest);
  return rest.replace(/^\/(?:\([^)]*\)\/|\[[^\]]*\]\/)?(?:\.\/)?/, '');
}

/** A frame in a line of text; `start` to `end` covers path, line and column. */
export interface StackFrame {
  readonly start: number;
  readonly end: number;
  /** The path in the program, without scheme and query; for Java `package/File.java`. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column?: number;
  /** By its notation or its file name; absent if no language is known. */
  readonly language?: FrameLanguage;
}

/** The longest path of a frame, which also limits the work on hostile lines. */
const longestPath = 1024;

/** A way to write a position: what is between path and line, as a pattern, and which path it is. */
interface Notation {
  readonly separator: string;
  readonly read: (place: NumberPlace) => Found | undefined;
}

/** Where the numbers of a position are in a text, and what precedes them. */
interface NumberPlace {
  readonly text: string;
  /** The path does not begin before. */
  readonly lowest: number;
  /** The end of the path. */
  readonly pathEnd: number;
  /** The end of the numbers. */
  readonly end: number;
  readonly hasColumn: boolean;
}

const extension = /\.([A-Za-z][A-Za-z0-9]{0,11})$/;

const byExtension = new Map(
  frameLanguages.flatMap((language) =>
    language.extensions.split(' ').map((name) => [name, language] as const),
  ),
);

/** Extensions of files that are a position with a line number alone, unlike `example.com:443`. */
const otherSources = new Set(
  (
    'bash c cc cpp css cxx dart h hpp hs html json jsonc less lua m mm md ml php pl ' +
    'proto ps1 r scss sh sql swift tf toml xml yaml yml zig'
  ).split(' '),
);

type Found = Pick<StackFrame, 'start' | 'path' | 'language'> & { readonly end?: number };

function languageOf(path: string): FrameLanguage | undefined {
  return byExtension.get(extension.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** The file that a path names; undefined if it may be something else, such as a host. */
function fileAt(
  start: number,
  raw: string,
  { text, lowest, hasColumn }: NumberPlace,
): Found | undefined {
  const path = cleanPath(raw);
  const suffix = extension.exec(path)?.[1]?.toLowerCase();
  if (suffix === undefined) return undefined;
  const language = byExtension.get(suffix);
  if (language !== undefined) {
    return { start, path: language.pathOf?.(text, lowest, start, path) ?? path, language };
  }
  const isFile = otherSources.has(suffix) || /[\\/]/.test(path) || hasColumn;
  return isFile ? { start, path } : undefined;
}

/** `path:12` or `path:12:5`. */
function bare(place: NumberPlace): Found | undefined {
  const { text, lowest, pathEnd, end } = place;
  const language = languageOf(text.slice(Math.max(lowest, pathEnd - longestSuffix), pathEnd));
  const start = pathStart(text, lowest, pathEnd, end, language);
  return fileAt(start, text.slice(start, pathEnd), place);
}

/** The longest extension with its dot. */
const longestSuffix = 13;

/** `path(12)` or `path(12,5)`. Calls are written like that, too: only known extensions count. */
function inParentheses(place: NumberPlace): Found | undefined {
  if (place.text[place.end] !== ')') return undefined;
  const found = bare({ ...place, hasColumn: false });
  return found && { ...found, end: place.end + 1 };
}

/** `"path", line 12`, also in single quotes. Python's frames have any path. */
function quoted(place: NumberPlace): Found | undefined {
  const { text, lowest, pathEnd } = place;
  const start = text.lastIndexOf(text.charAt(pathEnd), pathEnd - 1) + 1;
  if (start <= lowest) return undefined;
  const path = text.slice(start, pathEnd);
  if (path === '' || path.startsWith('<')) return undefined;
  const isFrame = text.startsWith('File ', start - 6);
  return fileAt(start, path, place) ?? (isFrame ? { start, path } : undefined);
}

const notations: readonly Notation[] = [
  ...frameLanguages.flatMap((language): readonly Notation[] => {
    const { separator = '', readPath } = language.notation ?? {};
    if (readPath === undefined) return [];
    const read = (place: NumberPlace): Found | undefined => {
      const found = readPath(place.text, place.lowest, place.pathEnd);
      // Shells write `run.sh: line 12`, too.
      return found === undefined ? bare(place) : { ...found, language };
    };
    return [{ separator, read }];
  }),
  { separator: ':', read: bare },
  { separator: '\\(', read: inParentheses },
  { separator: '["\'],? (?:on |at )?line ', read: quoted },
  { separator: '(?:,| on| at)? line ', read: bare },
];

/** Finds the numbers of positions: a group for each notation, then one for the line, and two of which one is the column. */
function numbersOf(among: readonly Notation[]): RegExp {
  return new RegExp(
    [
      `(?:${among.map(({ separator }) => `(${separator})`).join('|')})`,
      '(\\d{1,7})(?!\\d)',
      '(?:(?::|, ?col(?:umn)? )(\\d{1,7})(?!\\d)|, ?(\\d{1,7})(?=\\)))?',
    ].join(''),
    'g',
  );
}

/** Most positions have no words, and are found in half of the time. */
const signs = notations.filter(({ separator }) => !separator.includes('line'));
const [numbers, numbersBehindSigns] = [numbersOf(notations), numbersOf(signs)];
const wordsOfNet = /\.(?:cs|fs|vb|cshtml|razor)(?::\D| i\xe7)/;

/**
 * Finds the source positions in one line: frames of the languages of `frameLanguages.ts`, and any
 * `path:line:column`. Takes time linear in the line's length.
 *
 * @param most the most positions to find.
 */
export function findFrames(text: string, most = Infinity): StackFrame[] {
  const frames: StackFrame[] = [];
  // No text is read twice: a path never reaches back beyond the previous numbers.
  let floor = 0;
  const hasWords = /line[ ,:]/.test(text) || wordsOfNet.test(text);
  const [known, pattern] = hasWords ? [notations, numbers] : [signs, numbersBehindSigns];
  // Nearly every text has none: `matchAll` makes a copy of the pattern first.
  if (text.search(pattern) < 0) return frames;
  for (const match of text.matchAll(pattern)) {
    if (frames.length >= most) break;
    const groups: readonly (string | undefined)[] = match;
    const [line, inLine, inBrackets] = groups.slice(known.length + 1);
    const column = inLine ?? inBrackets;
    const end = match.index + match[0].length;
    const lowest = Math.max(floor, match.index - longestPath);
    floor = end;
    if (Number(line) === 0) continue;
    const notation = known.find((_, index) => groups[index + 1] !== undefined);
    const hasColumn = column !== undefined;
    const found = notation?.read({ text, lowest, pathEnd: match.index, end, hasColumn });
    if (found === undefined) continue;
    // Directly behind a port, only code is a path: not `host:5000/shop.api:12`.
    if (found.language === undefined && /\d/.test(text.charAt(found.start - 1))) continue;
    const position = { end, ...found, line: Number(line) };
    frames.push(Number(column ?? 0) > 0 ? { ...position, column: Number(column) } : position);
  }
  return frames;
}

/**
 * Finds trace ids in a line of text, which are in lower case then: 32 hexadecimal digits, or those of X-Ray, such as
 * `1-60108d57-3a343aec0c7a35f4ede1e064`; all zeros is not one.
 */
export function findTraceIds(text: string) {
  return [...text.matchAll(traceId)].map(({ index, 0: written }) => ({
    start: index,
    end: index + written.length,
    traceId: written.replace(/^1-|-/g, '').toLowerCase(),
  }));
}

const traceId = /(?:\b|(?<=\b0x))(?:1-[0-9a-f]{8}-[0-9a-f]{24}|(?!0{32})[0-9a-f]{32})\b/gi;
