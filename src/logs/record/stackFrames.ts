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

/**
 * The start of the path that ends at `colon`, not before `lowest`. Paths have no spaces, except within the
 * parentheses of a frame.
 *
 * @param end the end of the numbers behind the colon.
 */
function pathStart(text: string, lowest: number, colon: number, end: number): number {
  if (text[end] === ')') {
    const { start, inBrackets } = walkBack(text, lowest, colon, true);
    if (inBrackets && followsAt(text, start - 1)) return start;
  }
  return walkBack(text, lowest, colon, false).start;
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

const notations = new Map(
  frameLanguages.flatMap((language) =>
    language.notation === undefined
      ? []
      : [[language.notation.separator, { language, ...language.notation }] as const],
  ),
);

/** All notations have numbers behind what separates them from the path: a colon, or that of a language. */
const numbers = new RegExp(
  `(${[...notations.keys(), ':'].join('|')})(\\d{1,7})(?!\\d)(?::(\\d{1,7})(?!\\d))?`,
  'g',
);

const extension = /\.([A-Za-z][A-Za-z0-9]{0,11})$/;

const byExtension = new Map(
  frameLanguages.flatMap((language) =>
    language.extensions.split(' ').map((name) => [name, language] as const),
  ),
);

/** Extensions of files that are a position with a line number alone, unlike `example.com:443`. */
const otherSources = new Set(
  (
    'bash c cc cpp css cxx dart erl ex exs h hpp hs html json jsonc less lua m mm md ml php pl ' +
    'proto ps1 r scss sh sql swift tf toml xml yaml yml zig'
  ).split(' '),
);

type Found = Pick<StackFrame, 'start' | 'path' | 'language'>;

/** `path:12` or `path:12:5`. */
function colonPath(
  text: string,
  lowest: number,
  colon: number,
  end: number,
  hasColumn: boolean,
): Found | undefined {
  const start = pathStart(text, lowest, colon, end);
  const path = cleanPath(text.slice(start, colon));
  const suffix = extension.exec(path)?.[1]?.toLowerCase();
  if (suffix === undefined) return undefined;
  const language = byExtension.get(suffix);
  if (language !== undefined) {
    return { start, path: language.pathOf?.(text, lowest, start, path) ?? path, language };
  }
  const isFile = otherSources.has(suffix) || /[\\/]/.test(path) || hasColumn;
  return isFile ? { start, path } : undefined;
}

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
  for (const match of text.matchAll(numbers)) {
    if (frames.length >= most) break;
    const [whole, before = '', line, column] = match;
    const end = match.index + whole.length;
    const lowest = Math.max(floor, match.index - longestPath);
    floor = end;
    if (Number(line) === 0) continue;
    const notation = notations.get(before);
    const found =
      notation === undefined
        ? colonPath(text, lowest, match.index, end, column !== undefined)
        : notation.readPath(text, lowest, match.index);
    if (found === undefined) continue;
    const language = notation === undefined ? {} : { language: notation.language };
    const position = { ...found, ...language, end, line: Number(line) };
    frames.push(Number(column ?? 0) > 0 ? { ...position, column: Number(column) } : position);
  }
  return frames;
}

/** Finds trace ids in a line of text: 32 lowercase hexadecimal digits; all zeros is not one. */
export function findTraceIds(text: string) {
  return [...text.matchAll(/\b(?!0{32})[0-9a-f]{32}\b/g)].map(({ index, 0: traceId }) => ({
    start: index,
    end: index + traceId.length,
    traceId,
  }));
}
