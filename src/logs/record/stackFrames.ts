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

/**
 * Adds the package to the file name, as in `com.example.web.Server.run(Server.java:12)`.
 *
 * @param start the start of the file name.
 */
function javaPath(text: string, lowest: number, start: number, file: string): string {
  if (text[start - 1] !== '(' || /[\\/]/.test(file)) return file;
  let from = start - 1;
  while (from > lowest && !whitespace.test(text.charAt(from - 1))) from--;
  // The name can follow a class loader and a module: `app//`, `java.base/`.
  const name = text.slice(from, start - 1).replace(/^.*\//, '');
  const folders = name.split('.').slice(0, -2);
  return folders.every((folder) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(folder))
    ? [...folders, file].join('/')
    : file;
}

/** The language of a position, by its notation or its file name. */
type FrameKind = 'javascript' | 'python' | 'java' | 'go' | 'ruby' | 'csharp' | 'rust' | 'generic';

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
  readonly kind: FrameKind;
}

/** The longest path of a frame, which also limits the work on hostile lines. */
const longestPath = 1024;

/** All notations have numbers behind a colon or behind `line`. */
const numbers = /(:(?:line )?|", line )(\d{1,7})(?!\d)(?::(\d{1,7})(?!\d))?/g;

const extension = /\.([A-Za-z][A-Za-z0-9]{0,11})$/;

const languages: Readonly<Record<Exclude<FrameKind, 'generic'>, string>> = {
  javascript: 'js jsx mjs cjs ts tsx mts cts vue svelte astro',
  python: 'py pyx',
  java: 'java kt kts scala groovy clj',
  go: 'go',
  ruby: 'rb erb rake',
  csharp: 'cs fs vb cshtml razor',
  rust: 'rs',
};

const kindOf: ReadonlyMap<string, FrameKind> = new Map(
  (Object.keys(languages) as (keyof typeof languages)[]).flatMap((kind) =>
    languages[kind].split(' ').map((name) => [name, kind] as const),
  ),
);

/** Extensions of files that are a position with a line number alone, unlike `example.com:443`. */
const otherSources = new Set(
  (
    'bash c cc cpp css cxx dart erl ex exs h hpp hs html json jsonc less lua m mm md ml php pl ' +
    'proto ps1 r scss sh sql swift tf toml xml yaml yml zig'
  ).split(' '),
);

/** A path and its start in the text. */
interface Found {
  readonly start: number;
  readonly path: string;
  readonly kind: FrameKind;
}

/** `File "path", line 12`; `quote` is where the path ends. */
function pythonPath(text: string, lowest: number, quote: number): Found | undefined {
  const start = text.lastIndexOf('"', quote - 1) + 1;
  if (start <= lowest || !text.startsWith('File ', start - 6)) return undefined;
  const path = text.slice(start, quote);
  return path === '' || path.startsWith('<') ? undefined : { start, path, kind: 'python' };
}

/** `in path:line 12`. */
function csharpPath(text: string, lowest: number, colon: number): Found | undefined {
  const window = text.slice(lowest, colon);
  const found = window.lastIndexOf(' in ');
  const path = window.slice(found + 4);
  return found === -1 || path.trim() === ''
    ? undefined
    : { start: lowest + found + 4, path, kind: 'csharp' };
}

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
  const kind = kindOf.get(suffix) ?? 'generic';
  const isFile = kind !== 'generic' || otherSources.has(suffix) || /[\\/]/.test(path) || hasColumn;
  if (!isFile) return undefined;
  return { start, path: kind === 'java' ? javaPath(text, lowest, start, path) : path, kind };
}

/**
 * Finds the source positions in one line: frames of JavaScript and TypeScript, Python, Java, Go,
 * Ruby, C# and Rust, and any `path:line:column`. Takes time linear in the line's length.
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
    const found =
      before === ':'
        ? colonPath(text, lowest, match.index, end, column !== undefined)
        : before === ':line '
          ? csharpPath(text, lowest, match.index)
          : pythonPath(text, lowest, match.index);
    if (found === undefined) continue;
    const position = { ...found, end, line: Number(line) };
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
